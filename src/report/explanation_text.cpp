#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "draw/terminal_text.h"
#include "report/explanation_output.h"
#include "report/proof_order.h"
#include "report/proof_tree_text.h"

namespace neumann {
namespace {

using Origin = ExplainedStep::Origin;

constexpr std::size_t bar_columns = 12;
constexpr double least_full_weight = 0.1;      // below, nothing matters much
constexpr std::size_t most_steps_told = 1000;  // a longer text is of no use to a reader

std::string with_unknown(const std::optional<double>& value) { return value ? shown(*value) : ""; }

const char* origin_column(Origin origin) {
    return origin == Origin::Picture    ? "seen"
           : origin == Origin::Fact     ? "fact"
           : origin == Origin::Rule     ? "rule"
           : origin == Origin::Negation ? "not"
                                        : "given";
}

// Eighths of a column, so that small differences are seen.
std::string text_bar(double part) {
    static constexpr std::array<const char*, 8> ends = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * bar_columns * 8));
    std::string out;
    for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
    return out + ends[eighths % 8];
}

class TextWriter {
public:
    TextWriter(const Explanation& explanation, const ExplanationTextOptions& options)
        : explanation_(explanation), options_(options) {}

    std::string text() && {
        add_headline();
        if (!explanation_.proofs.empty()) {
            add_best_proof();
            add_further_proofs();
            add_parts();
        }
        if (explanation_.why_not) add_why_not(*explanation_.why_not);
        add_inputs();
        add_objects();
        add_clauses();
        return std::move(out_);
    }

private:
    void add_title(const std::string& title) { out_ += '\n' + title + '\n'; }
    void add_wrapped(const std::string& text, const std::string& first = "", const std::string& next = "") {
        out_ += wrapped(one_line(text), options_.width, first, next);
    }
    void add_table(const Table& table, std::size_t left_out) {
        out_ += table.text();
        if (left_out > 0) out_ += fmt::format("… and {} more\n", with_separators(left_out));
    }
    void add_headline();
    void add_best_proof();
    void add_further_proofs();
    void add_parts();
    void add_near_miss(const NearMiss& miss, std::size_t number);
    void add_why_not(const WhyNot& why_not);
    void add_inputs();
    void add_objects();
    void add_clauses();

    const Explanation& explanation_;
    const ExplanationTextOptions& options_;
    std::string out_;
};

void TextWriter::add_headline() {
    const Explanation& e = explanation_;
    add_wrapped(fmt::format("{}  {:.4f}  {}", e.atom, e.value,
                            e.holds() ? fmt::format("holds: at least {}", shown(e.threshold))
                                      : fmt::format("does not hold: below {}", shown(e.threshold))),
                "", "  ");
    if (!e.sentence.empty() && e.sentence != e.atom)
        add_wrapped((e.holds() ? sentence_start(e.sentence, e.atom) : "Not so: " + e.sentence) + '.', "  ", "  ");
    if (e.other_matches > 0)
        add_wrapped(fmt::format("the most probable of what matches; --answers explains {} more",
                                counted(e.other_matches, "atom")),
                    "  ", "  ");
    std::string how = e.semantics;
    if (e.gamma) how += fmt::format(" with γ = {}", shown(*e.gamma));
    how += (how.empty() ? "" : ", ") + counted(e.steps, "step");
    if (!e.id.empty()) how = fmt::format("example {}; {}", e.id, how);
    add_wrapped(how, "  ", "  ");
}

void TextWriter::add_best_proof() {
    const ExplainedProof best = first_steps(explanation_.proofs.front(), most_steps_told);
    const std::size_t all = explanation_.proofs.front().steps.size();
    add_title(explanation_.proofs.size() == 1 && !explanation_.more_proofs ? "Proof" : "Best proof");
    out_ += proof_tree_text(best, options_.width);
    if (all > most_steps_told)
        add_wrapped(fmt::format("… the {} steps nearest to the answer, of {}; --json and --dot have all",
                                with_separators(most_steps_told), with_separators(all)));
    const std::vector<std::uint32_t> order = leaves_first(best);
    if (options_.words && !order.empty()) {
        add_title("In words");
        const std::vector<std::uint32_t> numbers = told_numbers(best);
        const std::size_t digits = fmt::format("{}", order.size()).size();
        for (const std::uint32_t step : order) {
            add_wrapped(step_sentence(best, step, numbers), fmt::format("{:>{}}. ", numbers[step], digits),
                        std::string(digits + 2, ' '));
        }
    }
    out_ += '\n';
    add_wrapped(meaning_of_proof_value(explanation_));
}

