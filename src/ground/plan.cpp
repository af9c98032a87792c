#include "ground/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace neumann {
namespace {

class Planner {
public:
    Planner(const TermTable& terms, const Rule& rule, const PlanCosts& costs, bool with_relations)
        : terms_(terms), rule_(rule), costs_(costs), known_(rule.slot_count()), roles_(term_roles(rule)),
          atom_done_(rule.body.size(), !with_relations), functor_done_(rule.functors.size(), false),
          different_done_(rule.different.size(), false) {
        for (Slot s = 0; s < rule.slot_count(); ++s) known_[s] = !rule.slot_value[s].is_none();
        for (const TermRole role : roles_) deferred_.push_back(with_relations && role == TermRole::Head);
    }

    Plan plan(std::uint32_t first) {
        add_free_steps();
        if (first != no_atom) scan(first);
        while (true) {
            add_free_steps();
            if (!add_cheapest()) break;
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
    static std::uint32_t full_mask(const std::vector<Slot>& args) {
        return args.empty() ? 0 : 0xffffffffU >> (32 - args.size());
    }
    void bind(const std::vector<Slot>& args) {
        for (Slot s : args) known_[s] = true;
    }

    // Steps that need no loop: taking apart, putting together, comparing.
    void add_free_steps() {
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
        if (atom) {
            scan(*atom);
            return true;
        }
        best = std::numeric_limits<double>::infinity();
        for (std::uint32_t f = 0; f < rule_.functors.size(); ++f) {
            const FunctorUse& use = rule_.functors[f];
            if (functor_done_[f] || roles_[f] == TermRole::Negated || known_mask(use.args) == full_mask(use.args))
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
        const auto free = [&](Slot s) {
            return !known_[s] && !is_result(s) && std::isfinite(costs_.domain(rule_.slot_type[s]));
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
    std::vector<bool> deferred_;  // terms built only for the head are built last, once the body has matched
    Plan plan_;
};

}  // namespace

std::vector<TermRole> term_roles(const Rule& rule) {
    std::vector<TermRole> of_slot(rule.slot_count(), TermRole::Negated);
    for (const Slot s : rule.head.args) of_slot[s] = TermRole::Head;
    for (const RuleAtom& atom : rule.body) {
        if (atom.negated) continue;
        for (const Slot s : atom.args) of_slot[s] = TermRole::Body;
    }
    std::vector<TermRole> result(rule.functors.size(), TermRole::Negated);
    for (std::size_t f = rule.functors.size(); f-- > 0;) {  // outer terms first
        const FunctorUse& use = rule.functors[f];
        result[f] = of_slot[use.result];
        for (const Slot s : use.args) of_slot[s] = std::min(of_slot[s], result[f]);
    }
    return result;
}

Plan plan_full(const TermTable& terms, const Rule& rule, const PlanCosts& costs) {
    return Planner(terms, rule, costs, false).plan(no_atom);
}

Plan plan_join(const TermTable& terms, const Rule& rule, const PlanCosts& costs, std::uint32_t first) {
    return Planner(terms, rule, costs, true).plan(first);
}

}  // namespace neumann
