#include "worlds/bounded_functions.h"

#include <algorithm>
#include <utility>

#include "base/budget.h"
#include "worlds/changed_diagrams.h"
#include "worlds/components_of.h"
#include "worlds/diagram_compiler.h"
#include "worlds/diagram_weights.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

constexpr std::size_t least_nodes = 16;
constexpr std::size_t fewer = 8;  // nodes of a function in the next attempt, by this factor
constexpr std::size_t worth_clearing = std::size_t{1} << 16;
constexpr std::size_t most_rounds = 64;  // of a cycle

constexpr std::uint64_t shrinking_per_step = 8;  // visited nodes: they cost less than a step

// Not DiagramLimit: a function with too many steps may still fit into memory.
struct StepsOver {};

// Throws when more steps were made. Looks come every 2^16 of them.
auto step_watch(std::uint64_t steps, const BoundingLimits& limits) {
    constexpr std::uint64_t steps_of_a_look = std::uint64_t{1} << 16;
    return [left = steps / steps_of_a_look, in_time = limits.finish_in_time]() mutable {
        if (!in_time) require_budget("bounding probabilities");
        if (left-- == 0 || (in_time && Budget::current().should_finish())) throw StepsOver();
    };
}

class BoundingCompiler {
public:
    BoundingCompiler(const BoundingTask& task, const WayProbabilities& ways, const BoundingLimits& limits,
                     std::size_t most_nodes)
        : graph_(task.graph), levels_(task.levels), choices_(task.choices),
          diagrams_(ways_in_order(task.choices, task.order),
                    {.bytes = limits.bytes,
                     .watch = [watch = step_watch(limits.steps, limits)](std::size_t) mutable { watch(); }}),
          shrink_(diagrams_, ways, most_nodes), place_(task.choices.count()), function_(task.graph.atom_count()),
          uses_left_(task.graph.atom_count(), 0), most_work_(shrinking_per_step * limits.steps) {
        for (std::size_t i = 0; i < task.order.size(); ++i) place_[task.order[i]] = static_cast<std::uint32_t>(i);
        for (const std::uint32_t atom : choices_.atoms())
            for (const GraphLiteral below : graph_.dependencies(atom)) ++uses_left_[below.atom()];
        for (const std::uint32_t atom : task.atoms) ++uses_left_[atom];
    }

    void run() {
        for_components_of(choices_.atoms(), levels_, [&](std::span<const std::uint32_t> members) {
            const std::uint32_t component = levels_.component[members[0]];
            for (const std::uint32_t atom : members) function_[atom] = from_below(atom, component);
            if (levels_.cyclic[component] != 0) go_round(members, component);
            for (const std::uint32_t atom : members)
                for (const GraphLiteral below : graph_.dependencies(atom))
                    if (--uses_left_[below.atom()] == 0) function_[below.atom()] = {};
            collect_garbage();
        });
    }

    BoundedFunctions finish(const BoundingTask& task) {
        std::vector<Node> kept;
        for (const std::uint32_t atom : task.atoms)
            kept.insert(kept.end(), {function_[atom].low, function_[atom].high});
        diagrams_.keep_only(kept);
        BoundedFunctions result{std::move(diagrams_), {task.order.begin(), task.order.end()}, {}};
        for (std::size_t i = 0; i < task.atoms.size(); ++i) result.functions.push_back({kept[2 * i], kept[2 * i + 1]});
        result.diagrams.stop_watching();
        return result;
    }

private:
    FunctionBounds both(FunctionBounds a, FunctionBounds b) {
        return combine(a, b, [&](Node x, Node y) { return diagrams_.both(x, y); });
    }
    FunctionBounds either(FunctionBounds a, FunctionBounds b) {
        return combine(a, b, [&](Node x, Node y) { return diagrams_.either(x, y); });
    }
    template <class Operation>
    FunctionBounds combine(FunctionBounds a, FunctionBounds b, Operation&& operation) {
        const Node low = operation(a.low, b.low);
        const Node high = a.exact() && b.exact() ? low : operation(a.high, b.high);
        if (shrink_.work() > most_work_) throw StepsOver();
        return {shrink_(low, DecisionDiagrams::never), shrink_(high, DecisionDiagrams::always)};
    }
    FunctionBounds of_literal(GraphLiteral literal) {
        const FunctionBounds of = function_[literal.atom()];
        if (!literal.negated()) return of;
        return {diagrams_.negation(of.high), diagrams_.negation(of.low)};
    }
    FunctionBounds of_outcome(RandomChoices::Outcome outcome) {
        const Node node = diagrams_.outcome(place_[*outcome.choice], outcome.way);
        return {node, node};
    }
    static FunctionBounds constant(bool holds) {
        const Node node = holds ? DecisionDiagrams::always : DecisionDiagrams::never;
        return {node, node};
    }
    FunctionBounds of_fact(std::uint32_t atom) {
        if (const RandomChoices::Outcome outcome = choices_.of_atom(atom); outcome.random()) return of_outcome(outcome);
        return constant(graph_.initial[atom] >= 1.0F);
    }
    FunctionBounds of_conjunction(std::uint32_t conjunction) {
        const RandomChoices::Outcome outcome = choices_.of_conjunction(conjunction);
        FunctionBounds all = outcome.random() ? of_outcome(outcome) : constant(true);
        for (const GraphLiteral literal : graph_.literals(conjunction)) all = both(all, of_literal(literal));
        return all;
    }
    bool needs(std::uint32_t conjunction, std::uint32_t component) const {
        return std::ranges::any_of(graph_.literals(conjunction), [&](GraphLiteral literal) {
            return levels_.component[literal.atom()] == component;
        });
    }
    // From conjunctions without atoms of its own component.
    FunctionBounds from_below(std::uint32_t atom, std::uint32_t component) {
        FunctionBounds any = of_fact(atom);
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
            if (!needs(c, component)) any = either(any, of_conjunction(c));
        return any;
    }

