#include "ground/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace neumann {
namespace {

class Planner {
public:
    Planner(const TermTable& terms, const Rule& rule, const PlanCosts& costs, bool with_relations)
        : terms_(terms), rule_(rule), costs_(costs), known_(rule.slot_count()), roles_(term_roles(rule)),
          atom_done_(rule.body.size(), !with_relations), functor_done_(rule.functors.size(), false),
          different_done_(rule.different.size(), false), condition_done_(rule.arithmetic.size(), false) {
        for (Slot s = 0; s < rule.slot_count(); ++s) known_[s] = !rule.slot_value[s].is_none();
        for (const TermRole role : roles_) deferred_.push_back(with_relations && role == TermRole::Head);
    }

    Plan plan(std::uint32_t first) {
        add_free_steps();
        if (first != no_atom) scan(first);
        while (true) {
            add_free_steps();
            if (!add_solution() && !add_cheapest()) break;
        }
        const std::vector<TermRole> roles = slot_roles(rule_);
        for (const auto& [condition, slot] : computed_) {
            if (roles[slot] == TermRole::Head) plan_.steps.push_back({StepKind::Create, condition, slot, 0, false});
        }
        deferred_.assign(deferred_.size(), false);
        add_free_steps();
        return std::move(plan_);
    }

private:
    std::uint32_t known_mask(const std::vector<Slot>& args) const {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < args.size(); ++i) mask |= known_[args[i]] ? 1U << i : 0U;
        return mask;
    }
    static std::uint32_t full_mask(const std::vector<Slot>& args) { return all_arguments(args.size()); }
    void bind(const std::vector<Slot>& args) {
        for (Slot s : args) known_[s] = true;
    }

    // Steps that need no loop. Conditions come last, after all other ways to exclude an instance.
    void add_free_steps() {
        do {
            add_term_steps();
        } while (add_condition());
    }

