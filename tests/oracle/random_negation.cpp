// Signs for random programs: where they may stand is decided by definition, not by what is tested.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "oracle/random_program.h"

namespace neumann::oracle {
namespace {

using Uses = std::map<std::string, std::set<std::string>>;  // which predicates one leads to

void add_variables(const std::vector<TermText>& terms, std::set<int>& variables) {
    for (const TermText& term : terms) {
        if (term.variable != TermText::no_variable) variables.insert(term.variable);
        add_variables(term.args, variables);
    }
}

// What occurs twice needs a name.
void name_variables(const GoalText& goal, ClauseText& clause) {
    std::set<int> variables;
    add_variables(goal.args, variables);
    for (const int v : variables) {
        std::string& name = clause.variables[static_cast<std::size_t>(v)];
        if (name == "_") name = fmt::format("X{}", v);
    }
}

// Whether the variables of every negated goal occur in the head or in a goal that is not negated.
bool is_safe(const ClauseText& clause) {
    std::set<int> bound;
    add_variables(clause.head.args, bound);
    for (const GoalText& goal : clause.body) {
        if (goal.kind == GoalText::Kind::Atom && !goal.negated) add_variables(goal.args, bound);
    }
    return std::ranges::all_of(clause.body, [&](const GoalText& goal) {
        std::set<int> own;
        if (goal.negated) add_variables(goal.args, own);
        return std::ranges::includes(bound, own);
    });
}

// Whether a predicate leads back to one that uses its negation. By name: one name has one number of arguments here.
bool is_stratified(const ProgramText& program) {
    Uses reached;
    for (const ClauseText& clause : program.clauses) {
        for (const GoalText& goal : clause.body) {
            if (goal.kind == GoalText::Kind::Atom) reached[clause.head.predicate].insert(goal.predicate);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [from, to] : reached) {
            for (const std::string& middle : std::set<std::string>(to)) {
                for (const std::string& further : reached.contains(middle) ? reached.at(middle) : Uses::mapped_type())
                    changed = to.insert(further).second || changed;
            }
        }
    }
    return std::ranges::all_of(program.clauses, [&](const ClauseText& clause) {
        return std::ranges::none_of(clause.body, [&](const GoalText& goal) {
            if (!goal.negated) return false;
            const auto below = reached.find(goal.predicate);
            return goal.predicate == clause.head.predicate ||
                   (below != reached.end() && below->second.contains(clause.head.predicate));
        });
    });
}

}  // namespace

ProgramText random_stratified_program(Rng& rng) {
    ProgramText program = random_program(rng);
    const auto keep_if_legal = [&](ClauseText& clause, ClauseText before) {
        if (!is_safe(clause) || !is_stratified(program)) clause = std::move(before);
    };
    for (ClauseText& clause : program.clauses) {
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            if (clause.body[i].kind != GoalText::Kind::Atom || !rng.chance(0.7)) continue;
            ClauseText before = clause;
            GoalText negated = clause.body[i];
            negated.negated = true;
            if (rng.chance(0.2)) {  // both the atom and its negation
                name_variables(negated, clause);
                clause.body.push_back(std::move(negated));
            } else {
                clause.body[i] = std::move(negated);
            }
            keep_if_legal(clause, std::move(before));
        }
        if (program.facts.empty() || !rng.chance(0.6)) continue;
        ClauseText before = clause;
        clause.body.push_back(program.facts[rng.below(static_cast<std::uint32_t>(program.facts.size()))].head);
        clause.body.back().negated = true;
        clause.says_true = false;
        keep_if_legal(clause, std::move(before));
    }
    return program;
}

}  // namespace neumann::oracle
