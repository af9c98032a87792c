#include "worlds/model_search.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "worlds/circuit_builder.h"
#include "worlds/decision_diagrams.h"

namespace neumann {
namespace {

using Literal = ConditionedProgram::Literal;
using Clause = std::vector<Literal>;
using Numbers = std::vector<std::uint32_t>;

Literal opposite(Literal literal) { return Literal(literal.atom(), !literal.negated()); }

// Clauses that hold if and only if the conditions do, by the definitions of all atoms.
class ClauseWriter {
public:
    explicit ClauseWriter(const ConditionedProgram& program) : program_(program) {
        to_.propositions = program.propositions();
    }

    ClauseProblem run() {
        for (const std::uint32_t atom : program_.order) {
            if (program_.truth[atom] == ConditionedProgram::Truth::False) {
                for (const auto& rule : program_.rules_of(atom)) forbid(rule);
                continue;
            }
            Clause any;
            for (const auto& rule : program_.rules_of(atom)) any.push_back(of_rule(rule));
            if (program_.truth[atom] == ConditionedProgram::Truth::Unknown) {
                for (const Literal way : any) to_.clauses.push_back({Literal(atom), opposite(way)});
                any.emplace_back(atom, true);
            }
            to_.clauses.push_back(std::move(any));
        }
        for (Clause& clause : to_.clauses) {
            std::ranges::sort(clause);
            clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        }
        std::erase_if(to_.clauses, [](const Clause& clause) {  // always true
            return std::ranges::adjacent_find(clause, {}, &Literal::atom) != clause.end();
        });
        return std::move(to_);
    }

private:
    void forbid(const Clause& rule) {
        Clause clause;
        for (const Literal literal : rule) clause.push_back(opposite(literal));
        to_.clauses.push_back(std::move(clause));
    }
    Literal of_rule(const Clause& rule) {
        if (rule.size() == 1) return rule[0];
        const Literal all(to_.propositions++);
        Clause back{all};
        for (const Literal literal : rule) {
            to_.clauses.push_back({opposite(all), literal});
            back.push_back(opposite(literal));
        }
        to_.clauses.push_back(std::move(back));
        return all;
    }

    const ConditionedProgram& program_;
    ClauseProblem to_;
};

}  // namespace

ClauseProblem clauses_of(const ConditionedProgram& program, std::span<const std::uint32_t> first_way) {
    ClauseProblem problem = ClauseWriter(program).run();
    for (std::uint32_t choice = 0; choice < program.choices->count(); ++choice) {
        ClauseProblem::Thing thing{
            ClauseProblem::Role::Choice, {}, first_way[choice], program.choices->complete(choice)};
        for (std::uint32_t p = program.first_outcome[choice]; p < program.first_outcome[choice + 1]; ++p)
            thing.propositions.push_back(p);
        problem.things.push_back(std::move(thing));
    }
    for (std::uint32_t p = program.outcomes(); p < problem.propositions; ++p)
        problem.things.push_back({ClauseProblem::Role::Defined, {p}});
    for (std::uint32_t p = 0; p < program.outcomes(); ++p)
        if (program.truth[p] != ConditionedProgram::Truth::Unknown)
            problem.given.emplace_back(p, program.truth[p] == ConditionedProgram::Truth::False);
    return problem;
}

Circuit search_circuit(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices,
                       const CompileLimits& limits) {
    Circuit circuit;
    Numbers used(choices.count());
    std::iota(used.begin(), used.end(), 0U);
    const Numbers first_way = add_distributions(choices, used, circuit);
    CircuitBuilder builder(circuit);
    const auto probability = [&](std::span<const GraphLiteral> conditions) {
        const ConditionedProgram program = condition_program(graph, choices, {}, conditions);
        if (program.has_cycles) throw DiagramLimit("uncertain atoms depend on themselves");
        return program.possible ? search_models(clauses_of(program, first_way), builder, limits) : Circuit::never;
    };
    std::vector<GraphLiteral> conditions = task.observed;
    circuit.observed = probability(conditions);
    for (const std::uint32_t atom : task.asked) {
        conditions.emplace_back(atom);
        circuit.asked.push_back(probability(conditions));
        conditions.pop_back();
    }
    builder.finish(circuit);
    return circuit;
}

}  // namespace neumann
