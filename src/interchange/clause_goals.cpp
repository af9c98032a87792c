#include "interchange/clause_goals.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "interchange/writers.h"
#include "logic/bounds.h"
#include "logic/substitution.h"

namespace neumann::interchange {
namespace {

using Variables = std::set<std::uint32_t>;

void add_of(const Program& program, TermId term, Variables& variables) {
    if (!term.is_none()) for_each_variable(program.terms, term, [&](std::uint32_t v) { variables.insert(v); });
}

void add_of(const Program& program, const Atom& atom, Variables& variables) {
    for (const TermId arg : atom.args) add_of(program, arg, variables);
}

void add_parts(const TermTable& terms, TermId term, std::set<TermId>& parts) {
    if (!parts.insert(term).second) return;
    for (const TermId arg : terms.args(term)) add_parts(terms, arg, parts);
}

bool has_bounds(const TypeDecl& type) { return type.max_depth || type.max_length || type.no_repeats; }

}  // namespace

BoundVariables::BoundVariables(const Program& program, const Clause& clause)
    : program_(program), clause_(clause), bound_(clause.variables.size(), false) {
    for (const Literal& goal : clause.body) {
        if (!goal.negated) bind(goal.atom);
    }
    follow();
}

void BoundVariables::bind(TermId term) {
    for_each_variable(program_.terms, term, [&](std::uint32_t v) { bound_[v] = true; });
}

bool BoundVariables::is_bound(TermId term) const {
    bool all = true;
    for_each_variable(program_.terms, term, [&](std::uint32_t v) { all = all && bound_[v]; });
    return all;
}

bool BoundVariables::is_bound(const Atom& atom) const {
    return std::ranges::all_of(atom.args, [&](TermId arg) { return is_bound(arg); });
}

bool BoundVariables::is_ready(const Constraint& c) const {
    if (c.comparison == Comparison::Equal) return is_bound(c.left) || is_bound(c.right);
    const bool computes = c.comparison == Comparison::Is || c.comparison == Comparison::Between;
    return is_bound(c.right) && (computes || is_bound(c.left));
}

void BoundVariables::follow() {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Constraint& c : clause_.constraints) {
            if (!is_ready(c) || (is_bound(c.left) && is_bound(c.right))) continue;
            bind(c.left);
            bind(c.right);
            changed = true;
        }
    }
}

bool BoundVariables::is_computed(std::uint32_t variable) const {
    return std::ranges::any_of(clause_.constraints, [&](const Constraint& c) {
        const bool computes = c.comparison == Comparison::Is || c.comparison == Comparison::Between;
        return computes && program_.terms.kind(c.left) == TermKind::Variable &&
               program_.terms.variable_index(c.left) == variable;
    });
}

std::vector<std::uint32_t> BoundVariables::ranging() const {
    BoundVariables rest = *this;
    std::vector<std::uint32_t> variables;
    for (const bool computed : {false, true}) {
        for (std::uint32_t v = 0; v < bound_.size(); ++v) {
            if (rest.bound_[v] || is_computed(v) != computed) continue;
            variables.push_back(v);
            rest.bound_[v] = true;
            rest.follow();
        }
    }
    return variables;
}

void for_each_variable_of(const Program& program, const Atom& atom, const std::function<void(std::uint32_t)>& visit) {
    for (const TermId arg : atom.args) for_each_variable(program.terms, arg, visit);
}

std::set<std::uint32_t> group_variables(const Program& program, const Clause& clause, const Aggregate& aggregate) {
    Variables elsewhere;
    add_of(program, clause.head, elsewhere);
    for (const Literal& goal : clause.body) add_of(program, goal.atom, elsewhere);
    for (const Constraint& c : clause.constraints) {
        add_of(program, c.left, elsewhere);
        add_of(program, c.right, elsewhere);
    }
    for (const Aggregate& other : clause.aggregates) {
        add_of(program, other.result, elsewhere);
        if (&other == &aggregate) continue;
        add_of(program, other.goal, elsewhere);
        add_of(program, other.weight, elsewhere);
    }
    Variables own;
    add_of(program, aggregate.goal, own);
    std::erase_if(own, [&](std::uint32_t v) { return !elsewhere.contains(v); });
    return own;
}

