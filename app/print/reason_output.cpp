#include "print/reason_output.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "draw/table.h"
#include "logic/print.h"

namespace neumann::app {
namespace {

std::string as_json(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void put(fmt::memory_buffer& out, std::string_view text) { out.append(text.data(), text.data() + text.size()); }

// Calls `each` for every item, with a comma between any two.
void put_list(fmt::memory_buffer& out, const auto& items, const auto& each) {
    bool first = true;
    for (const auto& item : items) {
        if (!first) put(out, ", ");
        first = false;
        each(item);
    }
}

std::string shown(double value) { return fmt::format("{:.4f}", value); }

}  // namespace

ReasonOutput::ReasonOutput(const CompiledProgram& compiled, AtomNames& names,
                           std::vector<AtomNames::QueryAtoms> queries, OutputOptions options)
    : compiled_(compiled), options_(std::move(options)) {
    const ReasoningGraph& graph = compiled.ground.graph;
    const auto answer_for = [&](std::uint32_t atom) {
        Answer answer{compiled.atom_text(atom), {}, atom};
        answer.json = as_json(answer.text);
        return answer;
    };
    std::set<std::uint32_t> asked;
    std::set<std::string> underivable;
    for (const AtomNames::QueryAtoms& query : queries) {
        for (const std::uint32_t atom : query.atoms) {
            if (asked.insert(atom).second) answers_.push_back(answer_for(atom));
        }
        if (query.ground && query.atoms.empty() && underivable.insert(query.text).second)
            answers_.push_back({query.text, as_json(query.text), std::nullopt});
        query_ends_.push_back(answers_.size());
    }
    if (queries.empty()) {  // what rules derive
        for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
            if (graph.in_begin[a] != graph.in_begin[a + 1]) answers_.push_back(answer_for(a));
        }
        query_ends_.push_back(answers_.size());
    }
    if (options_.history_of_all) {
        for (std::uint32_t a = 0; a < graph.atom_count(); ++a) all_.push_back(answer_for(a));
    }
    if (options_.input_gradients) {
        const AtomTable& atoms = compiled.ground.atoms;
        for (std::uint32_t p = 0; p < atoms.predicate_count(); ++p) {
            const AtomTable::Range& range = atoms.range(PredicateId(p));
            for (std::uint32_t a = range.first; a < range.first + range.count; ++a) {
                if (compiled.program.signature.predicates()[p].neural || graph.initial[a] > 0) inputs_.push_back(a);
            }
        }
        // Facts of probability 0 are inputs too; a saved graph has forgotten them.
        const FactList& facts = compiled.program.facts;
        for (std::size_t i = 0; i < facts.size(); ++i) {
            if (const auto atom = names.find(facts[i].predicate, facts[i].args)) inputs_.push_back(*atom);
        }
        std::ranges::sort(inputs_);
        inputs_.erase(std::unique(inputs_.begin(), inputs_.end()), inputs_.end());
    }
}

// The shortest text that reads back as the same number.
void ReasonOutput::put_number(double value, fmt::memory_buffer& out) const {
    if (options_.double_precision) {
        fmt::format_to(std::back_inserter(out), "{}", value);
    } else {
        fmt::format_to(std::back_inserter(out), "{}", static_cast<float>(value));
    }
}

double ReasonOutput::value(ReasonEngine& engine, const Answer& answer, std::size_t example) const {
    return answer.atom ? engine.value(*answer.atom, example) : 0.0;
}

std::vector<std::uint32_t> ReasonOutput::inputs_of(const BoundExample& example) const {
    std::vector<std::uint32_t> named;
    for (const AtomValue& value : example.values) named.push_back(value.atom);
    std::ranges::sort(named);
    std::vector<std::uint32_t> result;
    std::ranges::set_union(inputs_, named, std::back_inserter(result));
    return result;
}

ReasonOutput::History ReasonOutput::history(ReasonEngine& engine, std::size_t example) const {
    const std::vector<Answer>& shown_atoms = options_.history_of_all ? all_ : answers_;
    std::vector<std::uint32_t> atoms;
    for (const Answer& answer : shown_atoms) {
        if (answer.atom) atoms.push_back(*answer.atom);
    }
    History result;
    for (const Answer& answer : shown_atoms) result.atoms.push_back(answer.text);
    for (const std::vector<double>& known : engine.history(example, atoms)) {
        std::vector<double> values;
        auto next = known.begin();
        for (const Answer& answer : shown_atoms) values.push_back(answer.atom ? *next++ : 0.0);
        result.steps.push_back(std::move(values));
    }
    return result;
}

void ReasonOutput::put_gradients(ReasonEngine& engine, std::span<const BoundExample> examples,
                                 std::vector<fmt::memory_buffer>& lines) const {
    std::vector<std::vector<std::uint32_t>> inputs;
    std::vector<std::string> names(compiled_.ground.graph.atom_count());
    for (const BoundExample& example : examples) {
        inputs.push_back(options_.input_gradients ? inputs_of(example) : std::vector<std::uint32_t>());
        for (const std::uint32_t atom : inputs.back()) {
            if (names[atom].empty()) names[atom] = as_json(compiled_.atom_text(atom));
        }
    }
    std::vector<std::uint32_t> clauses(compiled_.ground.graph.clause_count());
    std::iota(clauses.begin(), clauses.end(), 0U);
    for (const Answer& answer : answers_) {
        if (answer.atom) engine.backward(*answer.atom);
        for (std::size_t e = 0; e < examples.size(); ++e) {
            fmt::memory_buffer& out = lines[e];
            put(out, &answer == &answers_.front() ? "" : ", ");
            put(out, answer.json);
            put(out, ": {");
            if (options_.input_gradients) {
                put(out, "\"inputs\": {");
                put_list(out, inputs[e], [&](std::uint32_t atom) {
                    put(out, names[atom]);
                    put(out, ": ");
                    put_number(answer.atom ? engine.input_gradient(atom, e) : 0.0, out);
                });
                for (const auto& [atom, value] : examples[e].unneeded)
                    fmt::format_to(std::back_inserter(out), "{}{}: 0", out.data()[out.size() - 1] == '{' ? "" : ", ",
                                   as_json(atom));
                put(out, "}");
            }
            if (options_.weight_gradients) {
                put(out, options_.input_gradients ? ", \"weights\": [" : "\"weights\": [");
                put_list(out, clauses, [&](std::uint32_t clause) {
                    put_number(answer.atom ? engine.weight_gradient(clause, e) : 0.0, out);
                });
                put(out, "]");
            }
            put(out, "}");
        }
    }
}

void ReasonOutput::write_json(ReasonEngine& engine, std::span<const BoundExample> examples,
                              fmt::memory_buffer& out) const {
    std::vector<fmt::memory_buffer> gradients(options_.gradients() ? examples.size() : 0);
    if (options_.gradients()) put_gradients(engine, examples, gradients);
    for (std::size_t e = 0; e < examples.size(); ++e) {
        put(out, "{\"id\": ");
        put(out, examples[e].id);
        put(out, ", \"values\": {");
        put_list(out, answers_, [&](const Answer& answer) {
            put(out, answer.json);
            put(out, ": ");
            put_number(value(engine, answer, e), out);
        });
        put(out, "}");
        if (options_.history) {
            const History steps = history(engine, e);
            std::vector<std::string> names;
            for (const Answer& answer : options_.history_of_all ? all_ : answers_) names.push_back(answer.json);
            put(out, ", \"history\": [");
            put_list(out, steps.steps, [&](const std::vector<double>& values) {
                put(out, "{");
                std::size_t i = 0;
                put_list(out, values, [&](double one) {
                    put(out, names[i++]);
                    put(out, ": ");
                    put_number(one, out);
                });
                put(out, "}");
            });
            put(out, "]");
        }
        if (options_.gradients()) {
            put(out, ", \"gradients\": {");
            put(out, std::string_view(gradients[e].data(), gradients[e].size()));
            put(out, "}");
        }
        fmt::format_to(std::back_inserter(out), ", \"semantics\": \"{}\"", options_.semantics);
        fmt::format_to(std::back_inserter(out), ", \"gamma\": {}, \"steps\": {}}}\n", options_.gamma, engine.steps(e));
    }
}

// By value, the best first; those of equal value in the order of their numbers.
std::vector<ReasonOutput::Best> ReasonOutput::best(ReasonEngine& engine, std::size_t example) const {
    std::vector<Best> groups;
    std::size_t begin = 0;
    for (const std::size_t end : query_ends_) {
        std::vector<std::size_t> order(end - begin);
        std::iota(order.begin(), order.end(), begin);
        begin = end;
        if (order.empty()) continue;  // all of it was the answer to another query before
        std::ranges::stable_sort(order, std::greater<>(),
                                 [&](std::size_t i) { return value(engine, answers_[i], example); });
        const std::size_t shown_ones = options_.top > 0 ? std::min(options_.top, order.size()) : order.size();
        Best& group = groups.emplace_back();
        group.others = order.size() - shown_ones;
        order.resize(shown_ones);
        group.answers = std::move(order);
    }
    return groups;
}

std::vector<std::size_t> ReasonOutput::best_of_all(ReasonEngine& engine, std::size_t example) const {
    std::vector<std::size_t> all;
    for (const Best& group : best(engine, example)) all.insert(all.end(), group.answers.begin(), group.answers.end());
    return all;
}

// "p(a) 0.9000, p(b) 0.1000, … 2 more; q(c) 0.5000": in one line, query by query.
void ReasonOutput::put_answers(ReasonEngine& engine, std::size_t example, fmt::memory_buffer& out) const {
    const char* between = "";
    for (const Best& group : best(engine, example)) {
        put(out, std::exchange(between, "; "));
        put_list(out, group.answers, [&](std::size_t i) {
            fmt::format_to(std::back_inserter(out), "{} {}", answers_[i].text,
                           shown(value(engine, answers_[i], example)));
        });
        if (group.others > 0) fmt::format_to(std::back_inserter(out), ", … {} more", group.others);
    }
    put(out, "\n");
}

void ReasonOutput::put_history_table(ReasonEngine& engine, std::size_t example, fmt::memory_buffer& out) const {
    const History steps = history(engine, example);
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
        for (const std::size_t i : best_of_all(engine, example)) put_row(i);
    }
    put(out, table.text());
}

