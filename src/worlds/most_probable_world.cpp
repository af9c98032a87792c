#include "worlds/most_probable_world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "reason/require_that.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

constexpr double impossible = -std::numeric_limits<double>::infinity();

// The results for the nodes under the evidence.
struct Searched {
    std::vector<double> probability;        // per node
    std::vector<double> loss;               // per node: log-probability of its best path below that of
                                            // the best ways of its choices; skipped choices lose nothing
    std::vector<std::uint32_t> way;         // per node: the first step of its best path
    std::vector<std::vector<double>> ways;  // per choice: their probabilities
};

Searched search(const RandomChoices& choices, const CompiledWorlds& worlds, const Chances& chances) {
    const std::size_t nodes = worlds.diagrams.nodes();
    Searched found{std::vector<double>(nodes), std::vector<double>(nodes, impossible),
                   std::vector<std::uint32_t>(nodes), std::vector<std::vector<double>>(choices.count())};
    for (std::uint32_t choice = 0; choice < choices.count(); ++choice)
        choices.probabilities(choice, chances, found.ways[choice]);
    found.probability[DecisionDiagrams::always] = 1;
    found.loss[DecisionDiagrams::always] = 0;
    for (const Node node : worlds.diagrams.nodes_under({&worlds.observed, 1})) {
        const std::vector<double>& ways = found.ways[worlds.order[worlds.diagrams.choice(node)]];
        const double best = *std::ranges::max_element(ways);
        const std::span<const Node> branches = worlds.diagrams.branches(node);
        for (std::uint32_t way = 0; way < branches.size(); ++way) {
            found.probability[node] += ways[way] * found.probability[branches[way]];
            const double loss = std::log(ways[way] / best) + found.loss[branches[way]];
            if (loss <= found.loss[node]) continue;
            found.loss[node] = loss;
            found.way[node] = way;
        }
    }
    return found;
}

bool holds(const CompiledWorlds& worlds, Node node, std::span<const std::uint32_t> ways) {
    while (!DecisionDiagrams::is_constant(node))
        node = worlds.diagrams.branches(node)[ways[worlds.order[worlds.diagrams.choice(node)]]];
    return node == DecisionDiagrams::always;
}

}  // namespace

ProbableWorld most_probable_world(const RandomChoices& choices, const CompiledWorlds& worlds, const Chances& chances) {
    const Searched found = search(choices, worlds, chances);
    require_that(found.loss[worlds.observed] > impossible, "the evidence has probability 0: no world agrees with it");
    ProbableWorld world;
    world.evidence = found.probability[worlds.observed];
    for (const std::vector<double>& ways : found.ways)
        world.ways.push_back(static_cast<std::uint32_t>(std::ranges::max_element(ways) - ways.begin()));
    for (Node node = worlds.observed; !DecisionDiagrams::is_constant(node);
         node = worlds.diagrams.branches(node)[found.way[node]])
        world.ways[worlds.order[worlds.diagrams.choice(node)]] = found.way[node];
    world.probability = 1;
    for (std::size_t choice = 0; choice < found.ways.size(); ++choice)
        world.probability *= found.ways[choice][world.ways[choice]];
    for (const Node node : worlds.asked) world.asked.push_back(holds(worlds, node, world.ways));
    return world;
}

}  // namespace neumann
