#include "worlds/choice_order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/random_draws.h"
#include "base/rng.h"

namespace neumann {
namespace {

constexpr int force_rounds = 60;
// From other arrangements than those of the searches; fewer where each takes longer.
constexpr std::size_t quick_restarts = 6;
constexpr std::size_t most_restarts = 400;
constexpr std::size_t restart_work = 4'000'000;
constexpr std::size_t most_sifted = 24;
constexpr std::size_t sift_work = 1'000'000'000;  // of all, a round each
constexpr int most_sift_rounds = 4;
constexpr double worth_another_round = 0.05;

// Atoms and choices as the vertices of a hypergraph, in which every conjunction, and every fact with its choice, is an
// edge.
struct Hypergraph {
    std::uint32_t atoms = 0;  // vertices: atoms, then choices
    std::uint32_t choices = 0;
    std::vector<std::uint32_t> edge_begin{0};
    std::vector<std::uint32_t> vertices;
    std::vector<std::uint32_t> use_begin;  // per vertex, of its edges
    std::vector<std::uint32_t> uses;

    std::size_t vertex_count() const { return std::size_t{atoms} + choices; }
    std::size_t edge_count() const { return edge_begin.size() - 1; }
    std::span<const std::uint32_t> edge(std::size_t e) const {
        return std::span(vertices).subspan(edge_begin[e], edge_begin[e + 1] - edge_begin[e]);
    }
    std::span<const std::uint32_t> edges_of(std::size_t v) const {
        return std::span(uses).subspan(use_begin[v], use_begin[v + 1] - use_begin[v]);
    }
    void close_edge() {
        if (vertices.size() - edge_begin.back() < 2)
            vertices.resize(edge_begin.back());
        else
            edge_begin.push_back(static_cast<std::uint32_t>(vertices.size()));
    }
    void index_uses() {
        use_begin.assign(vertex_count() + 1, 0);
        for (const std::uint32_t v : vertices) ++use_begin[v + 1];
        std::partial_sum(use_begin.begin(), use_begin.end(), use_begin.begin());
        uses.resize(vertices.size());
        std::vector<std::uint32_t> next(use_begin.begin(), use_begin.end() - 1);
        for (std::uint32_t e = 0; e < edge_count(); ++e)
            for (const std::uint32_t v : edge(e)) uses[next[v]++] = e;
    }
};

// Atoms that depend on a choice, ascending: certain atoms connect nothing.
std::vector<std::uint32_t> uncertain_atoms(const ReasoningGraph& graph, const RandomChoices& choices) {
    std::vector<bool> uncertain(graph.atom_count(), false);
    std::vector<std::uint32_t> found;
    const auto add = [&](std::uint32_t atom) {
        if (uncertain[atom]) return;
        uncertain[atom] = true;
        found.push_back(atom);
    };
    for (const std::uint32_t atom : choices.atoms()) {
        bool random = choices.of_atom(atom).random();
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c)
            random = random || choices.of_conjunction(c).random();
        if (random) add(atom);
    }
    for (std::size_t next = 0; next < found.size(); ++next)
        for (const std::uint32_t c : graph.uses_of(found[next])) add(graph.head[c]);
    std::erase_if(found, [&](std::uint32_t atom) { return !std::ranges::binary_search(choices.atoms(), atom); });
    std::ranges::sort(found);
    return found;
}

// The choice that an atom is no more than an outcome of, if any. Certain atoms have no vertex.
OptionalIndex only_choice(const ReasoningGraph& graph, const RandomChoices& choices,
                          const std::vector<OptionalIndex>& vertex_of, std::uint32_t atom) {
    const std::uint32_t instances = graph.in_begin[atom + 1] - graph.in_begin[atom];
    const RandomChoices::Outcome fact = choices.of_atom(atom);
    if (instances == 0) return fact.choice;
    if (instances > 1 || fact.random()) return std::nullopt;
    const bool alone =
        std::ranges::all_of(graph.dependencies(atom), [&](GraphLiteral literal) { return !vertex_of[literal.atom()]; });
    return alone ? choices.of_conjunction(graph.in_begin[atom]).choice : std::nullopt;
}

Hypergraph hypergraph_of(const ReasoningGraph& graph, const RandomChoices& choices,
                         std::span<const std::uint32_t> atoms, const std::vector<OptionalIndex>& vertex_of) {
    Hypergraph result;
    result.atoms = static_cast<std::uint32_t>(atoms.size());
    result.choices = static_cast<std::uint32_t>(choices.count());
    for (const std::uint32_t atom : atoms) {
        if (const RandomChoices::Outcome outcome = choices.of_atom(atom); outcome.random()) {
            result.vertices.push_back(*vertex_of[atom]);
            result.vertices.push_back(result.atoms + *outcome.choice);
            result.close_edge();
        }
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
            result.vertices.push_back(*vertex_of[atom]);
            for (const GraphLiteral literal : graph.literals(c))
                if (vertex_of[literal.atom()]) result.vertices.push_back(*vertex_of[literal.atom()]);
            if (const RandomChoices::Outcome outcome = choices.of_conjunction(c); outcome.random())
                result.vertices.push_back(result.atoms + *outcome.choice);
            result.close_edge();
        }
    }
    result.index_uses();
    return result;
}

