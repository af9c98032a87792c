#include "worlds/diagram_weights.h"

#include <cstddef>

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

}  // namespace

WayProbabilities way_probabilities(const RandomChoices& choices, std::span<const std::uint32_t> order,
                                   const Chances& chances) {
    WayProbabilities ways(order.size());
    for (std::size_t place = 0; place < order.size(); ++place)
        choices.probabilities(order[place], chances, ways[place]);
    return ways;
}

std::vector<std::uint32_t> ways_in_order(const RandomChoices& choices, std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> ways;
    for (const std::uint32_t choice : order)
        ways.push_back(static_cast<std::uint32_t>(choices.members(choice).size() + 1));
    return ways;
}

double DiagramWeights::operator()(Node node) {
    if (known_.empty()) known_ = {0.0, 1.0};
    for (auto next = static_cast<Node>(known_.size()); next <= node; ++next) {  // branches have smaller numbers
        const std::vector<double>& ways = ways_[diagrams_.choice(next)];
        const std::span<const Node> branches = diagrams_.branches(next);
        double sum = 0;
        for (std::size_t way = 0; way < branches.size(); ++way) sum += ways[way] * known_[branches[way]];
        known_.push_back(sum);
    }
    return known_[node];
}

void DiagramWeights::add_derivatives(Node node, double factor, WayProbabilities& by_way) {
    if (DecisionDiagrams::is_constant(node)) return;
    (*this)(node);
    const std::vector<Node> under = diagrams_.nodes_under({&node, 1});
    std::vector<double> reach(std::size_t{node} + 1, 0.0);  // the derivative by the value of each node
    reach[node] = factor;
    for (std::size_t i = under.size(); i-- > 0;) {
        const Node at = under[i];
        const std::uint32_t choice = diagrams_.choice(at);
        const std::span<const Node> branches = diagrams_.branches(at);
        for (std::size_t way = 0; way < branches.size(); ++way) {
            by_way[choice][way] += reach[at] * known_[branches[way]];
            reach[branches[way]] += reach[at] * ways_[choice][way];
        }
    }
}

}  // namespace neumann