    // From below until nothing changes. If that does not come about: a lower bound may be left at any time; above it
    // stands that something must be had without the others for any of them to hold.
    void go_round(std::span<const std::uint32_t> members, std::uint32_t component) {
        FunctionBounds entry = constant(false);
        for (const std::uint32_t atom : members) entry = either(entry, function_[atom]);
        Changed changed;
        for (std::size_t round = 0; round < std::min(most_rounds, members.size() + 1); ++round) {
            changed = once_round(members, component, round % 2 != 0);
            if (!changed.low && !changed.high) return;
        }
        for (const std::uint32_t atom : members)
            if (changed.high) function_[atom].high = entry.high;
    }
    struct Changed {
        bool low = false;
        bool high = false;
    };
    Changed once_round(std::span<const std::uint32_t> members, std::uint32_t component, bool backwards) {
        Changed changed;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::uint32_t atom = members[backwards ? members.size() - 1 - i : i];
            const FunctionBounds before = function_[atom];
            for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
                if (needs(c, component)) function_[atom] = either(function_[atom], of_conjunction(c));
            changed.low = changed.low || function_[atom].low != before.low;
            changed.high = changed.high || function_[atom].high != before.high;
        }
        return changed;
    }

    void collect_garbage() {
        if (diagrams_.nodes() < next_collection_) return;
        std::vector<Node> live;
        for (const std::uint32_t atom : choices_.atoms())
            live.insert(live.end(), {function_[atom].low, function_[atom].high});
        diagrams_.keep_only(live);
        std::size_t next = 0;
        for (const std::uint32_t atom : choices_.atoms()) {
            function_[atom].low = live[next++];
            function_[atom].high = live[next++];
        }
        shrink_.forget();
        next_collection_ = std::max(worth_clearing, 4 * diagrams_.nodes());
    }

    const ReasoningGraph& graph_;
    const GraphLevels& levels_;
    const RandomChoices& choices_;
    DecisionDiagrams diagrams_;
    DiagramShrinker shrink_;
    std::vector<std::uint32_t> place_;      // per choice: in the order
    std::vector<FunctionBounds> function_;  // per atom
    std::vector<std::uint32_t> uses_left_;
    std::uint64_t most_work_;  // of shrinking
    std::size_t next_collection_ = worth_clearing;
};

}  // namespace

std::optional<BoundedFunctions> exact_functions(const BoundingTask& task, const BoundingLimits& limits) {
    if (limits.exact_steps == 0) return std::nullopt;
    WorldsTask compiled;
    compiled.asked.assign(task.atoms.begin(), task.atoms.end());
    CompileLimits within;
    within.bytes = limits.bytes;
    within.watch = [watch = step_watch(limits.exact_steps, limits)](std::size_t, std::size_t, std::size_t) mutable {
        watch();
    };
    try {
        CompiledWorlds worlds = compile_worlds(task.graph, task.levels, compiled, task.choices,
                                               {task.order.begin(), task.order.end()}, within);
        BoundedFunctions result{std::move(worlds.diagrams), std::move(worlds.order), {}};
        for (const Node node : worlds.asked) result.functions.push_back({node, node});
        return result;
    } catch (const StepsOver&) {
        return std::nullopt;
    } catch (const DiagramLimit&) {
        return std::nullopt;
    }
}

BoundedFunctions bounded_functions(const BoundingTask& task, const Chances& chances, const BoundingLimits& limits) {
    const WayProbabilities ways = way_probabilities(task.choices, task.order, chances);
    for (std::size_t nodes = limits.most_nodes;; nodes /= fewer) {
        try {
            BoundingCompiler compiler(task, ways, limits, nodes);
            compiler.run();
            return compiler.finish(task);
        } catch (const StepsOver&) {
        } catch (const DiagramLimit&) {
        }
        if (nodes / fewer < least_nodes) break;
    }
    // Nothing is known.
    return {DecisionDiagrams(ways_in_order(task.choices, task.order), {.bytes = limits.bytes}),
            {task.order.begin(), task.order.end()},
            std::vector<FunctionBounds>(task.atoms.size())};
}

}  // namespace neumann
