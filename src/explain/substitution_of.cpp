#include "explain/substitution_of.h"

#include <algorithm>
#include <utility>

#include "explain/condition_solver.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

class Matcher {
public:
    Matcher(Program& program, const AtomTable& atoms, const Clause& clause, std::span<const GraphLiteral> body)
        : program_(program), atoms_(atoms), clause_(clause), body_(body), chosen_(clause.body.size(), unmatched) {}

    std::optional<ClauseInstance> match(std::uint32_t head) {
        Substitution substitution(clause_.variables.size());
        if (!fits(clause_.head, head, substitution)) return std::nullopt;
        for (const Constraint& constraint : clause_.constraints) {
            if (constraint.comparison == Comparison::Equal &&
                !substitution.unify(program_.terms, constraint.left, constraint.right))
                return std::nullopt;
        }
        const auto goals = std::ranges::count_if(clause_.body, [&](const Literal& goal) { return has_literal(goal); });
        if (!match_goals(static_cast<std::size_t>(goals), substitution)) return std::nullopt;
        ClauseInstance instance;
        for (std::uint32_t v = 0; v < clause_.variables.size(); ++v) {
            const TermId term = found_->apply(program_.terms, program_.terms.variable(v));
            instance.bindings.push_back(program_.terms.is_ground(term) ? term : TermId::none());
        }
        for (const GraphLiteral literal : chosen_) {
            if (literal != unmatched && std::ranges::find(instance.body, literal) == instance.body.end())
                instance.body.push_back(literal);
        }
        return instance;
    }

private:
    static constexpr GraphLiteral unmatched = GraphLiteral::from_code(UINT32_MAX);

    // Whether one of the body's literals certainly belongs to this goal. A negated one may have left none; internal
    // predicates only guided grounding, and their bindings also appear in the other goals.
    bool has_literal(const Literal& goal) const {
        return !goal.negated && !program_.signature.predicate(goal.atom.predicate).internal;
    }

    bool fits(const Literal& pattern, GraphLiteral literal, Substitution& substitution) const {
        return pattern.negated == literal.negated() && fits(pattern.atom, literal.atom(), substitution);
    }
    bool fits(const Atom& pattern, std::uint32_t atom, Substitution& substitution) const {
        const AtomId id(atom);
        if (atoms_.predicate_of(id) != pattern.predicate) return false;
        const std::span<const TermId> args = atoms_.args_of(id);
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (!substitution.unify(program_.terms, pattern.args[i], args[i])) return false;
        }
        return true;
    }

    bool differ(const Substitution& substitution) const {
        return std::ranges::all_of(clause_.constraints, [&](const Constraint& constraint) {
            return constraint.comparison != Comparison::Different ||
                   substitution.apply(program_.terms, constraint.left) !=
                       substitution.apply(program_.terms, constraint.right);
        });
    }

    // Each goal is one of the body's literals, each literal that of a goal; several goals may be the same one. The goal
    // with the fewest candidates comes first: a body may have a dozen goals of one predicate, and one that ties all
    // their variables.
    bool match_goals(std::size_t left, const Substitution& so_far) {
        if (uncovered(false) > left) return false;
        if (left == 0) {
            return ConditionSolver(program_, clause_).solve(so_far, [&](const Substitution& solved) {
                found_ = solved;
                return match_negated(solved) && differ(solved);
            });
        }
        std::size_t fewest = clause_.body.size();
        std::vector<GraphLiteral> candidates;
        for (std::size_t goal = 0; goal < clause_.body.size(); ++goal) {
            if (chosen_[goal] != unmatched || !has_literal(clause_.body[goal])) continue;
            std::vector<GraphLiteral> found;
            for (const GraphLiteral literal : body_) {
                Substitution next = so_far;
                if (fits(clause_.body[goal], literal, next)) found.push_back(literal);
            }
            if (fewest < clause_.body.size() && found.size() >= candidates.size()) continue;
            fewest = goal;
            candidates = std::move(found);
        }
        // Literals that no goal has taken yet are the better guess.
        std::stable_partition(candidates.begin(), candidates.end(),
                              [&](GraphLiteral literal) { return !is_taken(literal); });
        for (const GraphLiteral literal : candidates) {
            Substitution next = so_far;
            fits(clause_.body[fewest], literal, next);
            chosen_[fewest] = literal;
            if (match_goals(left - 1, next)) return true;
            chosen_[fewest] = unmatched;
        }
        return false;
    }

    // A negated goal whose atom does not exist leaves no literal; but each literal belongs to a goal.
    bool match_negated(const Substitution& so_far) {
        for (std::size_t goal = 0; goal < clause_.body.size(); ++goal) {
            if (!clause_.body[goal].negated) continue;
            const auto found = std::ranges::find_if(body_, [&](GraphLiteral literal) {
                Substitution next = so_far;
                return fits(clause_.body[goal], literal, next);
            });
            chosen_[goal] = found == body_.end() ? unmatched : *found;
        }
        return uncovered(true) == 0;
    }

    bool is_taken(GraphLiteral literal) const { return std::ranges::find(chosen_, literal) != chosen_.end(); }
    std::size_t uncovered(bool negated) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            body_, [&](GraphLiteral literal) { return literal.negated() == negated && !is_taken(literal); }));
    }

    Program& program_;
    const AtomTable& atoms_;
    const Clause& clause_;
    std::span<const GraphLiteral> body_;
    std::vector<GraphLiteral> chosen_;  // per goal
    std::optional<Substitution> found_;
};

}  // namespace

std::optional<ClauseInstance> substitution_of(Program& program, const AtomTable& atoms, const Clause& clause,
                                              std::uint32_t head, std::span<const GraphLiteral> body) {
    return Matcher(program, atoms, clause, body).match(head);
}

}  // namespace neumann
