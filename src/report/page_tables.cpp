// Tables of an explanation page: dependencies of the answer, attributes of the objects, and all probabilities.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "report/page_sections.h"

namespace neumann::page {
namespace {

using Origin = ExplainedStep::Origin;

constexpr std::size_t shown_rows = 10;  // of a table; the others are folded away

struct Column {
    const char* title;
    bool number = true;
};

// On narrow screens each row becomes a block of its own, and `data-label` repeats the column's title.
void add_table(std::string& out, const char* caption, const std::vector<Column>& columns,
               const std::vector<std::vector<std::string>>& rows) {
    const auto part = [&](std::size_t begin, std::size_t end, const char* suffix) {
        add(out, "<table class=\"stack\"><caption>{}{}</caption>\n<thead><tr>", caption, suffix);
        for (const Column& column : columns)
            add(out, "<th scope=\"col\"{}>{}</th>", column.number ? " class=\"number\"" : "", column.title);
        out += "</tr></thead>\n<tbody>\n";
        for (std::size_t row = begin; row < end; ++row) {
            add(out, "<tr><th scope=\"row\">{}</th>", rows[row][0]);
            for (std::size_t i = 1; i < columns.size(); ++i) {
                add(out, "<td{} data-label=\"{}\">{}</td>", columns[i].number ? " class=\"number\"" : "",
                    columns[i].title, rows[row][i]);
            }
            out += "</tr>\n";
        }
        out += "</tbody></table>\n";
    };
    if (rows.empty()) return;
    // One or two rows are not worth folding away.
    const std::size_t first = rows.size() <= shown_rows + 2 ? rows.size() : shown_rows;
    part(0, first, "");
    if (first == rows.size()) return;
    add(out, "<details class=\"more\"><summary>{} more</summary>\n", rows.size() - first);
    part(first, rows.size(), ", continued");
    out += "</details>\n";
}

std::string with_atom(const std::string& sentence, const std::string& atom) {
    if (sentence.empty() || sentence == atom) return code(atom);
    return "<span class=\"said\">" + escaped(sentence) + "</span> " + code(atom);
}

std::string barred(double value, double largest) {
    return bar(largest > 0 ? value / largest : 0) + "<span>" + number(value) + "</span>";
}

std::string without_text(const std::optional<double>& without) { return without ? number(*without) : ""; }

template <typename Item>
double largest_gradient(const std::vector<Item>& items) {
    double largest = 0;
    for (const Item& item : items) largest = std::max(largest, std::abs(item.gradient));
    return largest;
}

template <typename Item>
bool any_without(const std::vector<Item>& items) {
    return std::ranges::any_of(items, [](const Item& item) { return item.without.has_value(); });
}

std::vector<Column> dependence_columns(const char* what, bool without) {
    std::vector<Column> columns = {{what, false}, {"Gradient"}, {"Share"}};
    if (without) columns.push_back({"Value without"});
    return columns;
}

void add_inputs(std::string& out, const Explanation& explanation, bool facts, bool without) {
    std::vector<ExplainedInput> inputs;
    for (const ExplainedInput& input : explanation.inputs)
        if ((input.origin == Origin::Fact) == facts && input.gradient != 0) inputs.push_back(input);
    std::ranges::stable_sort(inputs, [](const ExplainedInput& a, const ExplainedInput& b) {
        return std::abs(a.gradient) > std::abs(b.gradient);
    });
    const double largest = largest_gradient(inputs);
    std::vector<std::vector<std::string>> rows;
    for (const ExplainedInput& input : inputs) {
        auto& row = rows.emplace_back(
            std::vector{with_atom(input.sentence, input.atom), barred(input.gradient, largest), percent(input.share)});
        if (without) row.push_back(without_text(input.without));
    }
    add_table(out, facts ? "Facts of the program" : "What was seen or given",
              dependence_columns(facts ? "Fact" : "Input", without), rows);
}

void add_clauses(std::string& out, const ReportPlace& place, bool without) {
    std::vector<ExplainedClause> clauses;
    for (const ExplainedClause& clause : place.explanation().clauses)
        if (clause.used || clause.gradient != 0) clauses.push_back(clause);
    std::ranges::stable_sort(clauses, [](const ExplainedClause& a, const ExplainedClause& b) {
        return std::abs(a.share) > std::abs(b.share);
    });
    const double largest = largest_gradient(clauses);
    std::vector<std::vector<std::string>> rows;
    for (const ExplainedClause& clause : clauses) {
        const std::string link = line_link(place, clause.file, clause.line);
        auto& row = rows.emplace_back(std::vector{(link.empty() ? "" : link + " ") + code(clause.text),
                                                  barred(clause.gradient, largest), percent(clause.share)});
        if (without) row.push_back(without_text(clause.without));
    }
    add_table(out, "Rules of the program", dependence_columns("Rule", without), rows);
}

}  // namespace

void add_dependence(std::string& out, const ReportPlace& place) {
    const Explanation& explanation = place.explanation();
    if (largest_gradient(explanation.inputs) == 0 && largest_gradient(explanation.clauses) == 0) return;
    const bool without = any_without(explanation.inputs) || any_without(explanation.clauses);
    add(out,
        "<section class=\"card\" id=\"{0}-matters\" aria-labelledby=\"{0}-matters-h\">\n"
        "<h3 id=\"{0}-matters-h\">What the answer depends on</h3>\n"
        "<p class=\"note\">The gradient says how fast the value {1} changes with an initial value or the weight of a "
        "rule; the share, which part of all that influence it has.{2}</p>\n",
        place.id, number(explanation.value),
        without ? " Value without: what the answer would be if it were left out." : "");
    add_inputs(out, explanation, false, without);
    add_inputs(out, explanation, true, without);
    add_clauses(out, place, without);
    out += "</section>\n";
}

void add_objects(std::string& out, const ReportPlace& place) {
    const auto& objects = place.explanation().objects;
    if (objects.empty()) return;
    double largest = 0;
    for (const ExplainedObject& object : objects) largest = std::max(largest, std::abs(object.weight));
    const bool several = std::ranges::any_of(objects, [](const ExplainedObject& object) { return object.image > 0; });
    std::vector<std::vector<std::string>> rows;
    for (const ExplainedObject& object : objects) {
        std::string name = code(object.name);
        const auto& pictures = place.input->pictures;
        if (several)
            add(name, " <span class=\"note\">{}</span>",
                object.image < pictures.size() ? escaped(pictures[object.image].title)
                                               : fmt::format("picture {}", object.image + 1));
        std::string said;
        for (const auto& [atom, value] : object.atoms)
            add(said, "<span class=\"pair\">{} {}</span> ", code(atom), number(value));
        rows.push_back({name, barred(object.weight, largest), object.weight == 0 ? "" : code(object.atom), said});
    }
    add(out,
        "<section class=\"card\" id=\"{0}-objects\" aria-labelledby=\"{0}-objects-h\">\n"
        "<h3 id=\"{0}-objects-h\">Objects</h3>\n",
        place.id);
    add_table(out, "Objects, how much the answer depends on each, and what is said of it",
              {{"Object", false}, {"Weight"}, {"Most of all by", false}, {"Seen or given", false}}, rows);
    out += "</section>\n";
}

void add_probabilities(std::string& out, const ReportPlace& place) {
    constexpr std::array<const char*, 4> origins = {"derived", "fact", "example", "picture"};
    std::vector<std::vector<std::string>> rows;
    for (const ExplainedInput& input : place.explanation().inputs) {
        rows.push_back({with_atom(input.sentence, input.atom), barred(input.value, 1),
                        origins[static_cast<std::size_t>(input.origin)]});
    }
    if (rows.empty()) return;
    add(out,
        "<section class=\"card\" id=\"{0}-inputs\" aria-labelledby=\"{0}-inputs-h\">\n"
        "<h3 id=\"{0}-inputs-h\">Probabilities</h3>\n",
        place.id);
    add_table(out, "Initial values that the answer depends on", {{"Atom", false}, {"Probability"}, {"From", false}},
              rows);
    out += "</section>\n";
}

void add_history(std::string& out, const ReportPlace& place) {
    constexpr std::size_t most_columns = 60;  // of steps
    const Explanation::History& history = place.explanation().history;
    if (history.atoms.empty() || history.steps.empty()) return;
    const std::size_t last = history.steps.size() - 1;
    const std::size_t stride = last / most_columns + 1;
    const auto each_step = [&](auto&& what) {
        for (std::size_t step = 0; step <= last; ++step)
            if (step % stride == 0 || step == last) what(step);
    };
    add(out,
        "<section class=\"card\" id=\"{0}-history\" aria-labelledby=\"{0}-history-h\">\n"
        "<h3 id=\"{0}-history-h\">How the values came about</h3>\n"
        "<p class=\"note\">The proof's atoms after every step{1}; the stronger the colour, the nearer to 1.</p>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Values by step; scrolls sideways\">\n"
        "<table class=\"history\"><caption class=\"unseen\">Values of the proof's atoms by step</caption>\n"
        "<thead><tr><th scope=\"col\">Atom</th>",
        place.id, stride == 1 ? "" : fmt::format(" (one in {} is shown)", stride));
    each_step([&](std::size_t step) { add(out, "<th scope=\"col\">{}</th>", step); });
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t atom = 0; atom < history.atoms.size(); ++atom) {
        add(out, "<tr><th scope=\"row\">{}</th>", code(history.atoms[atom]));
        each_step([&](std::size_t step) {
            const double value = history.steps[step].at(atom);
            // Only an exact 0, an atom not derived yet, is left blank.
            const long shade = value == 0 ? 0 : std::clamp(std::lround(value * 9), 0L, 9L) + 1;
            add(out, "<td class=\"h{}\" title=\"{}, step {}: {}\">{}</td>", shade, escaped(history.atoms[atom]), step,
                number(value), value == 0 ? "<span class=\"unseen\">0</span>" : fmt::format("{:.2f}", value));
        });
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n</section>\n";
}

}  // namespace neumann::page
