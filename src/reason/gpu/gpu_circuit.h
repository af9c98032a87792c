// GPU kernels of circuits, in double precision: their arguments, as plain pointers into the GPU's memory, and the work
// of their threads. Rows of `stride` numbers lie one after the other, a thread has one number of one row. A thread adds
// numbers of other rows, in an order fixed by the circuit: sums are the same on every run and for every batch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neumann {

enum class GpuCircuitWork : std::uint8_t {
    Ways,        // per distribution: how probable its ways are
    Constants,   // the two nodes that are
    Forward,     // per node of a level: its value
    Answers,     // per answer: into rows of examples
    Backward,    // per node of a level: the gradient of its value
    WayParts,    // per piece of a way's uses: their sum
    WaySums,     // per way: the gradient of its probability
    Parameters,  // per parameter: likewise, into rows of examples
    Count,
};

struct GpuCircuit {
    struct Use {  // of a node by one above it
        std::uint32_t node;
        std::uint32_t other;  // the factor beside it
    };
    struct Piece {
        std::uint32_t begin;
        std::uint32_t end;
    };

    // The circuit.
    const std::uint32_t* term_begin;  // per node, and the end; as below
    const std::uint32_t* left;        // per term
    const std::uint32_t* right;
    const std::uint32_t* distribution_begin;
    const std::uint32_t* distribution_way;  // per distribution: its first
    const std::uint32_t* distribution_parameters;
    const std::uint32_t* answers;     // nodes
    const std::uint32_t* seed_begin;  // per node
    const std::uint32_t* seeds_of;    // places among the answers
    const std::uint32_t* use_begin;   // per node
    const Use* uses;
    const Piece* pieces;
    const Use* way_uses;
    const std::uint32_t* piece_begin;  // per way
    const std::uint32_t* way_begin;    // per parameter: pairs of ways, that it is so and that no one is
    const Use* parameter_ways;
    std::uint32_t facts;
    std::uint32_t parameters;
    std::uint32_t answer_count;
    // The batch.
    std::uint32_t examples;
    std::uint32_t stride;
    const double* fact_values;  // rows of examples
    const double* clause_values;
    const double* seeds;  // rows of examples
    double* values;       // of the constants, then of the ways, then of the sums
    double* gradients;
    double* way_parts;
    double* way_gradients;
    double* to;  // rows of examples
    // The launch.
    const std::uint32_t* items;  // null: all from 0
    std::uint32_t count;
};

namespace kernels {

template <GpuCircuitWork Kind>
constexpr void run_gpu_circuit(const GpuCircuit& of, std::uint32_t place, std::uint32_t lane) {
    using Work = GpuCircuitWork;
    const std::uint32_t item = of.items == nullptr ? place : of.items[place];
    const std::size_t stride = of.stride;
    const auto at = [&](std::uint32_t row) { return row * stride + lane; };
    const std::uint32_t example = lane < of.examples ? lane : of.examples - 1;  // spare lanes repeat the last
    if constexpr (Kind == Work::Ways) {
        double rest = 1;
        std::uint32_t way = of.distribution_way[item] + 2;
        const std::size_t none = at(way);
        for (std::uint32_t i = of.distribution_begin[item]; i < of.distribution_begin[item + 1]; ++i) {
            const std::uint32_t parameter = of.distribution_parameters[i];
            const double value = parameter < of.facts ? of.fact_values[std::size_t{example} * of.facts + parameter]
                                                      : of.clause_values[parameter - of.facts];
            of.values[at(++way)] = value;
            rest -= value;
        }
        of.values[none] = rest > 0 ? rest : 0;
    } else if constexpr (Kind == Work::Constants) {
        of.values[at(item)] = item;
    } else if constexpr (Kind == Work::Forward) {
        double sum = 0;
        for (std::uint32_t t = of.term_begin[item]; t < of.term_begin[item + 1]; ++t)
            sum += of.values[at(of.left[t])] * of.values[at(of.right[t])];
        of.values[at(item)] = sum;
    } else if constexpr (Kind == Work::Answers) {
        if (lane < of.examples) of.to[std::size_t{lane} * of.answer_count + item] = of.values[at(of.answers[item])];
    } else if constexpr (Kind == Work::Backward) {
        double sum = 0;
        for (std::uint32_t i = of.seed_begin[item]; i < of.seed_begin[item + 1]; ++i)
            sum += of.seeds[std::size_t{example} * of.answer_count + of.seeds_of[i]];
        for (std::uint32_t i = of.use_begin[item]; i < of.use_begin[item + 1]; ++i)
            sum += of.gradients[at(of.uses[i].node)] * of.values[at(of.uses[i].other)];
        of.gradients[at(item)] = sum;
    } else if constexpr (Kind == Work::WayParts) {
        double sum = 0;
        for (std::uint32_t i = of.pieces[item].begin; i < of.pieces[item].end; ++i)
            sum += of.gradients[at(of.way_uses[i].node)] * of.values[at(of.way_uses[i].other)];
        of.way_parts[at(item)] = sum;
    } else if constexpr (Kind == Work::WaySums) {
        double sum = 0;
        for (std::uint32_t i = of.piece_begin[item]; i < of.piece_begin[item + 1]; ++i) sum += of.way_parts[at(i)];
        of.way_gradients[at(item)] = sum;
    } else if (lane < of.examples) {
        double sum = 0;
        for (std::uint32_t i = of.way_begin[item]; i < of.way_begin[item + 1]; ++i)
            sum += of.way_gradients[at(of.parameter_ways[i].node)] - of.way_gradients[at(of.parameter_ways[i].other)];
        of.to[std::size_t{lane} * of.parameters + item] = sum;
    }
}

}  // namespace kernels
}  // namespace neumann
