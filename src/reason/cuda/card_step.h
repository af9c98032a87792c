// What a step on a graphics card is given, as plain pointers into the card's memory. Rows lie by tile: [tile][row][16];
// a thread has four lanes of one row. No thread waits for another: a step is a few launches in order, each of which
// writes every row from one thread.
//
// Heads of many conjunctions are cut into chunks, whose results are joined in a tree. Its form depends on the graph
// alone, so that sums come out the same on every run and for every batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reason/kernels/kernel.h"

namespace neumann {

// The body of a conjunction of up to four literals in one load; for less the last literals are those of an atom that is
// true, the one behind all atoms.
struct alignas(16) CardConjunction {
    static constexpr std::uint32_t longest = 4;
    std::uint32_t literal[longest];
};

// A piece of work for the threads of a row: conjunctions, uses or results to be joined, for an owner.
struct CardItem {
    static constexpr std::uint32_t whole = UINT32_MAX;  // for `to`: it is all that the owner has

    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t owner;  // an atom, or a clause
    std::uint32_t to;     // where among the results of chunks its own goes
    std::uint32_t root;   // where the result of all of the owner's chunks goes; that of this item, if it is the last
};

// Items in the order of the longest body among their conjunctions: up to one literal, two, four, more.
struct CardItems {
    const CardItem* items;
    std::uint32_t count;
    std::uint32_t class_end[3];
};

struct CardUse {
    std::uint32_t conjunction;
    std::uint32_t place;  // in its body
};

struct CardStep {
    GraphView graph;
    const CardConjunction* packed;
    const std::uint32_t* head;  // per conjunction
    std::uint32_t atoms;        // rows of atoms are one more: the last one is that of what is true
    std::uint32_t conjunctions;
    std::uint32_t clauses;
    std::uint32_t tiles;
    float gamma;
    const float* weight;           // per clause
    const float* initial;          // rows of atoms, as those below
    const float* before;           // what the step reads
    float* after;                  // what it writes; on the way back what it wrote
    const std::uint8_t* no_zeros;  // per atom, all 0
    CardItems items;
    // Results of chunks: rows of so many per tile, and what chunks have to know of each other on the way back.
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
    const CardUse* uses;           // of atoms, for pull
    const std::uint32_t* members;  // of clauses, for weigh
};

// The launches that a step consists of.
enum class CardWork : std::uint8_t {
    Forward,      // new values, or those of chunks
    ForwardJoin,  // a level of the tree
    Totals,       // what chunks have to know of each other on the way back
    TotalsJoin,
    Reverse,   // from the gradients of heads to those of conjunctions
    Finish,    // what heads of several chunks keep for themselves
    Pull,      // from the gradients of conjunctions to those of atoms
    PullJoin,  // sums of chunks
    Weigh,     // and to those of weights
    WeighJoin,
    Count,
};
// How many threads share a row, and the order of threads: four tiles at a time, so that what they read stays near.
inline constexpr std::uint32_t card_threads_per_row = static_cast<std::uint32_t>(tile_width) / 4;

struct CardGrid {
    std::uint32_t low;  // tiles side by side
    std::uint32_t x;    // threads
    std::uint32_t y;    // groups of tiles
};
constexpr CardGrid card_grid(std::uint32_t items, std::uint32_t tiles) {
    const std::uint32_t low = tiles < 4 ? tiles : 4;
    return {low, items * low * card_threads_per_row, (tiles + low - 1) / low};
}

struct CardPlace {
    std::uint32_t item;
    std::uint32_t tile;
    std::uint32_t lane;  // the first of four
};
constexpr CardPlace card_place(std::uint32_t tiles, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t low = tiles < 4 ? tiles : 4;
    const std::uint32_t row = x / card_threads_per_row;
    return {row / low, y * low + row % low, x % card_threads_per_row * 4};
}
constexpr std::size_t card_offset(const CardPlace& place, std::size_t rows) {
    return place.tile * rows * tile_width + place.lane;
}

}  // namespace neumann