    // Taking apart, putting together, comparing.
    void add_term_steps() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t f = 0; f < rule_.functors.size(); ++f) {
                const FunctorUse& use = rule_.functors[f];
                const std::uint32_t mask = known_mask(use.args);
                const bool take_apart = known_[use.result] && roles_[f] != TermRole::Negated;
                if (functor_done_[f] || (!take_apart && (mask != full_mask(use.args) || deferred_[f]))) continue;
                plan_.steps.push_back(
                    {take_apart ? StepKind::Destructure : StepKind::Construct, f, use.result, mask, take_apart});
                functor_done_[f] = changed = true;
                known_[use.result] = true;
                bind(use.args);
            }
            for (std::uint32_t d = 0; d < rule_.different.size(); ++d) {
                const auto [a, b] = rule_.different[d];
                if (different_done_[d] || !all_known(a) || !all_known(b)) continue;
                plan_.steps.push_back({StepKind::Different, d, 0, 0, false});
                different_done_[d] = changed = true;
            }
            for (std::uint32_t a = 0; a < rule_.body.size(); ++a) {
                const std::vector<Slot>& args = rule_.body[a].args;
                if (!rule_.body[a].negated || atom_done_[a] || known_mask(args) != full_mask(args)) continue;
                plan_.steps.push_back({StepKind::Negated, a, 0, full_mask(args), false});
                atom_done_[a] = true;
            }
        }
    }

    // A condition whose values are known, or a look at an atom that may save us from evaluating it: an expression may
    // have no value where the body does not hold. For the same reason tests come before computations, and divisions
    // last.
    bool add_condition() {
        const std::optional<std::uint32_t> next = next_condition();
        if (!next) return false;
        const ArithmeticCondition& condition = rule_.arithmetic[*next];
        bool connected = false;
        for (std::uint32_t a = 0; a < rule_.body.size(); ++a) {
            if (atom_done_[a] || rule_.body[a].negated) continue;
            const std::uint32_t mask = known_mask(rule_.body[a].args);
            if (mask == full_mask(rule_.body[a].args)) {
                scan(a);
                return true;
            }
            connected = connected || mask != 0;
        }
        if (condition.may_divide_by_zero && connected) return false;
        condition_done_[*next] = true;
        if (const std::optional<Slot> target = target_of(condition)) {
            plan_.steps.push_back({StepKind::Compute, *next, *target, 0, false});
            known_[*target] = true;
            computed_.emplace_back(*next, *target);
        } else {
            plan_.steps.push_back({StepKind::Compare, *next, 0, 0, false});
        }
        return true;
    }

    std::optional<std::uint32_t> next_condition() const {
        std::optional<std::uint32_t> best;
        const auto rank = [&](std::uint32_t c) {
            const ArithmeticCondition& condition = rule_.arithmetic[c];
            return std::pair(condition.may_divide_by_zero, target_of(condition).has_value());
        };
        for (std::uint32_t c = 0; c < rule_.arithmetic.size(); ++c) {
            if (condition_done_[c] || !all_known(rule_.arithmetic[c].right) || is_loop(c)) continue;
            if (!target_of(rule_.arithmetic[c]) && !all_known(rule_.arithmetic[c].left)) continue;
            if (!best || rank(c) < rank(*best)) best = c;
        }
        return best;
    }

    // The slot that a condition gives a value: that of a variable on the left that has none yet.
    std::optional<Slot> target_of(const ArithmeticCondition& condition) const {
        const bool computes = condition.comparison == Comparison::Is || condition.comparison == Comparison::Between;
        if (!computes || terms_.kind(condition.left) != TermKind::Variable || all_known(condition.left))
            return std::nullopt;
        return rule_.variable_slot[terms_.variable_index(condition.left)];
    }
    bool is_loop(std::uint32_t c) const {
        return rule_.arithmetic[c].comparison == Comparison::Between && target_of(rule_.arithmetic[c]);
    }

    // M is N - 1 with a known M gives N, instead of a loop over what N may be. The condition is tested afterwards. With
    // other terms than numbers it would not be evaluated for these, and has to be.
    bool add_solution() {
        for (std::uint32_t c = 0; costs_.only_numbers && c < rule_.arithmetic.size(); ++c) {
            const ArithmeticCondition& condition = rule_.arithmetic[c];
            if (condition_done_[c] || !condition.offset || !all_known(condition.left)) continue;
            std::optional<Slot> unknown;
            for_each_variable(terms_, condition.right, [&](std::uint32_t v) { unknown = rule_.variable_slot[v]; });
            if (known_[*unknown] || !costs_.only_numbers(rule_.slot_type[*unknown])) continue;
            if (slot_roles(rule_)[*unknown] != TermRole::Body) continue;
            plan_.steps.push_back({StepKind::Solve, c, *unknown, 0, false});
            known_[*unknown] = true;
            return true;
        }
        return false;
    }

    double range_size(std::uint32_t c) const {
        constexpr double guess = 16;
        return rule_.arithmetic[c].range_size.value_or(guess);
    }
    void enumerate(std::uint32_t c) {
        const Slot slot = *target_of(rule_.arithmetic[c]);
        plan_.steps.push_back({StepKind::Enumerate, c, slot, 0, false});
        condition_done_[c] = true;
        known_[slot] = true;
        computed_.emplace_back(c, slot);
    }

    void scan(std::uint32_t atom) {
        plan_.steps.push_back({StepKind::Scan, atom, 0, known_mask(rule_.body[atom].args), false});
        atom_done_[atom] = true;
        bind(rule_.body[atom].args);
    }

    // The loop with the fewest expected iterations: relations and functors filter, domains only multiply, so domains
    // come when nothing else is left.
    bool add_cheapest() {
        double best = std::numeric_limits<double>::infinity();
        std::optional<std::uint32_t> atom;
        std::optional<std::uint32_t> functor;
        for (std::uint32_t a = 0; a < rule_.body.size(); ++a) {
            if (atom_done_[a] || rule_.body[a].negated) continue;
            const double rows = costs_.scan(a, known_mask(rule_.body[a].args));
            if (rows < best || !atom) {
                best = rows;
                atom = a;
            }
        }
        std::optional<std::uint32_t> range;
        for (std::uint32_t c = 0; c < rule_.arithmetic.size(); ++c) {
            if (condition_done_[c] || !is_loop(c) || !all_known(rule_.arithmetic[c].right)) continue;
            if ((atom || range) && range_size(c) >= best) continue;
            best = range_size(c);
            range = c;
        }
        if (range) {
            enumerate(*range);
            return true;
        }
        if (atom) {
            scan(*atom);
            return true;
        }
        best = std::numeric_limits<double>::infinity();
        for (std::uint32_t f = 0; f < rule_.functors.size(); ++f) {
            const FunctorUse& use = rule_.functors[f];
            if (functor_done_[f] || roles_[f] == TermRole::Negated ||
                std::ranges::all_of(use.args, [&](Slot s) { return can_be_built(s); }))
                continue;
            double rows = costs_.applications(use.functor);
            for (Slot s : use.args) {
                const double values = costs_.domain(rule_.slot_type[s]);
                if (known_[s] && std::isfinite(values)) rows /= std::max(1.0, values);
            }
            if (rows < best) {
                best = rows;
                functor = f;
            }
        }
        if (functor) {
            const FunctorUse& use = rule_.functors[*functor];
            plan_.steps.push_back({StepKind::Apply, *functor, use.result, known_mask(use.args), known_[use.result]});
            functor_done_[*functor] = true;
            known_[use.result] = true;
            bind(use.args);
            return true;
        }
        return add_domain();
    }

    bool add_domain() {
        const std::vector<bool> computed = computed_slots();
        return add_domain([&](Slot s) { return !computed[s]; }) || add_domain([](Slot) { return true; });
    }
    // The slots that conditions give values once others have theirs.
    std::vector<bool> computed_slots() const {
        std::vector<bool> result(rule_.slot_count(), false);
        for (std::size_t c = 0; c < rule_.arithmetic.size(); ++c) {
            const std::optional<Slot> target = target_of(rule_.arithmetic[c]);
            if (!condition_done_[c] && target) result[*target] = true;
        }
        return result;
    }
    template <class Eligible>
    bool add_domain(Eligible&& eligible) {
        const auto free = [&](Slot s) {
            return !known_[s] && !is_result(s) && eligible(s) && std::isfinite(costs_.domain(rule_.slot_type[s]));
        };
        for (Slot s : rule_.head.args) {
            if (free(s)) return domain(s);
        }
        std::optional<Slot> smallest;
        for (Slot s = 0; s < rule_.slot_count(); ++s) {
            if (!free(s)) continue;
            if (!smallest || costs_.domain(rule_.slot_type[s]) < costs_.domain(rule_.slot_type[*smallest]))
                smallest = s;
        }
        return smallest && domain(*smallest);
    }
    // Whether the slot is known, or will be once the terms of the head are put together.
    bool can_be_built(Slot s) const {
        return known_[s] || std::ranges::any_of(rule_.functors, [&](const FunctorUse& use) {
                   return use.result == s && deferred_[static_cast<std::size_t>(&use - rule_.functors.data())] &&
                          std::ranges::all_of(use.args, [&](Slot arg) { return can_be_built(arg); });
               });
    }
    bool is_result(Slot s) const {
        return std::ranges::any_of(rule_.functors, [&](const FunctorUse& use) { return use.result == s; });
    }
    bool domain(Slot s) {
        plan_.steps.push_back({StepKind::Domain, 0, s, 0, false});
        known_[s] = true;
        return true;
    }

    // Whether every variable of a clause's term has a value.
    bool all_known(TermId term) const {
        bool all = true;
        for_each_variable(terms_, term, [&](std::uint32_t v) { all = all && known_[rule_.variable_slot[v]]; });
        return all;
    }

    const TermTable& terms_;
    const Rule& rule_;
    const PlanCosts& costs_;
    std::vector<bool> known_;
    std::vector<TermRole> roles_;  // per functor use
    std::vector<bool> atom_done_;
    std::vector<bool> functor_done_;
    std::vector<bool> different_done_;
    std::vector<bool> condition_done_;
    std::vector<std::pair<std::uint32_t, Slot>> computed_;  // by which condition
    std::vector<bool> deferred_;  // terms built only for the head are built last, once the body has matched
    Plan plan_;
};

}  // namespace

