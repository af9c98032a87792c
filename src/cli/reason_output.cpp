#include "cli/reason_output.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace neumann {
namespace {

// Calls `each` for every item, with a comma between any two.
void put_list(std::string& out, const auto& items, const auto& each) {
    bool first = true;
    for (const auto& item : items) {
        if (!first) out += ", ";
        first = false;
        each(item);
    }
}

// Four decimals, unless they would hide that the value is not 0.
std::string shown(double value) {
    constexpr double least = 0.00005;
    return value > 0 && value < least ? fmt::format("{:.2g}", value) : fmt::format("{:.4f}", value);
}

}  // namespace

// The shortest text that reads back as the same number.
void ReasonOutput::put_number(double value, std::string& out) const {
    if (options_.double_precision) {
        fmt::format_to(std::back_inserter(out), "{}", value);
    } else if (std::abs(value) < static_cast<double>(std::numeric_limits<float>::min())) {  // 0, or no float
        fmt::format_to(std::back_inserter(out), "{:.8g}", value);
    } else {
        fmt::format_to(std::back_inserter(out), "{}", static_cast<float>(value));
    }
}

bool ReasonOutput::is_listed(const Session& session, std::size_t answer, std::size_t example) const {
    if (options_.all_answers || session.is_asked_by_name(answer)) return true;
    if (shows_bounds(session)) return session.interval(answer, example).high > 0;
    return session.value(answer, example) != 0;
}

std::vector<std::size_t> ReasonOutput::listed(const Session& session, std::size_t example) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < session.answers().size(); ++i)
        if (is_listed(session, i, example)) found.push_back(i);
    return found;
}

ReasonOutput::History ReasonOutput::history(const Session& session, std::size_t example) const {
    History result{{}, session.history(example, shown_atoms(session))};
    for (const Answer& answer : shown_atoms(session)) result.atoms.push_back(answer.text);
    return result;
}

void ReasonOutput::put_gradients(Session& session, std::vector<std::string>& lines) const {
    const Model& model = session.model();
    std::vector<std::vector<AtomIndex>> inputs(session.examples());
    std::vector<std::vector<std::string>> unneeded(session.examples());
    std::vector<std::string> names(model.atom_count());
    for (std::size_t e = 0; e < session.examples() && options_.input_gradients; ++e) {
        inputs[e] = session.inputs(e);
        for (const std::string& atom : session.unneeded_inputs(e)) unneeded[e].push_back(json_text(atom));
        for (const AtomIndex atom : inputs[e]) {
            std::string& name = names[static_cast<std::size_t>(atom)];
            if (name.empty()) name = json_text(model.atom_name(atom));
        }
    }
    std::vector<std::size_t> clauses(model.clause_count());
    std::iota(clauses.begin(), clauses.end(), std::size_t{0});
    for (std::size_t i = 0; i < session.answers().size(); ++i) {
        const Answer& answer = session.answers()[i];
        if (answer.atom) session.differentiate(i);
        for (std::size_t e = 0; e < session.examples(); ++e) {
            std::string& out = lines[e];
            out += i == 0 ? "" : ", ";
            out += answer.json;
            out += ": {";
            if (options_.input_gradients) {
                out += "\"inputs\": {";
                put_list(out, inputs[e], [&](AtomIndex atom) {
                    out += names[static_cast<std::size_t>(atom)];
                    out += ": ";
                    put_number(answer.atom ? session.input_gradient(atom, e) : 0.0, out);
                });
                for (const std::string& atom : unneeded[e])
                    fmt::format_to(std::back_inserter(out), "{}{}: 0", out.back() == '{' ? "" : ", ", atom);
                out += "}";
            }
            if (options_.weight_gradients) {
                out += options_.input_gradients ? ", \"weights\": [" : "\"weights\": [";
                put_list(out, clauses, [&](std::size_t clause) {
                    put_number(answer.atom ? session.weight_gradient(clause, e) : 0.0, out);
                });
                out += "]";
            }
            out += "}";
        }
    }
}

// "low": {"p": 0.59}, "high": {"p": 0.61}
void ReasonOutput::put_intervals(const Session& session, std::size_t example, std::string& out) const {
    for (const bool high : {false, true}) {
        out += high ? ", \"high\": {" : ", \"low\": {";
        put_list(out, listed(session, example), [&](std::size_t i) {
            const Interval interval = session.interval(i, example);
            out += session.answers()[i].json + ": ";
            put_number(high ? interval.high : interval.low, out);
        });
        out += "}";
    }
}

