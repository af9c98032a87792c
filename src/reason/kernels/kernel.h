// What a kernel does, as plain pointers: one step of message passing for a list of atoms, forwards or backwards, for a
// tile of examples. Kernels are compiled once per instruction set from the same source; this header is all that the
// rest of the library knows of them. It includes nothing with inline functions, because whatever a kernel file compiles
// with its instruction set must not end up being used elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neumann {

// Examples that are computed side by side. A row is one atom's values for a tile: one cache line.
inline constexpr unsigned tile_width = 16;
// Conjunctions of one head whose values are held at a time. Fixed relative to the head's first one, so that sums do not
// depend on what is skipped.
inline constexpr unsigned block_size = 32;

struct GraphView {
    const std::uint32_t* in_begin;
    const std::uint32_t* clause;
    const std::uint32_t* body_begin;
    const std::uint32_t* body;  // literals: 2·atom + sign
};

struct ForwardStep {
    GraphView graph;
    float gamma;
    const float* weight;       // per clause
    const float* initial;      // rows
    const float* now;          // rows
    const std::uint8_t* zero;  // per atom: its row is 0 in every lane
    const std::uint32_t* atoms;
    std::size_t count;
    float* staged;         // the new row of atoms[i] is row i
    std::uint8_t* status;  // per i: a combination of the flags below
    float* held;           // paper: a row per conjunction, its value so far; updated in place
};
inline constexpr std::uint8_t row_changed = 1;
inline constexpr std::uint8_t row_nonzero = 2;

struct BackwardStep {
    GraphView graph;
    float gamma;
    const float* weight;
    const float* initial;
    const float* before;       // rows: the values the step read
    const float* after;        // rows: the values it wrote
    const std::uint8_t* zero;  // per atom: its row in `before` is 0 in every lane
    const std::uint32_t* atoms;
    std::size_t count;
    const float* incoming;     // row i: the gradient of the new value of atoms[i]
    float* outgoing;           // rows: gradients of the values the step read; added to
    std::uint8_t* touched;     // per atom: outgoing has been added to
    float* initial_gradient;   // rows; added to
    float* weight_gradient;    // a row per clause; added to
    float* scratch;            // room for two rows per atom of the longest body, and one more
    const float* held_before;  // paper: rows per conjunction
    const float* held_after;
    float* held_gradient;  // paper: rows per conjunction, carried from step to step
};

inline constexpr unsigned semantics_count = 7;

struct Kernel {
    const char* name;
    void (*forward[semantics_count])(const ForwardStep&);  // by Semantics
    void (*backward[semantics_count])(const BackwardStep&);
};

}  // namespace neumann
