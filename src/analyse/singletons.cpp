#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

// How often each variable occurs in a clause; in its head alone, or in all of it.
std::vector<unsigned> count_uses(const Program& program, const Clause& clause, bool whole) {
    std::vector<unsigned> uses(clause.variables.size(), 0);
    const auto count_in = [&](TermId term) {
        for_each_variable(program.terms, term, [&](std::uint32_t v) { ++uses[v]; });
    };
    std::ranges::for_each(clause.head.args, count_in);
    if (!whole) return uses;
    for (const Literal& goal : clause.body) std::ranges::for_each(goal.atom.args, count_in);
    for (const Constraint& c : clause.constraints) {
        count_in(c.left);
        count_in(c.right);
    }
    // A variable of an aggregate's goal stands for all of its values.
    for (const Aggregate& aggregate : clause.aggregates) {
        for (int twice = 0; twice < 2; ++twice) std::ranges::for_each(aggregate.goal.args, count_in);
        if (!aggregate.weight.is_none()) count_in(aggregate.weight);
        count_in(aggregate.result);
    }
    return uses;
}

// Whether another head of the same annotated disjunction has a variable of this name: the clause as written has both.
bool in_another_head(const Program& program, const Clause& clause, const std::string& name) {
    return std::ranges::any_of(program.clauses, [&](const Clause& other) {
        if (other.choice != clause.choice || &other == &clause) return false;
        const auto same = std::ranges::find(other.variables, name, &ClauseVariable::name);
        if (same == other.variables.end()) return false;
        return count_uses(program, other, false)[static_cast<std::size_t>(same - other.variables.begin())] > 0;
    });
}

// The body of an annotated disjunction is a clause of its own, whose head has all variables of the body: a variable
// with one occurrence in the clauses of the heads may have more there.
bool twice_in_its_body(const Program& program, const Clause& clause, const std::string& name) {
    if (clause.body.size() != 1) return false;
    const PredicateId body = clause.body.front().atom.predicate;
    if (!program.signature.predicates()[body.index()].auxiliary) return false;
    return std::ranges::any_of(program.clauses, [&](const Clause& other) {
        if (other.head.predicate != body) return false;
        const auto same = std::ranges::find(other.variables, name, &ClauseVariable::name);
        if (same == other.variables.end()) return false;
        const auto v = static_cast<std::size_t>(same - other.variables.begin());
        return count_uses(program, other, true)[v] - count_uses(program, other, false)[v] > 1;
    });
}

}  // namespace

// Folders are the original's, where a variable that occurs once is the custom; directives declare rather than assert.
void check_singletons(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    if (program.from_folder) return;
    for (const Clause& clause : program.clauses) {
        const std::vector<unsigned> uses = count_uses(program, clause, true);
        for (std::size_t v = 0; v < uses.size(); ++v) {
            const ClauseVariable& variable = clause.variables[v];
            if (uses[v] != 1 || variable.name.starts_with('_')) continue;
            if (clause.choice &&
                (in_another_head(program, clause, variable.name) || twice_in_its_body(program, clause, variable.name)))
                continue;
            diagnostics.report(codes::singleton_variable, variable.span,
                               fmt::format("variable '{}' occurs only once in this clause", variable.name),
                               fmt::format("a typing mistake? If not, write _ or _{}", variable.name));
        }
    }
}

}  // namespace neumann
