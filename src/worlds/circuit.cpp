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
        if (!choices_.separate()) {
            const auto [known, is_new] = known_.try_emplace(parameters, next);
            if (!is_new) return known->second;
        }
        circuit_.distributions.push_back({next, std::move(parameters), choices_.complete(choice), choice});
        return next;
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

std::vector<std::uint32_t> add_distributions(const RandomChoices& choices, std::span<const std::uint32_t> used,
                                             Circuit& circuit) {
    DistributionTable table(choices, used, circuit);
    std::vector<std::uint32_t> first_way(choices.count());
    for (const std::uint32_t choice : used) first_way[choice] = table.first_way(choice);
    return first_way;
}

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
    const std::vector<std::uint32_t> first_way = add_distributions(choices, used, circuit);

    std::vector<Node> number(diagrams.nodes());
    number[DecisionDiagrams::always] = Circuit::always;
    PodVector<std::uint32_t> term_begin(circuit.first_sum());
    PodVector<Node> left;
    PodVector<Node> right;
    for (const DecisionDiagrams::Node node : nodes) {
        number[node] = static_cast<Node>(term_begin.size());
        term_begin.push_back(static_cast<std::uint32_t>(left.size()));
        Node way = Circuit::node_of_way(first_way[worlds.order[diagrams.choice(node)]]);
        for (const DecisionDiagrams::Node branch : diagrams.branches(node)) {
            left.push_back(way++);
            right.push_back(number[branch]);
        }
    }
    term_begin.push_back(static_cast<std::uint32_t>(left.size()));
    circuit.term_begin = SharedArray(std::move(term_begin));
    circuit.left = SharedArray(std::move(left));
    circuit.right = SharedArray(std::move(right));
    for (const DecisionDiagrams::Node node : worlds.asked) circuit.asked.push_back(number[node]);
    circuit.observed = number[worlds.observed];
    return circuit;
}

std::uint32_t depth(const Circuit& circuit) {
    std::vector<std::uint32_t> depth_of(circuit.nodes());
    std::uint32_t deepest = 0;
    for (std::size_t node = circuit.first_sum(); node < circuit.nodes(); ++node) {
        std::uint32_t below = 0;
        for (std::uint32_t t = circuit.term_begin[node]; t < circuit.term_begin[node + 1]; ++t)
            below = std::max({below, depth_of[circuit.left[t]], depth_of[circuit.right[t]]});
        depth_of[node] = below + 1;
        deepest = std::max(deepest, below + 1);
    }
    return deepest;
}

double degree(const Circuit& circuit) {
    std::vector<double> degree_of(circuit.nodes(), 1.0);  // of ways
    std::fill_n(degree_of.begin(), std::min<std::size_t>(2, degree_of.size()), 0.0);
    double highest = 0;
    for (std::size_t node = circuit.first_sum(); node < circuit.nodes(); ++node) {
        degree_of[node] = 0;
        for (std::uint32_t t = circuit.term_begin[node]; t < circuit.term_begin[node + 1]; ++t)
            degree_of[node] = std::max(degree_of[node], degree_of[circuit.left[t]] + degree_of[circuit.right[t]]);
        highest = std::max(highest, degree_of[node]);
    }
    return highest;
}

}  // namespace neumann