void ReasonOutput::put_gradient_tables(ReasonEngine& engine, const BoundExample& example,
                                       fmt::memory_buffer& out) const {
    for (const std::size_t i : best_of_all(engine, 0)) {
        const Answer& answer = answers_[i];
        if (!answer.atom) continue;
        engine.backward(*answer.atom);
        const auto put_table = [&](const std::string& what, std::vector<std::pair<std::string, double>> rows) {
            std::erase_if(rows, [](const auto& row) { return row.second == 0; });
            std::ranges::stable_sort(rows, std::greater<>(), [](const auto& row) { return std::abs(row.second); });
            const std::size_t count = rows.size();
            if (options_.top > 0 && rows.size() > options_.top) rows.resize(options_.top);
            Table table({{what, Table::Align::Left}, {"derivative of " + answer.text}});
            for (const auto& [name, gradient] : rows) table.add_row({name, fmt::format("{:+.4f}", gradient)});
            if (count > rows.size()) table.add_row({fmt::format("… {} more", count - rows.size()), ""});
            if (count == 0) table.add_row({"(none)", ""});
            put(out, "\n" + table.text());
        };
        std::vector<std::pair<std::string, double>> rows;
        if (options_.input_gradients) {
            for (const std::uint32_t atom : inputs_of(example))
                rows.emplace_back(compiled_.atom_text(atom), engine.input_gradient(atom, 0));
            put_table("input", std::move(rows));
        }
        if (options_.weight_gradients) {
            rows.clear();
            for (std::uint32_t k = 0; k < compiled_.clauses.size(); ++k) {
                rows.emplace_back(fmt::format("line {}: {}", compiled_.clauses[k].line, compiled_.clauses[k].text),
                                  engine.weight_gradient(k, 0));
            }
            put_table("clause weight", std::move(rows));
        }
    }
}

