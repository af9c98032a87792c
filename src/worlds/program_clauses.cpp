#include "worlds/program_clauses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "worlds/clause_search.h"
#include "worlds/conditioned_program.h"
#include "worlds/decision_diagrams.h"
#include "worlds/model_search.h"

namespace neumann {
namespace {

using Truth = ConditionedProgram::Truth;

// Variables of choices: one that holds or does not, or one for each way.
class ChoiceVariables {
public:
    explicit ChoiceVariables(const RandomChoices& choices) : choices_(choices) {
        for (std::uint32_t choice = 0; choice < choices.count(); ++choice) {
            first_.push_back(count_ + 1);
            count_ += ways(choice);
        }
    }

    std::uint32_t count() const { return count_; }
    bool is_binary(std::uint32_t choice) const { return choices_.members(choice).size() == 1; }
    // Of a way that is possible; way 0 of a binary choice is the negation of way 1.
    std::int32_t literal(std::uint32_t choice, std::uint32_t way) const {
        const auto first = static_cast<std::int32_t>(first_[choice]);
        if (is_binary(choice)) return way == 0 ? -first : first;
        return first + static_cast<std::int32_t>(way) - (choices_.complete(choice) ? 1 : 0);
    }
    // The variables of a choice are numbered through.
    std::uint32_t ways(std::uint32_t choice) const {
        const auto members = static_cast<std::uint32_t>(choices_.members(choice).size());
        return is_binary(choice) ? 1 : members + (choices_.complete(choice) ? 0 : 1);
    }
    std::uint32_t first(std::uint32_t choice) const { return first_[choice]; }

private:
    const RandomChoices& choices_;
    std::vector<std::uint32_t> first_;
    std::uint32_t count_ = 0;
};

class CnfOfProgram {
public:
    CnfOfProgram(const ReasoningGraph& graph, const WorldsTask& task, const Chances& chances,
                 const std::function<std::string(std::uint32_t)>& name)
        : graph_(graph), task_(task), chances_(chances), name_(name), choices_(graph, task), variables_(choices_) {}

    std::string run() {
        std::vector<GraphLiteral> observed = task_.observed;
        std::vector<std::uint32_t> asked = task_.asked;
        if (asked.size() == 1) {
            observed.emplace_back(asked[0]);
            asked.clear();
        }
        const ConditionedProgram program = condition_program(graph_, choices_, asked, observed);
        if (program.has_cycles) throw DiagramLimit("uncertain atoms depend on themselves");
        comments_.push_back(task_.asked.size() == 1
                                ? "the weighted count is the probability of " + name_(task_.asked[0]) +
                                      (task_.observed.empty() ? "" : " and the evidence")
                                : "the weighted count is the probability of the evidence");
        add_choices();
        if (program.possible) {
            add_clauses(clauses_of(program, std::vector<std::uint32_t>(choices_.count(), 0)), program);
            for (const std::uint32_t atom : asked) describe_query(atom, program.value_of(atom), program);
        } else {
            cnf_.clauses.emplace_back();
        }
        return write_cnf(cnf_, comments_);
    }

private:
    void add_choices() {
        cnf_.variables = variables_.count();
        cnf_.weights.assign(cnf_.variables, {1, 1});
        std::vector<double> probabilities;
        for (std::uint32_t choice = 0; choice < choices_.count(); ++choice) {
            choices_.probabilities(choice, chances_, probabilities);
            const std::uint32_t first = variables_.first(choice);
            if (variables_.is_binary(choice)) {
                cnf_.weights[first - 1] = {probabilities[0], probabilities[1]};
            } else {
                WeightedCnf::Clause any;
                for (std::uint32_t i = 0; i < variables_.ways(choice); ++i) {
                    const std::uint32_t way = i + (choices_.complete(choice) ? 1 : 0);
                    cnf_.weights[first - 1 + i][1] = probabilities[way];
                    any.push_back(variables_.literal(choice, way));
                    for (std::uint32_t j = 0; j < i; ++j)
                        cnf_.clauses.push_back(
                            {-static_cast<std::int32_t>(first + j), -static_cast<std::int32_t>(first + i)});
                }
                cnf_.clauses.push_back(std::move(any));
            }
            for (std::uint32_t m = 0; m < choices_.members(choice).size(); ++m) {
                const RandomChoices::Member member = choices_.members(choice)[m];
                comments_.push_back(fmt::format("variable {} is {}", variables_.literal(choice, m + 1),
                                                member.is_clause
                                                    ? fmt::format("an instance of clause {}", member.number + 1)
                                                    : name_(member.number)));
            }
        }
    }

