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
    for (auto node = static_cast<std::uint32_t>(circuit.first_sum()); node < circuit.nodes(); ++node) {
        for (std::uint32_t t = circuit.term_begin[node]; t < circuit.term_begin[node + 1]; ++t)
            level[node] = std::max({level[node], level[circuit.left[t]] + 1, level[circuit.right[t]] + 1});
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
    const auto first_sum = static_cast<std::uint32_t>(circuit.first_sum());
    std::vector<std::uint32_t> sums;
    std::vector<std::uint32_t> ways;
    std::vector<GpuCircuit::Use> of_sum;
    std::vector<GpuCircuit::Use> of_way;
    const auto add = [&](std::uint32_t factor, GpuCircuit::Use use) {
        if (factor < 2) return;  // no one asks for the gradients of constants
        (factor < first_sum ? ways : sums).push_back(factor < first_sum ? factor - 2 : factor);
        (factor < first_sum ? of_way : of_sum).push_back(use);
    };
    for (auto node = static_cast<std::uint32_t>(circuit.nodes()); node-- > first_sum;) {
        for (std::uint32_t t = circuit.term_begin[node]; t < circuit.term_begin[node + 1]; ++t) {
            add(circuit.left[t], {node, circuit.right[t]});
            add(circuit.right[t], {node, circuit.left[t]});
        }
    }
    plan.use_begin = sort_by_owner(circuit.nodes(), sums, of_sum, plan.uses);
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
