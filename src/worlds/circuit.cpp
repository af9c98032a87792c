#include "worlds/circuit.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

namespace neumann {
namespace {

using Node = Circuit::Node;

// The parameters of a circuit, and the distribution of each of its choices.
class DistributionTable {
public:
    DistributionTable(const RandomChoices& choices, std::span<const std::uint32_t> used, Circuit& circuit)
        : choices_(choices), circuit_(circuit) {
        for (const std::uint32_t choice : used)
            for (const RandomChoices::Member member : choices.members(choice))
                (member.is_clause ? circuit.clauses : circuit.facts).push_back(member.number);
        for (std::vector<std::uint32_t>* numbers : {&circuit.facts, &circuit.clauses}) {
            std::ranges::sort(*numbers);
            numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
        }
    }

    std::uint32_t first_way(std::uint32_t choice) {
        std::vector<std::uint32_t> parameters;
        for (const RandomChoices::Member member : choices_.members(choice)) parameters.push_back(parameter(member));
        const auto next = static_cast<std::uint32_t>(circuit_.ways());
        const auto [known, is_new] = known_.try_emplace(parameters, next);
        if (is_new) circuit_.distributions.push_back({next, std::move(parameters)});
        return known->second;
    }

private:
    std::uint32_t parameter(RandomChoices::Member member) const {
        const std::vector<std::uint32_t>& numbers = member.is_clause ? circuit_.clauses : circuit_.facts;
        const auto place = std::ranges::lower_bound(numbers, member.number) - numbers.begin();
        return static_cast<std::uint32_t>(place) +
               (member.is_clause ? static_cast<std::uint32_t>(circuit_.facts.size()) : 0);
    }

    const RandomChoices& choices_;
    Circuit& circuit_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
};

}  // namespace

Circuit make_circuit(const RandomChoices& choices, const CompiledWorlds& worlds) {
    const DecisionDiagrams& diagrams = worlds.diagrams;
    std::vector<DecisionDiagrams::Node> roots = worlds.asked;
    roots.push_back(worlds.observed);
    std::vector<DecisionDiagrams::Node> nodes = diagrams.nodes_under(roots);
    // Choice by choice, the last first: neighbours share a distribution, and their branches lie close together.
    std::ranges::stable_sort(nodes, std::ranges::greater{}, [&](auto node) { return diagrams.choice(node); });

    Circuit circuit;
    std::vector<bool> is_used(choices.count());
    for (const DecisionDiagrams::Node node : nodes) is_used[worlds.order[diagrams.choice(node)]] = true;
    std::vector<std::uint32_t> used;
    for (std::uint32_t choice = 0; choice < choices.count(); ++choice)
        if (is_used[choice]) used.push_back(choice);
    DistributionTable table(choices, used, circuit);
    std::vector<std::uint32_t> first_way(choices.count());
    for (const std::uint32_t choice : used) first_way[choice] = table.first_way(choice);

    std::vector<Node> number(diagrams.nodes());
    number[DecisionDiagrams::always] = Circuit::always;
    PodVector<std::uint32_t> way_of(2);  // the constants have none
    PodVector<std::uint32_t> branch_begin(2);
    PodVector<Node> branches;
    for (const DecisionDiagrams::Node node : nodes) {
        number[node] = static_cast<Node>(way_of.size());
        way_of.push_back(first_way[worlds.order[diagrams.choice(node)]]);
        branch_begin.push_back(static_cast<std::uint32_t>(branches.size()));
        for (const DecisionDiagrams::Node branch : diagrams.branches(node)) branches.push_back(number[branch]);
    }
    branch_begin.push_back(static_cast<std::uint32_t>(branches.size()));
    circuit.first_way = SharedArray(std::move(way_of));
    circuit.branch_begin = SharedArray(std::move(branch_begin));
    circuit.branches = SharedArray(std::move(branches));
    for (const DecisionDiagrams::Node node : worlds.asked) circuit.asked.push_back(number[node]);
    circuit.observed = number[worlds.observed];
    return circuit;
}

std::uint32_t depth(const Circuit& circuit) {
    std::vector<std::uint32_t> depth_of(circuit.nodes());
    std::uint32_t deepest = 0;
    for (std::size_t node = 2; node < circuit.nodes(); ++node) {
        std::uint32_t below = 0;
        for (std::uint32_t b = circuit.branch_begin[node]; b < circuit.branch_begin[node + 1]; ++b)
            below = std::max(below, depth_of[circuit.branches[b]]);
        depth_of[node] = below + 1;
        deepest = std::max(deepest, below + 1);
    }
    return deepest;
}

}  // namespace neumann
