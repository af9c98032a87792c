#include "worlds/diagram_compiler.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "worlds/components_of.h"
#include "worlds/diagram_weights.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

constexpr std::size_t worth_collecting = std::size_t{1} << 16;  // nodes

class Compiler {
public:
    Compiler(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
             const RandomChoices& choices, std::span<const std::uint32_t> order, const CompileLimits& limits)
        : graph_(graph), levels_(levels), choices_(choices), limits_(limits),
          diagrams_(
              ways_in_order(choices, order),
              {.bytes = limits.bytes, .steps = limits.steps, .watch = [this](std::size_t nodes) { tell(nodes); }}),
          place_(order.size()), function_(graph.atom_count(), DecisionDiagrams::never),
          uses_left_(graph.atom_count(), 0), changed_(graph.atom_count(), 1) {
        for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = static_cast<std::uint32_t>(i);
        for (const std::uint32_t atom : choices_.atoms())
            for (const GraphLiteral below : graph_.dependencies(atom)) ++uses_left_[below.atom()];
        for (const std::uint32_t atom : task.asked) ++uses_left_[atom];
        for (const GraphLiteral literal : task.observed) ++uses_left_[literal.atom()];
    }

    void run() {
        for_components_of(choices_.atoms(), levels_, [&](std::span<const std::uint32_t> members) {
            const std::uint32_t component = levels_.component[members[0]];
            if (levels_.cyclic[component] != 0) {
                compile_cycle(members);
            } else {
                compile_atom(members[0]);
            }
            forget_uses(members);
            done_ += members.size();
            collect_garbage([](auto&&) {});
        });
    }

    CompiledWorlds finish(const WorldsTask& task, std::vector<std::uint32_t> order) {
        std::vector<Node> evidence;
        for (const GraphLiteral literal : task.observed) evidence.push_back(of_literal(literal));
        const Node observed = diagrams_.all_of(evidence);
        std::vector<Node> kept{observed};
        for (const std::uint32_t atom : task.asked) kept.push_back(diagrams_.both(function_[atom], observed));
        diagrams_.keep_only(kept);
        CompiledWorlds result{std::move(diagrams_), std::move(order), {kept.begin() + 1, kept.end()}, kept[0]};
        result.diagrams.stop_watching();
        return result;
    }

private:
    void tell(std::size_t nodes) const {
        if (limits_.watch) limits_.watch(done_, choices_.atoms().size(), nodes);
    }
    Node of_literal(GraphLiteral literal) {
        const Node node = function_[literal.atom()];
        return literal.negated() ? diagrams_.negation(node) : node;
    }
    Node of_outcome(RandomChoices::Outcome outcome) { return diagrams_.outcome(place_[*outcome.choice], outcome.way); }

    // The fact of an atom, without its conjunctions.
    Node of_fact(std::uint32_t atom) {
        if (const RandomChoices::Outcome outcome = choices_.of_atom(atom); outcome.random()) return of_outcome(outcome);
        return graph_.initial[atom] >= 1.0F ? DecisionDiagrams::always : DecisionDiagrams::never;
    }

    // The function of a conjunction without its atoms of the component `but`.
    Node of_conjunction(std::uint32_t conjunction, std::uint32_t but = UINT32_MAX) {
        parts_.clear();
        if (const RandomChoices::Outcome outcome = choices_.of_conjunction(conjunction); outcome.random())
            parts_.push_back(of_outcome(outcome));
        for (const GraphLiteral literal : graph_.literals(conjunction))
            if (levels_.component[literal.atom()] != but) parts_.push_back(of_literal(literal));
        std::ranges::sort(parts_, {}, [&](Node node) { return diagrams_.choice(node); });
        return diagrams_.all_of(parts_);
    }

    void compile_atom(std::uint32_t atom) {
        std::vector<Node> ways{of_fact(atom)};
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
            ways.push_back(of_conjunction(c));
        function_[atom] = diagrams_.any_of(ways);
    }

    // A conjunction whose body needs atoms of its own component.
    struct Loop {
        std::uint32_t head;
        Node outside;  // the function without them
        std::vector<std::uint32_t> inside;
        std::uint64_t computed = 0;  // when
    };