// Of each further proof, its difference from the best.
void TextWriter::add_further_proofs() {
    const std::vector<ExplainedProof>& proofs = explanation_.proofs;
    if (proofs.size() > 1) add_title("Further proofs");
    std::set<std::string> inputs;
    std::set<std::uint32_t> clauses;
    for (const ExplainedStep& step : proofs.front().steps) {
        if (is_derived(step)) {
            clauses.insert(step.clause);
        } else {
            inputs.insert(step.atom);
        }
    }
    for (std::size_t i = 1; i < proofs.size(); ++i) {
        std::string with;
        std::string by;
        std::set<std::uint32_t> named = clauses;
        for (const ExplainedStep& step : proofs[i].steps) {
            if (!is_derived(step)) {
                if (!inputs.contains(step.atom))
                    with += fmt::format("{}{} {}", with.empty() ? "with " : ", ", step.atom, shown(step.value));
            } else if (named.insert(step.clause).second) {
                const std::string place = place_of(step.file, step.line);
                by += by.empty() ? "by " : ", ";
                by += place.empty() ? fmt::format("clause {}", step.clause + 1) : place;
            }
        }
        std::string differs = fmt::format("{}{}{}", by, by.empty() || with.empty() ? "" : ", ", with);
        if (differs.empty()) differs = "the same inputs and clauses, put together differently";
        add_wrapped(fmt::format("{}  {}", shown(proofs[i].value), differs), fmt::format("{}. ", i + 1), "     ");
    }
    if (explanation_.more_proofs && !explanation_.rest) out_ += "There may be further proofs.\n";
}

// Of an exact probability: each proof without the worlds of those before it.
void TextWriter::add_parts() {
    if (!explanation_.rest) return;
    add_title("Parts of the value");
    const std::vector<ExplainedProof>& proofs = explanation_.proofs;
    double sum = *explanation_.rest;
    for (std::size_t i = 0; i < proofs.size(); ++i) {
        sum += proofs[i].part.value_or(0);
        const std::string before = i == 0   ? ""
                                   : i == 1 ? ", and proof 1 does not"
                                            : fmt::format(", and none of the {} before it does", i);
        out_ += fmt::format("{:>10.6f}  proof {} holds{}\n", proofs[i].part.value_or(0), i + 1, before);
    }
    out_ += fmt::format("{:>10.6f}  other proofs, where none of these holds\n", *explanation_.rest);
    out_ += fmt::format(
        "{:>10.6f}  together{}\n", sum,
        explanation_.evidence ? fmt::format(", given evidence of probability {}", shown(*explanation_.evidence)) : "");
}

void TextWriter::add_near_miss(const NearMiss& miss, std::size_t number) {
    const std::vector<ExplainedStep>& steps = miss.proof.steps;
    const std::string label = fmt::format("{}. ", number);
    const std::string below(label.size(), ' ');
    const bool deep = !steps.empty() && std::ranges::any_of(steps.front().premises, [&](std::uint32_t premise) {
        return is_derived(steps.at(premise));
    });
    if (deep && number == 1) {  // a failure may be far from the conclusion
        const std::string tree = proof_tree_text(miss.proof, options_.width - label.size(), &miss);
        std::string before = label;
        for (std::size_t begin = 0; begin < tree.size();) {
            const std::size_t end = tree.find('\n', begin) + 1;
            out_ += before + tree.substr(begin, end - begin);
            before = below;
            begin = end;
        }
    } else if (!steps.empty()) {
        const ExplainedStep& head = steps.front();
        std::string text = head.atom;
        for (std::size_t i = 0; i < head.premises.size(); ++i) {
            const ExplainedStep& premise = steps.at(head.premises[i]);
            text += fmt::format("{}{} {}", i == 0 ? " ← " : ", ", premise.atom, shown(premise.value));
        }
        const std::string place = place_of(head.file, head.line);
        if (!place.empty()) text += fmt::format("  ({})", place);
        add_wrapped(text, label, below + "  ");
    }
    if (miss.failures.empty()) add_wrapped(no_failure_text(explanation_, miss.proof), below, below + "  ");
    for (const Failure& failure : miss.failures)
        add_wrapped(failure_text(explanation_, miss, failure), below + "fails: ", below + "  ");
    if (miss.failures.size() > 1 && miss.if_true)
        add_wrapped(fmt::format("were all of them 1, {} would be {}", explanation_.atom, spoken(*miss.if_true)), below,
                    below + "  ");
}

void TextWriter::add_why_not(const WhyNot& why_not) {
    add_title("Why not");
    if (!why_not.impossible.empty()) add_wrapped(why_not.impossible);
    for (std::size_t i = 0; i < why_not.nearest.size(); ++i) add_near_miss(why_not.nearest[i], i + 1);
}