// "exact": {"p": 0.6}, "difference": {"p": 0.007}
void ReasonOutput::put_exact(const Session& session, std::size_t example, std::string& out) const {
    if (const std::optional<std::string> problem = session.exact_problem(example)) {
        out += ", \"exact_problem\": " + json_text(*problem);
        return;
    }
    for (const bool difference : {false, true}) {
        out += difference ? ", \"difference\": {" : ", \"exact\": {";
        put_list(out, listed(session, example), [&](std::size_t i) {
            const double exact = session.exact_value(i, example);
            out += session.answers()[i].json + ": ";
            put_number(difference ? session.value(i, example) - exact : exact, out);
        });
        out += "}";
    }
}

void ReasonOutput::put_world(const Session& session, std::size_t example, std::string& out) const {
    const World world = session.most_probable_world(example);
    fmt::format_to(std::back_inserter(out), ", \"world\": {{\"probability\": {}, \"given_evidence\": {}, \"holds\": {{",
                   world.probability, world.probability / world.evidence);
    put_list(out, listed(session, example), [&](std::size_t i) {
        fmt::format_to(std::back_inserter(out), "{}: {}", session.answers()[i].json, bool{world.answers[i]});
    });
    out += "}, \"choices\": [";
    put_list(out, world.decided, [&](const World::Decided& one) {
        fmt::format_to(std::back_inserter(out), "{{\"choice\": {}, \"{}\": {}, ", one.choice,
                       one.line == 0 ? "fact" : "clause", json_text(one.text));
        if (one.line != 0) fmt::format_to(std::back_inserter(out), "\"line\": {}, ", one.line);
        out += "\"probability\": ";
        put_number(one.probability, out);
        fmt::format_to(std::back_inserter(out), ", \"holds\": {}}}", one.holds);
    });
    out += "]}";
}

// {"id": "a", "low": {"p": 0.2}, "high": {"p": 0.7}, "problem": "…", "semantics": "exact"}
void ReasonOutput::write_json_bounds(const Session& session, std::string& out) const {
    for (std::size_t e = 0; e < session.examples(); ++e) {
        out += "{\"id\": " + session.example(e).id;
        put_intervals(session, e, out);
        fmt::format_to(std::back_inserter(out), ", \"problem\": {}, \"semantics\": \"{}\"}}\n",
                       json_text(*session.limit_problem()), options_.semantics);
    }
}

void ReasonOutput::put_compilation(const Compilation& how, std::string& out) {
    fmt::format_to(std::back_inserter(out), ", \"compiled\": {{\"method\": \"{}\", \"nodes\": {}", how.method,
                   how.nodes);
    if (how.rows > 0)
        fmt::format_to(std::back_inserter(out), ", \"width\": {:.1f}, \"rows\": {:.0f}", how.width, how.rows);
    out += "}";
}

void ReasonOutput::write_json(Session& session, std::string& out) const {
    if (session.limit_problem()) return write_json_bounds(session, out);
    std::vector<std::string> gradients(options_.gradients() ? session.examples() : 0);
    if (options_.gradients()) put_gradients(session, gradients);
    const std::string grounding =
        options_.grounding ? fmt::format(", \"grounding\": \"{}\"", session.model().sizes().grounding) : "";
    for (std::size_t e = 0; e < session.examples(); ++e) {
        out += "{\"id\": ";
        out += session.example(e).id;
        out += ", \"values\": {";
        put_list(out, listed(session, e), [&](std::size_t i) {
            out += session.answers()[i].json;
            out += ": ";
            put_number(session.value(i, e), out);
        });
        out += "}";
        if (options_.history) {
            const History steps = history(session, e);
            std::vector<std::string> names;
            for (const Answer& answer : shown_atoms(session)) names.push_back(answer.json);
            out += ", \"history\": [";
            put_list(out, steps.steps, [&](const std::vector<double>& values) {
                out += "{";
                std::size_t i = 0;
                put_list(out, values, [&](double one) {
                    out += names[i++];
                    out += ": ";
                    put_number(one, out);
                });
                out += "}";
            });
            out += "]";
        }
        if (options_.gradients()) {
            out += ", \"gradients\": {";
            out += gradients[e];
            out += "}";
        }
        if (options_.intervals) put_intervals(session, e, out);
        if (options_.compare_exact) put_exact(session, e, out);
        if (options_.world) put_world(session, e, out);
        fmt::format_to(std::back_inserter(out), "{}, \"semantics\": \"{}\"", grounding, options_.semantics);
        if (const std::optional<Compilation> how = session.compilation()) put_compilation(*how, out);
        fmt::format_to(std::back_inserter(out), ", \"gamma\": {}, \"{}\": {}}}\n", options_.gamma,
                       options_.step_name + "s", session.steps(e));
    }
}