    void compile_cycle(std::span<const std::uint32_t> members) {
        const std::uint32_t component = levels_.component[members[0]];
        std::vector<Loop> loops;
        for (const std::uint32_t atom : members) {
            std::vector<Node> ways{of_fact(atom)};
            for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
                Loop loop{atom, of_conjunction(c, component), {}};
                for (const GraphLiteral literal : graph_.literals(c))
                    if (levels_.component[literal.atom()] == component) loop.inside.push_back(literal.atom());
                if (loop.inside.empty()) {
                    ways.push_back(loop.outside);
                } else if (loop.outside != DecisionDiagrams::never) {
                    loops.push_back(std::move(loop));
                }
            }
            function_[atom] = diagrams_.any_of(ways);
        }
        if (std::ranges::all_of(loops, [](const Loop& loop) { return loop.inside.size() == 1; })) {
            eliminate(members, loops);
        } else {
            iterate(loops);
        }
    }

    // There and back, so that consequences propagate in one sweep in either direction.
    void iterate(std::vector<Loop>& loops) {
        for (bool any = true; any;) {
            any = false;
            for (Loop& loop : loops) {
                const bool fresh = std::ranges::any_of(
                    loop.inside, [&](std::uint32_t atom) { return changed_[atom] > loop.computed; });
                if (!fresh) continue;
                loop.computed = now_++;
                parts_.assign(1, loop.outside);
                for (const std::uint32_t atom : loop.inside) parts_.push_back(function_[atom]);
                const Node way = diagrams_.all_of(parts_);
                const Node grown = diagrams_.either(function_[loop.head], way);
                if (grown == function_[loop.head]) continue;
                function_[loop.head] = grown;
                changed_[loop.head] = now_;
                any = true;
                collect_garbage([&](auto&& keep) {
                    for (Loop& one : loops) keep(one.outside);
                });
            }
            std::ranges::reverse(loops);
        }
    }

    // Linear recursion, head = own ∨ ∨ (outside ∧ one other atom), is a system of linear equations over a Boolean
    // algebra: Gaussian elimination solves it, the atom with the fewest equations to change first, of several the one
    // with the first choices. The coefficients stay functions of nearby choices, whereas iteration would carry every
    // function round all cycles.
    void eliminate(std::span<const std::uint32_t> members, const std::vector<Loop>& loops) {
        std::map<std::uint32_t, std::map<std::uint32_t, Node>> row;  // head, atom: coefficient
        std::map<std::uint32_t, std::set<std::uint32_t>> heads;      // in whose rows an atom occurs
        for (const Loop& loop : loops) {
            if (loop.inside[0] == loop.head) continue;  // p :- p.
            Node& coefficient = row[loop.head].try_emplace(loop.inside[0], DecisionDiagrams::never).first->second;
            coefficient = diagrams_.either(coefficient, loop.outside);
            heads[loop.inside[0]].insert(loop.head);
        }
        const auto collect = [&] {
            collect_garbage([&](auto&& keep) {
                for (auto& [head, coefficients] : row)
                    for (auto& [atom, coefficient] : coefficients) keep(coefficient);
            });
        };
        std::map<std::uint32_t, double> place;  // per atom: the mean of where its equation's functions begin
        for (const std::uint32_t atom : members) {
            double sum = 0;
            std::size_t count = 0;
            const auto add = [&](Node node) {
                if (DecisionDiagrams::is_constant(node)) return;
                sum += diagrams_.choice(node);
                ++count;
            };
            add(function_[atom]);
            for (const auto& [other, coefficient] : row[atom]) add(coefficient);
            place[atom] = count == 0 ? 0 : sum / static_cast<double>(count);
        }
        std::vector<std::uint32_t> left(members.begin(), members.end());
        std::vector<std::uint32_t> solved;
        while (!left.empty()) {
            const auto next = std::ranges::min_element(left, {}, [&](std::uint32_t atom) {
                return std::pair(heads[atom].size() * row[atom].size(), place[atom]);
            });
            const std::uint32_t pivot = *next;
            left.erase(next);
            solved.push_back(pivot);
            for (const std::uint32_t head : heads[pivot]) {
                const Node factor = row[head].at(pivot);
                row[head].erase(pivot);
                function_[head] = diagrams_.either(function_[head], diagrams_.both(factor, function_[pivot]));
                for (const auto& [atom, coefficient] : row[pivot]) {
                    if (atom == head) continue;
                    Node& sum = row[head].try_emplace(atom, DecisionDiagrams::never).first->second;
                    sum = diagrams_.either(sum, diagrams_.both(factor, coefficient));
                    heads[atom].insert(head);
                }
            }
            for (const auto& [atom, coefficient] : row[pivot]) heads[atom].erase(pivot);
            collect();
        }
        std::ranges::reverse(solved);
        for (const std::uint32_t atom : solved) {
            std::vector<Node> ways{function_[atom]};
            for (const auto& [other, coefficient] : row[atom])
                ways.push_back(diagrams_.both(coefficient, function_[other]));
            function_[atom] = diagrams_.any_of(ways);
            row[atom].clear();
            collect();
        }
    }

    void forget_uses(std::span<const std::uint32_t> members) {
        for (const std::uint32_t atom : members) {
            for (const GraphLiteral below : graph_.dependencies(atom))
                if (--uses_left_[below.atom()] == 0) function_[below.atom()] = DecisionDiagrams::never;
        }
    }

    // `others` calls its argument with every node that is needed beside the functions of atoms.
    template <class Others>
    void collect_garbage(Others&& others) {
        if (diagrams_.nodes() < next_collection_) return;
        std::vector<Node> live;
        for (const std::uint32_t atom : choices_.atoms()) live.push_back(function_[atom]);
        others([&](Node& node) { live.push_back(node); });
        diagrams_.keep_only(live);
        std::size_t next = 0;
        for (const std::uint32_t atom : choices_.atoms()) function_[atom] = live[next++];
        others([&](Node& node) { node = live[next++]; });
        next_collection_ = std::max(worth_collecting, 4 * diagrams_.nodes());
    }

    const ReasoningGraph& graph_;
    const GraphLevels& levels_;
    const RandomChoices& choices_;
    const CompileLimits& limits_;
    DecisionDiagrams diagrams_;
    std::vector<std::uint32_t> place_;  // per choice: in the order
    std::vector<Node> function_;        // per atom
    std::vector<std::uint32_t> uses_left_;
    std::vector<std::uint64_t> changed_;  // per atom: when its function last grew
    std::uint64_t now_ = 1;
    std::vector<Node> parts_;
    std::size_t done_ = 0;
    std::size_t next_collection_ = worth_collecting;
};

}  // namespace

CompiledWorlds compile_worlds(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                              const RandomChoices& choices, std::vector<std::uint32_t> order,
                              const CompileLimits& limits) {
    Compiler compiler(graph, levels, task, choices, order, limits);
    compiler.run();
    return compiler.finish(task, std::move(order));
}

}  // namespace neumann