// Depth first from the queries, derived atoms before the others: an atom's premises stand before it, and premises
// without other uses next to it.
class DepthFirst {
public:
    DepthFirst(const ReasoningGraph& graph, const RandomChoices& choices, std::uint32_t atoms,
               const std::vector<OptionalIndex>& vertex_of, bool backwards)
        : graph_(graph), choices_(choices), atoms_(atoms), vertex_of_(vertex_of), backwards_(backwards),
          seen_(atoms, false), placed_(choices.count(), false) {}

    void visit(std::uint32_t root) {
        if (!enter(root)) return;
        while (!stack_.empty()) {
            Frame& frame = stack_.back();
            if (frame.next < frame.below.size()) {
                enter(frame.below[frame.next++]);
                continue;
            }
            leave(frame.atom);
            stack_.pop_back();
        }
    }
    std::vector<std::uint32_t> take() { return std::move(order_); }  // of vertices

private:
    struct Frame {
        std::uint32_t atom;
        std::size_t next;
        std::vector<std::uint32_t> below;
    };
    bool derived(std::uint32_t atom) const { return graph_.in_begin[atom] != graph_.in_begin[atom + 1]; }
    bool enter(std::uint32_t atom) {
        if (!vertex_of_[atom]) return false;
        const std::uint32_t vertex = *vertex_of_[atom];
        if (vertex >= atoms_) {
            place({vertex - atoms_, 0});
            return false;
        }
        if (seen_[vertex]) return false;
        seen_[vertex] = true;
        Frame frame{atom, 0, {}};
        for (const GraphLiteral literal : graph_.dependencies(atom)) frame.below.push_back(literal.atom());
        if (backwards_) std::ranges::reverse(frame.below);
        std::stable_partition(frame.below.begin(), frame.below.end(),
                              [&](std::uint32_t below) { return derived(below); });
        stack_.push_back(std::move(frame));
        return true;
    }
    void place(RandomChoices::Outcome outcome) {
        if (!outcome.random() || placed_[*outcome.choice]) return;
        placed_[*outcome.choice] = true;
        order_.push_back(atoms_ + *outcome.choice);
    }
    void leave(std::uint32_t atom) {
        place(choices_.of_atom(atom));
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
            place(choices_.of_conjunction(c));
        order_.push_back(*vertex_of_[atom]);
    }

    const ReasoningGraph& graph_;
    const RandomChoices& choices_;
    std::uint32_t atoms_;  // vertices
    const std::vector<OptionalIndex>& vertex_of_;
    bool backwards_;
    std::vector<bool> seen_;
    std::vector<bool> placed_;
    std::vector<Frame> stack_;
    std::vector<std::uint32_t> order_;
};