std::vector<TermRole> slot_roles(const Rule& rule) {
    std::vector<TermRole> of_slot(rule.slot_count(), TermRole::Negated);
    for (const Slot s : rule.head.args) of_slot[s] = TermRole::Head;
    for (const RuleAtom& atom : rule.body) {
        if (atom.negated) continue;
        for (const Slot s : atom.args) of_slot[s] = TermRole::Body;
    }
    for (std::size_t f = rule.functors.size(); f-- > 0;) {  // outer terms first
        const FunctorUse& use = rule.functors[f];
        for (const Slot s : use.args) of_slot[s] = std::min(of_slot[s], of_slot[use.result]);
    }
    return of_slot;
}

std::vector<TermRole> term_roles(const Rule& rule) {
    const std::vector<TermRole> of_slot = slot_roles(rule);
    std::vector<TermRole> result;
    for (const FunctorUse& use : rule.functors) result.push_back(of_slot[use.result]);
    return result;
}

Plan plan_full(const TermTable& terms, const Rule& rule, const PlanCosts& costs) {
    return Planner(terms, rule, costs, false).plan(no_atom);
}

Plan plan_join(const TermTable& terms, const Rule& rule, const PlanCosts& costs, std::uint32_t first) {
    return Planner(terms, rule, costs, true).plan(first);
}

}  // namespace neumann
