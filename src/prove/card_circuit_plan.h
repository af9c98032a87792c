// A circuit as graphics cards run it: nodes by level, and for every sum what is added in it.
#pragma once

#include <cstdint>
#include <vector>

#include "prove/circuit.h"
#include "reason/cuda/card_circuit.h"

namespace neumann {

struct CardCircuitPlan {
    struct Level {
        std::uint32_t begin;  // in `nodes`
        std::uint32_t end;
    };
    std::vector<std::uint32_t> nodes;
    std::vector<Level> levels;  // a node's branches are on earlier ones

    std::vector<std::uint32_t> distribution_begin;
    std::vector<std::uint32_t> distribution_way;
    std::vector<std::uint32_t> distribution_parameters;
    std::vector<std::uint32_t> answers;  // what is asked, then the evidence
    std::vector<std::uint32_t> seed_begin;
    std::vector<std::uint32_t> seeds_of;
    std::vector<std::uint32_t> use_begin;
    std::vector<CardCircuit::Use> uses;
    std::vector<CardCircuit::Piece> pieces;
    std::vector<CardCircuit::Use> way_uses;
    std::vector<std::uint32_t> piece_begin;
    std::vector<std::uint32_t> way_begin;
    std::vector<CardCircuit::Use> parameter_ways;
};

CardCircuitPlan plan_circuit(const Circuit& circuit);

}  // namespace neumann