void TextWriter::add_inputs() {
    const std::vector<ExplainedInput>& inputs = explanation_.inputs;
    if (inputs.empty()) return;
    add_title("Inputs that matter");
    const bool without = std::ranges::any_of(inputs, [](const ExplainedInput& input) { return !!input.without; });
    std::vector<Table::Column> columns = {
        {"atom", Table::Align::Left}, {"from", Table::Align::Left}, {"value"}, {"gradient"}, {"share"}};
    if (without) columns.push_back({"without"});
    Table table(columns);
    const std::size_t shown_count = std::min(options_.top, inputs.size());
    for (std::size_t i = 0; i < shown_count; ++i) {
        const ExplainedInput& input = inputs[i];
        std::vector<std::string> row = {one_line(input.atom), origin_column(input.origin), shown(input.value),
                                        shown(input.gradient), shown(input.share)};
        if (without) row.push_back(with_unknown(input.without));
        table.add_row(std::move(row));
    }
    add_table(table, inputs.size() - shown_count);
}

void TextWriter::add_objects() {
    const std::vector<ExplainedObject>& objects = explanation_.objects;
    if (objects.empty()) return;
    add_title("Objects");
    double largest = 0;
    for (const ExplainedObject& object : objects) largest = std::max(largest, object.weight);
    const bool pictures = std::ranges::any_of(objects, [](const ExplainedObject& object) { return object.image > 0; });
    std::vector<Table::Column> columns = {{"object", Table::Align::Left},
                                          {"weight"},
                                          {"", Table::Align::Left},
                                          {"most for", Table::Align::Left},
                                          {"what is said of it", Table::Align::Left}};
    if (pictures) columns.insert(columns.begin() + 1, {"picture"});
    // The attributes of an object take the room that the other columns leave.
    std::size_t room = options_.width;
    for (const ExplainedObject& object : objects)
        room =
            std::min(room, options_.width - std::min(options_.width, columns_of(object.name) + columns_of(object.atom) +
                                                                         bar_columns + (pictures ? 26 : 17)));
    Table table(columns);
    for (const ExplainedObject& object : objects) {
        std::string said;
        for (const auto& [atom, value] : object.atoms)
            said += fmt::format("{}{} {}", said.empty() ? "" : ", ", atom, spoken(value));
        std::vector<std::string> row = {
            one_line(object.name), shown(object.weight),
            text_bar(largest > 0 ? object.weight / std::max(largest, least_full_weight) : 0),
            object.weight > 0 ? one_line(object.atom) : "", cut_to(one_line(said), std::max<std::size_t>(room, 20))};
        if (pictures) row.insert(row.begin() + 1, fmt::format("{}", object.image + 1));
        table.add_row(std::move(row));
    }
    add_table(table, 0);
}

void TextWriter::add_clauses() {
    std::vector<const ExplainedClause*> clauses;
    for (const ExplainedClause& clause : explanation_.clauses) {
        if (clause.share != 0 || clause.used) clauses.push_back(&clause);
    }
    if (clauses.empty()) return;
    std::ranges::stable_sort(clauses, [](const auto* a, const auto* b) { return a->share > b->share; });
    add_title("Clauses that matter");
    const bool without = std::ranges::any_of(clauses, [](const auto* clause) { return !!clause->without; });
    std::vector<Table::Column> columns = {{"share"}, {"weight"}};
    if (without) columns.push_back({"without"});
    columns.push_back({"line", Table::Align::Left});
    columns.push_back({"clause", Table::Align::Left});
    Table table(columns);
    const std::size_t shown_count = std::min(options_.top, clauses.size());
    std::size_t places = 4;
    for (std::size_t i = 0; i < shown_count; ++i)
        places = std::max(places, columns_of(one_line(place_of(clauses[i]->file, clauses[i]->line))));
    const std::size_t taken = places + (without ? 27 : 18);
    for (std::size_t i = 0; i < shown_count; ++i) {
        const ExplainedClause& clause = *clauses[i];
        std::vector<std::string> row = {shown(clause.share), shown(clause.weight)};
        if (without) row.push_back(with_unknown(clause.without));
        row.push_back(one_line(place_of(clause.file, clause.line)));
        row.push_back(cut_to(one_line(clause.text), options_.width > taken + 30 ? options_.width - taken : 30));
        table.add_row(std::move(row));
    }
    add_table(table, clauses.size() - shown_count);
}

}  // namespace

std::string to_text(const Explanation& explanation, const ExplanationTextOptions& options) {
    return TextWriter(explanation, options).text();
}

}  // namespace neumann