// How large diagrams in this arrangement may become, as a logarithm: the sum over all places of 2 to the number of
// atoms that take part in choices before and after. (Where a conjunction has no choice, its atoms stand for one.)
double cost_of(const Hypergraph& graph, std::span<const std::uint32_t> arrangement) {
    std::vector<std::uint32_t> position(graph.vertex_count());
    for (std::uint32_t i = 0; i < arrangement.size(); ++i) position[arrangement[i]] = i;
    std::vector<int> change(arrangement.size() + 1, 0);
    const auto is_choice = [&](std::uint32_t v) { return v >= graph.atoms; };
    for (std::uint32_t atom = 0; atom < graph.atoms; ++atom) {
        std::uint32_t first = UINT32_MAX;
        std::uint32_t last = 0;
        for (const std::uint32_t e : graph.edges_of(atom)) {
            const bool has_choice = std::ranges::any_of(graph.edge(e), is_choice);
            for (const std::uint32_t v : graph.edge(e)) {
                if (has_choice && !is_choice(v)) continue;
                first = std::min(first, position[v]);
                last = std::max(last, position[v]);
            }
        }
        if (first > last) continue;
        ++change[first];
        --change[last];
    }
    double largest = 0;
    double sum = 0;  // of 2^(open - largest)
    int open = 0;
    for (std::size_t i = 0; i < arrangement.size(); ++i) {
        open += change[i];
        if (arrangement[i] < graph.atoms) continue;
        if (open > largest) {
            sum *= std::exp2(largest - open);
            largest = open;
        }
        sum += std::exp2(open - largest);
    }
    return sum > 0 ? largest + std::log2(sum) : 0;
}

// FORCE (Aloul, Markov, Sakallah 2003): every vertex moves to the middle of its edges' middles, again and again; the
// best arrangement on the way is kept.
std::vector<std::uint32_t> improve(const Hypergraph& graph, std::vector<std::uint32_t> arrangement,
                                   const std::function<void()>& watch) {
    std::vector<std::uint32_t> best = arrangement;
    double least = cost_of(graph, best);
    std::vector<double> position(graph.vertex_count());
    std::vector<double> middle(graph.edge_count());
    for (int round = 0; round < force_rounds; ++round) {
        if (watch) watch();
        for (std::size_t i = 0; i < arrangement.size(); ++i) position[arrangement[i]] = static_cast<double>(i);
        for (std::size_t e = 0; e < middle.size(); ++e) {
            double sum = 0;
            for (const std::uint32_t v : graph.edge(e)) sum += position[v];
            middle[e] = sum / static_cast<double>(graph.edge(e).size());
        }
        for (std::size_t v = 0; v < position.size(); ++v) {
            const std::span<const std::uint32_t> edges = graph.edges_of(v);
            if (edges.empty()) continue;
            double sum = 0;
            for (const std::uint32_t e : edges) sum += middle[e];
            position[v] = sum / static_cast<double>(edges.size());
        }
        std::ranges::stable_sort(arrangement, {}, [&](std::uint32_t v) { return position[v]; });
        if (const double cost = cost_of(graph, arrangement); cost < least) {
            least = cost;
            best = arrangement;
        }
    }
    return best;
}

// Takes every vertex to the place where the arrangement costs least, until that changes nothing more.
std::vector<std::uint32_t> sift(const Hypergraph& graph, std::vector<std::uint32_t> arrangement,
                                const std::function<void()>& watch) {
    double least = cost_of(graph, arrangement);
    for (int round = 0; round < most_sift_rounds; ++round) {
        const double before = least;
        for (std::uint32_t vertex = 0; vertex < arrangement.size(); ++vertex) {
            if (watch) watch();
            std::vector<std::uint32_t> others;
            std::ranges::copy_if(arrangement, std::back_inserter(others), [&](auto v) { return v != vertex; });
            std::vector<std::uint32_t> trial = others;
            trial.insert(trial.begin(), vertex);
            for (std::size_t place = 0;; ++place) {
                if (const double cost = cost_of(graph, trial); cost < least - 1e-12) {
                    least = cost;
                    arrangement = trial;
                }
                if (place + 1 == trial.size()) break;
                std::swap(trial[place], trial[place + 1]);
            }
        }
        if (least > before - worth_another_round) break;
    }
    return arrangement;
}