std::vector<Constraint> distinct_arguments(const Program& program, const Clause& clause) {
    const PredicateDecl& predicate = program.signature.predicate(clause.head.predicate);
    std::vector<Constraint> result;
    for (std::size_t i = 0; predicate.distinct && i < predicate.args.size(); ++i) {
        for (std::size_t j = i + 1; j < predicate.args.size(); ++j) {
            if (predicate.args[i] == predicate.args[j])
                result.push_back({clause.head.args[i], clause.head.args[j], Comparison::Different, clause.span});
        }
    }
    return result;
}

std::vector<PlainFact> effective_facts(const Program& program, bool apply_evidence) {
    const TermBounds bounds(program.signature);
    std::vector<PlainFact> facts;
    std::map<std::pair<PredicateId, std::vector<TermId>>, std::size_t> known;
    const auto add = [&](PlainFact fact) {
        const auto [found, added] = known.emplace(std::pair(fact.predicate, fact.args), facts.size());
        if (added)
            facts.push_back(std::move(fact));
        else
            facts[found->second].probability = fact.probability;
    };
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        const auto admitted = [&](TermId arg) { return bounds.admits(program.terms, arg); };
        if (!std::ranges::all_of(fact.args, admitted) || !bounds.admits(fact.predicate, fact.args)) continue;
        add({fact.predicate, {fact.args.begin(), fact.args.end()}, fact.probability, fact.span});
    }
    for (std::size_t i = 0; apply_evidence && i < program.evidence.size(); ++i) {
        const Evidence& one = program.evidence[i];
        add({one.atom.predicate, one.atom.args, one.holds ? 1.0 : 0.0, one.atom.span});
    }
    return facts;
}

bool needs_negation(const Program& program, PredicateId predicate) {
    std::set<PredicateId> needed = {predicate};
    for (bool changed = true; changed;) {
        changed = false;
        for (const Clause& clause : program.clauses) {
            if (!needed.contains(clause.head.predicate)) continue;
            for (const Literal& goal : clause.body) {
                if (goal.negated) return true;
                changed = needed.insert(goal.atom.predicate).second || changed;
            }
            for (const Aggregate& one : clause.aggregates)
                changed = needed.insert(one.goal.predicate).second || changed;
        }
    }
    return false;
}

std::vector<PredicateId> undefined_predicates(const Program& program) {
    std::set<PredicateId> defined;
    for (std::size_t i = 0; i < program.facts.size(); ++i) defined.insert(program.facts[i].predicate);
    for (const Clause& clause : program.clauses) defined.insert(clause.head.predicate);
    std::vector<PredicateId> undefined;
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p) {
        if (!defined.contains(PredicateId(p))) undefined.emplace_back(p);
    }
    return undefined;
}

TermId built_without_end(const Program& program, const Clause& clause) {
    std::set<TermId> given;
    for (const Literal& goal : clause.body) {
        for (const TermId arg : goal.atom.args) {
            if (!goal.negated) add_parts(program.terms, arg, given);
        }
    }
    std::set<TermId> built;
    for (const TermId arg : clause.head.args) add_parts(program.terms, arg, built);
    for (const Constraint& c : clause.constraints) {
        add_parts(program.terms, c.left, built);
        add_parts(program.terms, c.right, built);
    }
    for (const TermId term : built) {
        if (program.terms.kind(term) != TermKind::Compound || program.terms.is_ground(term)) continue;
        const FunctorDecl& functor = program.signature.functor(program.terms.functor_of(term));
        if (!functor.operation && !given.contains(term) && has_bounds(program.signature.type(functor.result)))
            return term;
    }
    return TermId::none();
}

std::string left_out(const Program& program) {
    std::vector<std::string_view> things;
    if (!program.modes.empty() || !program.learn.empty() || !program.initial.empty())
        things.emplace_back("what is to be learned");
    if (!program.labels.empty()) things.emplace_back("labels");
    if (!program.sayings.empty()) things.emplace_back("sayings");
    if (std::ranges::any_of(program.signature.types(), has_bounds)) things.emplace_back("bounds on terms");
    return things.empty() ? "" : fmt::format("% left out: {}\n", fmt::join(things, ", "));
}

}  // namespace neumann::interchange