void ReasonOutput::write_text(ReasonEngine& engine, std::span<const BoundExample> examples, bool alone,
                              fmt::memory_buffer& out) const {
    for (std::size_t e = 0; e < examples.size(); ++e) {
        if (!alone) {
            fmt::format_to(std::back_inserter(out), "{}: ", examples[e].id);
            put_answers(engine, e, out);
            continue;
        }
        const std::vector<std::size_t> order = best_of_all(engine, e);
        if (options_.history) {
            put_history_table(engine, e, out);
        } else {
            Table table({{"atom", Table::Align::Left}, {"value"}});
            for (const std::size_t i : order) table.add_row({answers_[i].text, shown(value(engine, answers_[i], e))});
            put(out, table.text());
        }
        if (order.size() < answers_.size())
            fmt::format_to(std::back_inserter(out), "… and {}; --top 0 shows all\n",
                           counted(answers_.size() - order.size(), "more atom"));
        if (options_.gradients()) put_gradient_tables(engine, examples[e], out);
        fmt::format_to(std::back_inserter(out), "\n{} semantics{}, {}\n", options_.semantics,
                       options_.uses_gamma ? fmt::format(", gamma {}", options_.gamma) : "",
                       counted(engine.steps(e), "step"));
    }
}

}  // namespace neumann::app
