#include "worlds/gpu_circuit_plan.h"

#include <algorithm>
#include <numeric>

namespace neumann {
namespace {

constexpr std::uint32_t uses_of_piece = 64;  // a clause's ways have as many uses as the clause has instances

// Groups items by their `owners`, keeping their order. Returns where each of `count` groups begins, and the end.
template <class Item>
std::vector<std::uint32_t> sort_by_owner(std::size_t count, const std::vector<std::uint32_t>& owners,
                                         const std::vector<Item>& items, std::vector<Item>& sorted) {
    std::vector<std::uint32_t> begin(count + 1);
    for (const std::uint32_t owner : owners) ++begin[owner + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    sorted.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) sorted[next[owners[i]]++] = items[i];
    return begin;
}

void find_circuit_levels(const Circuit& circuit, GpuCircuitPlan& plan) {
    std::vector<std::uint32_t> level(circuit.nodes());
    std::uint32_t levels = 0;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> owners;
    for (std::uint32_t node = 2; node < circuit.nodes(); ++node) {
        for (std::uint32_t b = circuit.branch_begin[node]; b < circuit.branch_begin[node + 1]; ++b)
            level[node] = std::max(level[node], level[circuit.branches[b]] + 1);
        levels = std::max(levels, level[node]);
        numbers.push_back(node);
        owners.push_back(level[node]);
    }
    const std::vector<std::uint32_t> begin = sort_by_owner(std::size_t{levels} + 1, owners, numbers, plan.nodes);
    for (std::uint32_t i = 0; i <= levels; ++i)
        if (begin[i] != begin[i + 1]) plan.levels.push_back({begin[i], begin[i + 1]});
}

void list_distributions(const Circuit& circuit, GpuCircuitPlan& plan) {
    std::vector<std::uint32_t> owners;
    std::vector<GpuCircuit::Use> ways;
    plan.distribution_begin.push_back(0);
    for (const Circuit::Distribution& one : circuit.distributions) {
        plan.distribution_way.push_back(one.first_way);
        for (std::uint32_t i = 0; i < one.parameters.size(); ++i) {
            plan.distribution_parameters.push_back(one.parameters[i]);
            owners.push_back(one.parameters[i]);
            ways.push_back({one.first_way + i + 1, one.first_way});
        }
        plan.distribution_begin.push_back(static_cast<std::uint32_t>(plan.distribution_parameters.size()));
    }
    plan.way_begin = sort_by_owner(circuit.parameters(), owners, ways, plan.parameter_ways);
}

// From the last node to the first, as the reference goes.
void list_uses(const Circuit& circuit, GpuCircuitPlan& plan) {
    std::vector<std::uint32_t> branches;
    std::vector<std::uint32_t> ways;
    std::vector<GpuCircuit::Use> of_branch;
    std::vector<GpuCircuit::Use> of_way;
    for (auto node = static_cast<std::uint32_t>(circuit.nodes()); node-- > 2;) {
        std::uint32_t way = circuit.first_way[node];
        for (std::uint32_t b = circuit.branch_begin[node]; b < circuit.branch_begin[node + 1]; ++b, ++way) {
            const Circuit::Node branch = circuit.branches[b];
            ways.push_back(way);
            of_way.push_back({node, branch});
            if (branch < 2) continue;  // no one asks for the gradients of constants
            branches.push_back(branch);
            of_branch.push_back({node, way});
        }
    }
    plan.use_begin = sort_by_owner(circuit.nodes(), branches, of_branch, plan.uses);
    const std::vector<std::uint32_t> begin = sort_by_owner(circuit.ways(), ways, of_way, plan.way_uses);
    plan.piece_begin.push_back(0);
    for (std::size_t way = 0; way < circuit.ways(); ++way) {
        for (std::uint32_t from = begin[way]; from < begin[way + 1]; from += uses_of_piece)
            plan.pieces.push_back({from, std::min(from + uses_of_piece, begin[way + 1])});
        plan.piece_begin.push_back(static_cast<std::uint32_t>(plan.pieces.size()));
    }
}

}  // namespace

GpuCircuitPlan plan_circuit(const Circuit& circuit) {
    GpuCircuitPlan plan;
    find_circuit_levels(circuit, plan);
    list_distributions(circuit, plan);
    list_uses(circuit, plan);
    plan.answers = circuit.asked;
    plan.answers.push_back(circuit.observed);
    std::vector<std::uint32_t> places(plan.answers.size());
    std::iota(places.begin(), places.end(), 0U);
    plan.seed_begin = sort_by_owner(circuit.nodes(), plan.answers, places, plan.seeds_of);
    return plan;
}

}  // namespace neumann