std::vector<std::uint32_t> choices_of(const Hypergraph& graph, std::span<const std::uint32_t> arrangement) {
    std::vector<std::uint32_t> order;
    for (const std::uint32_t v : arrangement)
        if (v >= graph.atoms) order.push_back(v - graph.atoms);
    return order;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> choice_orders(const ReasoningGraph& graph, const WorldsTask& task,
                                                      const RandomChoices& choices, OrderEffort effort,
                                                      const std::function<void()>& watch) {
    std::vector<OptionalIndex> vertex_of(graph.atom_count());
    std::vector<std::uint32_t> atoms = uncertain_atoms(graph, choices);
    for (const std::uint32_t atom : atoms) vertex_of[atom] = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves;
    std::erase_if(atoms, [&](std::uint32_t atom) {
        const OptionalIndex choice = only_choice(graph, choices, vertex_of, atom);
        if (choice) leaves.emplace_back(atom, *choice);
        return choice.has_value();
    });
    for (std::uint32_t i = 0; i < atoms.size(); ++i) vertex_of[atoms[i]] = i;
    for (const auto& [atom, choice] : leaves) vertex_of[atom] = static_cast<std::uint32_t>(atoms.size()) + choice;
    const Hypergraph hypergraph = hypergraph_of(graph, choices, atoms, vertex_of);

    std::vector<std::pair<double, std::vector<std::uint32_t>>> candidates;
    for (const bool backwards : {false, true}) {
        DepthFirst search(graph, choices, hypergraph.atoms, vertex_of, backwards);
        for (const std::uint32_t atom : task.asked) search.visit(atom);
        for (const GraphLiteral literal : task.observed) search.visit(literal.atom());
        std::vector<std::uint32_t> arrangement = search.take();
        if (effort == OrderEffort::None) return {choices_of(hypergraph, arrangement)};
        std::vector<std::uint32_t> improved = improve(hypergraph, arrangement, watch);
        candidates.emplace_back(cost_of(hypergraph, arrangement), std::move(arrangement));
        candidates.emplace_back(cost_of(hypergraph, improved), std::move(improved));
    }
    const std::size_t most = effort == OrderEffort::Quick ? quick_restarts : most_restarts;
    const std::size_t restarts = std::min(most, restart_work / (hypergraph.vertices.size() + 1));
    Rng random(1);
    std::vector<std::uint32_t> shuffled(hypergraph.vertex_count());
    std::iota(shuffled.begin(), shuffled.end(), 0U);
    for (std::size_t i = 0; i < restarts; ++i) {
        if (watch) watch();
        shuffle_in_place(shuffled, random);
        std::vector<std::uint32_t> improved = improve(hypergraph, shuffled, watch);
        candidates.emplace_back(cost_of(hypergraph, improved), std::move(improved));
    }
    std::ranges::stable_sort(candidates, {}, &std::pair<double, std::vector<std::uint32_t>>::first);
    if (effort == OrderEffort::Thorough) {
        const std::size_t work = hypergraph.vertex_count() * hypergraph.vertex_count() * hypergraph.vertices.size();
        const std::size_t sifted = std::min({most_sifted, candidates.size(), sift_work / (work + 1)});
        for (std::size_t i = 0; i < sifted; ++i) {
            candidates[i].second = sift(hypergraph, std::move(candidates[i].second), watch);
            candidates[i].first = cost_of(hypergraph, candidates[i].second);
        }
        std::ranges::stable_sort(candidates, {}, &std::pair<double, std::vector<std::uint32_t>>::first);
    }
    std::vector<std::vector<std::uint32_t>> orders;
    for (const auto& [cost, arrangement] : candidates) {
        std::vector<std::uint32_t> order = choices_of(hypergraph, arrangement);
        if (std::ranges::find(orders, order) == orders.end()) orders.push_back(std::move(order));
    }
    return orders;
}

}  // namespace neumann
