// Arguments of a step on a GPU, as plain pointers into the GPU's memory. Rows lie by tile: [tile][row][16];
// a thread has four lanes of one row. No thread waits for another: a step is a few launches in order, each of which
// writes every row from one thread.
//
// Heads of many conjunctions are cut into chunks, whose results are joined in a tree: four at a time, level by level.
// Its form depends on the graph alone, so that sums come out the same on every run and for every batch. Its first two
// levels are joined by the threads that have the chunks; the others by another launch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reason/kernels/kernel.h"

namespace neumann {

// The body of a conjunction of up to four literals in one load; for less the last literals are those of an atom that is
// true, the one behind all atoms.
struct alignas(16) GpuConjunction {
    static constexpr std::uint32_t longest = 4;
    std::uint32_t literal[longest];
};

// A piece of work for the threads of a row: conjunctions, uses or results to be joined, for an owner.
struct alignas(16) GpuItem {
    static constexpr std::uint32_t whole = UINT32_MAX;        // for `to`: it is all that the owner has
    static constexpr std::uint32_t nothing = UINT32_MAX - 1;  // for `to`: there is nothing to do

    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t owner;  // an atom, or a clause
    std::uint32_t shape;  // of bodies: see gpu_shape
    std::uint32_t to;     // where among the results of chunks its own goes
    std::uint32_t root;   // where the result of all of the owner's chunks goes; that of this item, if it is the last
    std::uint32_t first;  // where those of the owner's chunks begin, and how many there are: the tree's leaves
    std::uint32_t count;
};

// The longest body among an item's conjunctions, up to one literal, two, four (0: more), and the places of the literals
// that they have in common. Conjunctions with common literals have the clause in common, too.
constexpr std::uint32_t gpu_shape(std::uint32_t length, std::uint32_t common = 0) { return length + 8 * common; }

// Patterns of common literals, for bodies of four: the first two, the last two, the first and the last, or the last
// one, which shorter bodies do not have.
inline constexpr std::uint32_t gpu_common[] = {0b1001, 0b0011, 0b1100, 0b1000};

// A tree of results: `gpu_radix` of them are joined to one.
inline constexpr std::uint32_t gpu_radix = 4;
inline constexpr std::uint32_t gpu_group = gpu_radix * gpu_radix;  // chunks that are joined where they are computed
inline constexpr std::uint32_t gpu_group_levels = 2;

struct GpuJoin {
    std::uint32_t begin;
    std::uint32_t end;  // where there is nothing to join this is the beginning
    std::uint32_t to;
};
// The results of a level; level 0 is that of the leaves.
constexpr GpuJoin gpu_level(std::uint32_t first, std::uint32_t count, std::uint32_t level) {
    for (; level > 0; --level) {
        if (count == 1) return {first, first, first};  // beyond the root
        first += count;
        count = (count + gpu_radix - 1) / gpu_radix;
    }
    return {first, first + count, first + count};
}
// Number i of the joins that make a level.
constexpr GpuJoin gpu_join(const GpuItem& item, std::uint32_t level, std::uint32_t i) {
    const GpuJoin below = gpu_level(item.first, item.count, level - 1);
    const std::uint32_t begin = below.begin + i * gpu_radix;
    if (below.end - below.begin < 2 || begin >= below.end) return {0, 0, 0};
    return {begin, below.end - begin < gpu_radix ? below.end : begin + gpu_radix, below.end + i};
}

struct GpuItems {
    const GpuItem* items;
    std::uint32_t count;
};

// Of semantics that take the instances of a clause together: those of a head.
struct GpuRun {
    std::uint32_t root;    // where the result of its chunks is
    std::uint32_t clause;  // of all of them
};

struct GpuUse {
    std::uint32_t conjunction;
    std::uint32_t place;  // in its body
};

struct GpuStep {
    GraphView graph;
    const GpuConjunction* packed;
    const std::uint32_t* head;  // per conjunction
    std::uint32_t atoms;        // rows of atoms are one more: the last one is that of the constant true
    std::uint32_t conjunctions;
    std::uint32_t clauses;
    std::uint32_t tiles;
    float gamma;
    const float* weight;   // per clause
    const float* initial;  // rows of atoms, as those below
    const float* before;   // the inputs of the step
    float* after;          // its outputs; in a backward pass those of the forward pass
    GpuItems items;
    // Results of chunks: rows of so many per tile, and the data that chunks exchange in a backward pass.
    float* partial;
    std::uint32_t partial_rows;
    unsigned char* totals;
    // Of semantics that keep state, rows of conjunctions.
    const float* state_before;
    float* state_after;
    float* state_gradient;
    // The way back.
    const float* incoming;         // rows of atoms: gradients of the new values
    float* gradient;               // rows of atoms: of the values that the step read; added to
    float* initial_gradient;       // rows of atoms; added to
    float* weight_gradient;        // rows of clauses; added to
    float* conjunction_gradient;   // rows of conjunctions: of their values
    float* weight_part;            // rows of conjunctions, of semantics of which the weight is no factor of these
    const GpuRun* runs;            // of heads
    const GpuUse* uses;            // of atoms, for pull
    const std::uint32_t* members;  // of clauses, for weigh
};

// The launches that a step consists of.
enum class GpuWork : std::uint8_t {
    Forward,      // new values, or those of chunks
    ForwardJoin,  // trees of more levels
    Heads,        // new values of the clauses of heads that are split by clause
    Totals,       // the data that chunks exchange in a backward pass
    TotalsJoin,
    Finish,    // the own data of heads with several chunks, or clauses
    Reverse,   // from the gradients of heads to those of conjunctions
    Pull,      // from the gradients of conjunctions to those of atoms
    PullJoin,  // sums of chunks
    Weigh,     // and to those of weights
    WeighJoin,
    Count,
};
// How many threads share a row, and the order of threads: four tiles at a time, so that their inputs stay in the cache.
inline constexpr std::uint32_t gpu_threads_per_row = static_cast<std::uint32_t>(tile_width) / 4;

struct GpuGrid {
    std::uint32_t low;  // tiles side by side
    std::uint32_t x;    // threads
    std::uint32_t y;    // groups of tiles
};
constexpr std::uint32_t gpu_low(std::uint32_t tiles) { return tiles < 3 ? tiles : 4; }
constexpr GpuGrid gpu_grid(std::uint32_t items, std::uint32_t tiles) {
    const std::uint32_t low = gpu_low(tiles);
    return {low, items * low * gpu_threads_per_row, (tiles + low - 1) / low};
}

struct GpuPlace {
    std::uint32_t item;
    std::uint32_t tile;
    std::uint32_t lane;  // the first of four
};
constexpr GpuPlace gpu_place(std::uint32_t tiles, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t low = gpu_low(tiles);
    const std::uint32_t row = x / gpu_threads_per_row;
    return {row / low, y * low + row % low, x % gpu_threads_per_row * 4};
}
constexpr std::size_t gpu_offset(const GpuPlace& place, std::size_t rows) {
    return place.tile * rows * tile_width + place.lane;
}

}  // namespace neumann