    void add_clauses(const ClauseProblem& problem, const ConditionedProgram& program) {
        number_.assign(problem.propositions, 0);
        for (const ClauseProblem::Clause& clause : problem.clauses)
            for (const GraphLiteral literal : clause) number_atom(literal.atom(), program);
        cnf_.weights.resize(cnf_.variables, {1, 1});
        for (const GraphLiteral literal : problem.given) cnf_.clauses.push_back({literal_of(literal, program)});
        for (const ClauseProblem::Clause& clause : problem.clauses) {
            WeightedCnf::Clause& to = cnf_.clauses.emplace_back();
            for (const GraphLiteral literal : clause) to.push_back(literal_of(literal, program));
        }
    }
    // Others are free, and would be counted twice.
    void number_atom(std::uint32_t p, const ConditionedProgram& program) {
        if (p >= program.outcomes() && number_[p] == 0) number_[p] = static_cast<std::int32_t>(++cnf_.variables);
    }
    std::int32_t literal_of(GraphLiteral literal, const ConditionedProgram& program) const {
        const std::uint32_t p = literal.atom();
        std::int32_t variable = 0;
        if (p < program.outcomes()) {
            const std::uint32_t choice = program.choice_of[p];
            variable = variables_.literal(choice, p - program.first_outcome[choice] + 1);
        } else {
            variable = number_[p];
        }
        return literal.negated() ? -variable : variable;
    }
    void describe_query(std::uint32_t atom, ConditionedProgram::Value value, const ConditionedProgram& program) {
        comments_.push_back(
            value.truth == Truth::Unknown
                ? fmt::format("literal {} is the query {}", literal_of(value.literal, program), name_(atom))
                : fmt::format("the query {} is {}", name_(atom), value.truth == Truth::True ? "true" : "false"));
    }

    const ReasoningGraph& graph_;
    const WorldsTask& task_;
    const Chances& chances_;
    const std::function<std::string(std::uint32_t)>& name_;
    RandomChoices choices_;
    ChoiceVariables variables_;
    std::vector<std::int32_t> number_;  // per proposition: the variable of an atom
    WeightedCnf cnf_;
    std::vector<std::string> comments_;
};

// Lines of nodes, numbered from 0.
class NnfWriter {
public:
    NnfWriter(const RandomChoices& choices, const Circuit& circuit)
        : variables_(choices), circuit_(circuit), line_(circuit.nodes(), no_line) {}

    std::string run(Circuit::Node root) {
        mark(root);
        for (const Circuit::Distribution& one : circuit_.distributions)
            for (std::uint32_t way = 0; way <= one.parameters.size(); ++way)
                if (const Circuit::Node node = Circuit::node_of_way(one.first_way + way); used_[node])
                    line_[node] = way_line(one.choice, way);
        if (used_[Circuit::always]) line_[Circuit::always] = add("A 0", 0);
        if (used_[Circuit::never]) line_[Circuit::never] = add("O 0 0", 0);
        for (std::size_t node = circuit_.first_sum(); node < circuit_.nodes(); ++node)
            if (used_[node]) line_[node] = sum_line(node);
        // The last line is the root.
        if (line_[root] + 1 != lines_) add(fmt::format("A 1 {}", line_[root]), 1);
        return fmt::format("nnf {} {} {}\n{}", lines_, edges_, variables_.count(), text_);
    }

private:
    static constexpr std::uint32_t no_line = UINT32_MAX;

    void mark(Circuit::Node root) {
        used_.assign(circuit_.nodes(), false);
        used_[root] = true;
        for (std::size_t node = circuit_.nodes(); node-- > circuit_.first_sum();)
            for (std::uint32_t t = circuit_.term_begin[node]; used_[node] && t < circuit_.term_begin[node + 1]; ++t)
                used_[circuit_.left[t]] = used_[circuit_.right[t]] = true;
    }
    std::uint32_t add(const std::string& line, std::size_t edges) {
        text_ += line;
        text_ += '\n';
        edges_ += edges;
        return lines_++;
    }
    std::uint32_t combination(const char* kind, const std::vector<std::uint32_t>& lines) {
        if (lines.size() == 1) return lines[0];
        return add(fmt::format("{} {}{}{}", kind, lines.size(), lines.empty() ? "" : " ", fmt::join(lines, " ")),
                   lines.size());
    }
    std::uint32_t literal_line(std::int32_t literal) { return add(fmt::format("L {}", literal), 0); }
    // One way of several: the others are not.
    std::uint32_t way_line(std::uint32_t choice, std::uint32_t way) {
        const std::int32_t holds = variables_.literal(choice, way);
        if (variables_.is_binary(choice)) return literal_line(holds);
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 0; i < variables_.ways(choice); ++i) {
            const auto variable = static_cast<std::int32_t>(variables_.first(choice) + i);
            all.push_back(literal_line(variable == holds ? variable : -variable));
        }
        return combination("A", all);
    }
    std::uint32_t sum_line(std::size_t node) {
        std::vector<std::uint32_t> terms;
        for (std::uint32_t t = circuit_.term_begin[node]; t < circuit_.term_begin[node + 1]; ++t) {
            if (circuit_.left[t] == Circuit::never || circuit_.right[t] == Circuit::never) continue;
            std::vector<std::uint32_t> factors;
            for (const Circuit::Node factor : {circuit_.left[t], circuit_.right[t]})
                if (factor != Circuit::always) factors.push_back(line_[factor]);
            terms.push_back(combination("A", factors));
        }
        return combination("O 0", terms);
    }

    ChoiceVariables variables_;
    const Circuit& circuit_;
    std::vector<std::uint32_t> line_;  // per node
    std::vector<bool> used_;
    std::uint32_t lines_ = 0;
    std::size_t edges_ = 0;
    std::string text_;
};

}  // namespace

std::string program_as_cnf(const ReasoningGraph& graph, const WorldsTask& task, const Chances& chances,
                           const std::function<std::string(std::uint32_t)>& name) {
    return CnfOfProgram(graph, task, chances, name).run();
}

std::string circuit_as_nnf(const ReasoningGraph& graph, const WorldsTask& task, const Circuit& circuit) {
    return NnfWriter(RandomChoices(graph, task), circuit)
        .run(task.asked.size() == 1 ? circuit.asked[0] : circuit.observed);
}

}  // namespace neumann
