// Circuit in the form for GPUs: nodes by level, and for every sum its terms.
#pragma once

#include <cstdint>
#include <vector>

#include "reason/gpu/gpu_circuit.h"
#include "worlds/circuit.h"

namespace neumann {

struct GpuCircuitPlan {
    struct Level {
        std::uint32_t begin;  // in `nodes`
        std::uint32_t end;
    };
    std::vector<std::uint32_t> nodes;
    std::vector<Level> levels;  // a node's branches are on earlier ones

    std::vector<std::uint32_t> distribution_begin;
    std::vector<std::uint32_t> distribution_way;
    std::vector<std::uint32_t> distribution_parameters;
    std::vector<std::uint32_t> answers;  // the queries, then the evidence
    std::vector<std::uint32_t> seed_begin;
    std::vector<std::uint32_t> seeds_of;
    std::vector<std::uint32_t> use_begin;
    std::vector<GpuCircuit::Use> uses;
    std::vector<GpuCircuit::Piece> pieces;
    std::vector<GpuCircuit::Use> way_uses;
    std::vector<std::uint32_t> piece_begin;
    std::vector<std::uint32_t> way_begin;
    std::vector<GpuCircuit::Use> parameter_ways;
};

GpuCircuitPlan plan_circuit(const Circuit& circuit);

}  // namespace neumann
