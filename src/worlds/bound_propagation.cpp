#include "worlds/bound_propagation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "worlds/components_of.h"

namespace neumann {
namespace {

constexpr std::size_t most_work_on_a_cycle = std::size_t{1} << 26;  // visited literals

class Propagation {
public:
    Propagation(const ReasoningGraph& graph, const GraphLevels& levels, const RandomChoices& choices,
                const Chances& chances)
        : graph_(graph), levels_(levels), choices_(choices), chances_(chances), bounds_(graph.atom_count()),
          positive_(graph.atom_count(), false), uses_(graph.atom_count(), 0) {
        for (const std::uint32_t atom : choices.atoms())
            for (const GraphLiteral below : graph.dependencies(atom)) ++uses_[below.atom()];
    }

    std::vector<ValueBounds> run() {
        for_components_of(choices_.atoms(), levels_, [&](std::span<const std::uint32_t> members) {
            const std::uint32_t component = levels_.component[members[0]];
            if (levels_.cyclic[component] == 0) {
                positive_[members[0]] = rests_on_positive(members[0], component);
                bounds_[members[0]] = by_all(members[0], [](std::uint32_t) { return true; });
            } else {
                go_round(members, component);
            }
        });
        return std::move(bounds_);
    }

private:
    bool is_single(RandomChoices::Outcome outcome) const {
        return outcome.random() && choices_.members(*outcome.choice).size() == 1;
    }
    bool is_positive(RandomChoices::Outcome outcome) const { return !outcome.random() || is_single(outcome); }

    // Whether no negation and nothing that excludes each other is below; atoms of the component aside.
    bool rests_on_positive(std::uint32_t atom, std::uint32_t component) const {
        if (!is_positive(choices_.of_atom(atom))) return false;
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
            if (!is_positive(choices_.of_conjunction(c))) return false;
        return std::ranges::all_of(graph_.dependencies(atom), [&](GraphLiteral literal) {
            const bool inside = levels_.component[literal.atom()] == component;
            return !literal.negated() && (inside || positive_[literal.atom()]);
        });
    }

    double chance_of(std::uint32_t conjunction) const { return chances_.weight[graph_.clause[conjunction]]; }
    // A random fact that nothing but one conjunction needs.
    bool is_own(std::uint32_t atom) const {
        return uses_[atom] == 1 && graph_.in_begin[atom] == graph_.in_begin[atom + 1] &&
               is_single(choices_.of_atom(atom));
    }
    ValueBounds of_fact(std::uint32_t atom) const {
        const double initial = chances_.initial[atom];
        if (choices_.of_atom(atom).random()) return {initial, initial};
        return initial >= 1 ? ValueBounds{1, 1} : ValueBounds{0, 0};
    }

    ValueBounds of_conjunction(std::uint32_t conjunction, bool positive) const {
        const RandomChoices::Outcome outcome = choices_.of_conjunction(conjunction);
        double own = 1;  // independent of the rest
        double product = 1;
        double lack = 0;  // the sum of their distances to 1
        double least = 1;
        const auto add = [&](ValueBounds one) {
            product *= one.low;
            lack += 1 - one.low;
            least = std::min(least, one.high);
        };
        if (is_single(outcome)) own = chance_of(conjunction);
        if (outcome.random() && !is_single(outcome)) add({chance_of(conjunction), chance_of(conjunction)});
        for (const GraphLiteral literal : graph_.literals(conjunction)) {
            const ValueBounds of = bounds_[literal.atom()];
            if (literal.negated()) {
                add({1 - of.high, 1 - of.low});
            } else if (is_own(literal.atom())) {
                own *= of.high;
            } else {
                add(of);
            }
        }
        // In the lower bound a cycle may need its own choices again: only atoms that are positively correlated, or
        // below, count as independent.
        const bool below = std::ranges::all_of(graph_.literals(conjunction), [&](GraphLiteral literal) {
            return levels_.component[literal.atom()] != levels_.component[graph_.head[conjunction]];
        });
        const double low = positive ? own * product : below ? own * std::max(1 - lack, 0.0) : 0.0;
        return {low, own * least};
    }

    template <class Which>
    ValueBounds by_all(std::uint32_t atom, const Which& which) const {
        const bool positive = positive_[atom];
        ValueBounds result = of_fact(atom);
        double none = 1 - result.high;
        double sum = result.high;
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
            if (!which(c)) continue;
            const ValueBounds one = of_conjunction(c, positive);
            result.low = std::max(result.low, one.low);
            none *= 1 - one.high;
            sum += one.high;
        }
        result.high = positive ? 1 - none : std::min(sum, 1.0);
        result.high = std::max(result.high, result.low);  // rounding
        return result;
    }

    bool needs(std::uint32_t conjunction, std::uint32_t component) const {
        return std::ranges::any_of(graph_.literals(conjunction), [&](GraphLiteral literal) {
            return levels_.component[literal.atom()] == component;
        });
    }

    // After as many rounds as there are members every derivation is complete, and the values after n rounds bound the
    // derivations of depth n. A member of the cycle holds only if some member holds without the others.
    void go_round(std::span<const std::uint32_t> members, std::uint32_t component) {
        const bool positive =
            std::ranges::all_of(members, [&](std::uint32_t atom) { return rests_on_positive(atom, component); });
        std::size_t work = 0;
        double none = 1;
        double sum = 0;
        for (const std::uint32_t atom : members) {
            positive_[atom] = positive;
            work += graph_.dependencies(atom).size();
            bounds_[atom] = by_all(atom, [&](std::uint32_t c) { return !needs(c, component); });
            none *= 1 - bounds_[atom].high;
            sum += bounds_[atom].high;
        }
        const double entry = positive ? 1 - none : std::min(sum, 1.0);
        if (work * members.size() > most_work_on_a_cycle) {
            for (const std::uint32_t atom : members) bounds_[atom].high = entry;
            return;
        }
        bool any = true;
        for (std::size_t round = 0; round < members.size() && any; ++round) {
            any = false;
            for (const std::uint32_t atom : members) {
                const ValueBounds before = bounds_[atom];
                const ValueBounds now = by_all(atom, [](std::uint32_t) { return true; });
                bounds_[atom] = {std::max(before.low, now.low), std::max(std::min(now.high, entry), before.high)};
                any = any || bounds_[atom].high > before.high || bounds_[atom].low > before.low;
            }
        }
    }

    const ReasoningGraph& graph_;
    const GraphLevels& levels_;
    const RandomChoices& choices_;
    const Chances& chances_;
    std::vector<ValueBounds> bounds_;
    std::vector<bool> positive_;       // per atom: its inputs are positively correlated
    std::vector<std::uint32_t> uses_;  // per atom: in how many bodies that count it stands
};

}  // namespace

std::vector<ValueBounds> propagate_bounds(const ReasoningGraph& graph, const GraphLevels& levels,
                                          const RandomChoices& choices, const Chances& chances) {
    return Propagation(graph, levels, choices, chances).run();
}

}  // namespace neumann