// By value, the best first; those of equal value in the order of their numbers.
std::vector<ReasonOutput::Best> ReasonOutput::best(const Session& session, std::size_t example) const {
    std::vector<Best> groups;
    std::size_t begin = 0;
    for (const std::size_t end : session.query_ends()) {
        std::vector<std::size_t> order;
        for (; begin < end; ++begin)
            if (is_listed(session, begin, example)) order.push_back(begin);
        if (order.empty()) continue;  // nothing can hold, or all was the answer to another query before
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return session.value(i, example); });
        const std::size_t shown_ones = options_.top > 0 ? std::min(options_.top, order.size()) : order.size();
        Best& group = groups.emplace_back();
        group.others = order.size() - shown_ones;
        order.resize(shown_ones);
        group.answers = std::move(order);
    }
    return groups;
}

std::vector<std::size_t> ReasonOutput::best_of_all(const Session& session, std::size_t example) const {
    std::vector<std::size_t> all;
    for (const Best& group : best(session, example)) all.insert(all.end(), group.answers.begin(), group.answers.end());
    return all;
}

// "p(a) 0.9000, p(b) 0.1000, … 2 more; q(c) 0.5000": in one line, query by query.
void ReasonOutput::put_answers(const Session& session, std::size_t example, std::string& out) const {
    const char* between = "";
    for (const Best& group : best(session, example)) {
        out += std::exchange(between, "; ");
        put_list(out, group.answers, [&](std::size_t i) {
            out += session.answers()[i].text;
            if (!session.limit_problem()) out += " " + shown(session.value(i, example));
            if (shows_bounds(session)) {
                const Interval interval = session.interval(i, example);
                fmt::format_to(std::back_inserter(out), " ({}–{})", shown(interval.low), shown(interval.high));
            }
            if (options_.compare_exact && !session.exact_problem(example))
                fmt::format_to(std::back_inserter(out), " (exact {})", shown(session.exact_value(i, example)));
        });
        if (group.others > 0) fmt::format_to(std::back_inserter(out), ", … {} more", group.others);
    }
    out += "\n";
}

void ReasonOutput::put_value_table(const Session& session, std::size_t example, std::string& out) const {
    const bool compare = options_.compare_exact && !session.exact_problem(example);
    std::vector<Table::Column> columns = {{"atom", Table::Align::Left}};
    if (!session.limit_problem()) columns.push_back({"value"});
    if (shows_bounds(session)) columns.insert(columns.end(), {{"low"}, {"high"}});
    if (compare) columns.insert(columns.end(), {{"exact"}, {"difference"}});
    Table table(columns);
    for (const std::size_t i : best_of_all(session, example)) {
        const double value = session.value(i, example);
        std::vector<std::string> cells = {session.answers()[i].text};
        if (!session.limit_problem()) cells.push_back(shown(value));
        if (shows_bounds(session)) {
            const Interval interval = session.interval(i, example);
            cells.insert(cells.end(), {shown(interval.low), shown(interval.high)});
        }
        if (compare) {
            const double exact = session.exact_value(i, example);
            cells.insert(cells.end(), {shown(exact), fmt::format("{:+.4f}", value - exact)});
        }
        table.add_row(std::move(cells));
    }
    out += table.text();
}

void ReasonOutput::put_history_table(const Session& session, std::size_t example, std::string& out) const {
    const History steps = history(session, example);
    std::vector<Table::Column> columns = {{"atom", Table::Align::Left}};
    for (std::size_t t = 0; t < steps.steps.size(); ++t) columns.push_back({fmt::format("{}", t)});
    Table table(columns);
    const auto put_row = [&](std::size_t i) {
        std::vector<std::string> cells = {steps.atoms[i]};
        for (const std::vector<double>& values : steps.steps) cells.push_back(shown(values[i]));
        table.add_row(std::move(cells));
    };
    if (options_.history_of_all) {
        for (std::size_t i = 0; i < steps.atoms.size(); ++i) put_row(i);
    } else {
        for (const std::size_t i : best_of_all(session, example)) put_row(i);
    }
    out += table.text();
}

void ReasonOutput::put_exact_problem(const Session& session, std::size_t example, std::string& out) const {
    if (!options_.compare_exact) return;
    if (const std::optional<std::string> problem = session.exact_problem(example))
        out += "note: no exact values: " + *problem + "\n";
}

void ReasonOutput::put_gradient_tables(Session& session, std::string& out) const {
    for (const std::size_t i : best_of_all(session, 0)) {
        const Answer& answer = session.answers()[i];
        if (!answer.atom) continue;
        session.differentiate(i);
        const auto put_table = [&](const std::string& what, std::vector<std::pair<std::string, double>> rows) {
            std::erase_if(rows, [](const auto& row) { return row.second == 0; });
            std::ranges::stable_sort(rows, std::greater<>(), [](const auto& row) { return std::abs(row.second); });
            const std::size_t count = rows.size();
            if (options_.top > 0 && rows.size() > options_.top) rows.resize(options_.top);
            Table table({{what, Table::Align::Left}, {"derivative of " + answer.text}});
            for (const auto& [name, gradient] : rows) table.add_row({name, fmt::format("{:+.4f}", gradient)});
            if (count > rows.size()) table.add_row({fmt::format("… {} more", count - rows.size()), ""});
            if (count == 0) table.add_row({"(none)", ""});
            out += "\n" + table.text();
        };
        std::vector<std::pair<std::string, double>> rows;
        if (options_.input_gradients) {
            for (const AtomIndex atom : session.inputs(0))
                rows.emplace_back(session.model().atom_name(atom), session.input_gradient(atom, 0));
            put_table("input", std::move(rows));
        }
        if (options_.weight_gradients) {
            rows.clear();
            const std::vector<ModelSizes::Rule> rules = session.model().sizes().rules;
            for (std::size_t k = 0; k < rules.size(); ++k)
                rows.emplace_back(fmt::format("line {}: {}", rules[k].line, rules[k].clause),
                                  session.weight_gradient(k, 0));
            put_table("clause weight", std::move(rows));
        }
    }
}

void ReasonOutput::put_world_table(const Session& session, std::size_t example, std::string& out) const {
    const World world = session.most_probable_world(example);
    Table table({{"in the most probable world", Table::Align::Left}, {"line"}, {"probability"}, {"holds"}});
    for (const World::Decided& one : world.decided)
        table.add_row({one.text, one.line == 0 ? "" : fmt::format("{}", one.line), shown(one.probability),
                       one.holds ? "yes" : "no"});
    if (!world.decided.empty() && !session.answers().empty()) table.add_line();
    for (const std::size_t i : listed(session, example))
        table.add_row({session.answers()[i].text, "", "", world.answers[i] ? "yes" : "no"});
    fmt::format_to(std::back_inserter(out), "\n{}\nits probability is {:.4g}{}\n", table.text(), world.probability,
                   world.evidence < 1 ? fmt::format(", given the evidence {:.4g}", world.probability / world.evidence)
                                      : "");
}

void ReasonOutput::write_text(Session& session, bool alone, std::string& out) const {
    for (std::size_t e = 0; e < session.examples(); ++e) {
        if (!alone) {
            fmt::format_to(std::back_inserter(out), "{}: ", session.example(e).id);
            put_answers(session, e, out);
            put_exact_problem(session, e, out);
            continue;
        }
        const std::vector<std::size_t> order = best_of_all(session, e);
        if (options_.history) put_history_table(session, e, out);
        if (options_.history && options_.compare_exact) out += "\n";
        if (!options_.history || options_.compare_exact) put_value_table(session, e, out);
        const std::size_t all = listed(session, e).size();
        if (order.size() < all)
            fmt::format_to(std::back_inserter(out), "… and {}; --top 0 shows all\n",
                           counted(all - order.size(), "more atom"));
        if (all == 0 && !session.answers().empty())
            fmt::format_to(std::back_inserter(out), "no atom that is asked for can hold; --all-answers shows {}\n",
                           session.answers().size() == 1 ? "it" : "them");
        put_exact_problem(session, e, out);
        if (session.limit_problem()) {
            out += "\nbounds of exact values\n";
            continue;
        }
        if (options_.gradients()) put_gradient_tables(session, out);
        if (options_.world) put_world_table(session, e, out);
        fmt::format_to(std::back_inserter(out), "\n{} semantics{}, {}\n", options_.semantics,
                       options_.uses_gamma ? fmt::format(", gamma {}", options_.gamma) : "",
                       counted(session.steps(e), options_.step_name));
    }
}

}  // namespace neumann
