// Interface of a kernel, as plain pointers: one step of message passing for a list of atoms, forwards or backwards, for
// a tile of examples. Kernels are compiled once per instruction set from the same source; this header is all that the
// rest of the library includes. It contains no inline functions, because code that a kernel file compiles with its
// instruction set must not be linked into other files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neumann {

// Examples that are computed side by side. A row is one atom's values for a tile: one cache line.
inline constexpr std::size_t tile_width = 16;
// Conjunctions of one head whose values are held at a time. Fixed relative to the head's first one, so that sums do not
// depend on skipped conjunctions.
inline constexpr unsigned block_size = 32;

struct GraphView {
    const std::uint32_t* in_begin;
    const std::uint32_t* clause;
    const std::uint32_t* body_begin;
    const std::uint32_t* body;  // literals: 2·atom + sign
};

// Facts about a row that hold in every lane. The second only with negated literals.
inline constexpr std::uint8_t atom_is_zero = 1;
inline constexpr std::uint8_t negation_is_zero = 2;

struct ForwardStep {
    GraphView graph;
    float gamma;
    const float* weight;       // per clause
    const float* initial;      // rows
    const float* now;          // rows
    const std::uint8_t* zero;  // per atom: the flags below
    const std::uint32_t* atoms;
    std::size_t count;
    float* staged;         // the new row of atoms[i] is row i
    std::uint8_t* status;  // per i: a combination of the flags below
    float* state;          // of semantics that keep state: a row per conjunction; updated in place
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
    const std::uint8_t* zero;  // per atom, of its row in `before`
    const std::uint32_t* atoms;
    std::size_t count;
    const float* incoming;    // row i: the gradient of the new value of atoms[i]
    float* outgoing;          // rows: gradients of the values the step read; added to
    std::uint8_t* touched;    // per atom: outgoing has been added to
    float* initial_gradient;  // rows; added to
    float* weight_gradient;   // a row per clause; added to
    float* scratch;           // room for two rows per atom of the longest body, and one more
    // Of semantics that keep state, rows per conjunction; gradients are carried from step to step.
    const float* state_before;
    const float* state_after;
    float* state_gradient;
};

// One step under one semantics.
struct KernelStep {
    void (*forward)(const ForwardStep&);
    void (*backward)(const BackwardStep&);
};

// A circuit (see worlds/circuit.h), for a tile of examples: constants and ways, then sums of products of two rows that
// stand before.
struct CircuitView {
    const std::uint32_t* term_begin;  // per node, and the end
    const std::uint32_t* left;        // per term: nodes
    const std::uint32_t* right;
    std::size_t first_sum;
    std::size_t nodes;
};

struct CircuitForward {
    CircuitView circuit;
    float* values;  // a row per node; those of constants and ways are there
};

struct CircuitBackward {
    CircuitView circuit;
    const float* values;
    float* gradients;  // a row per node, of the circuit's answers at first; added to
};

struct CircuitKernel {
    void (*forward)(const CircuitForward&);
    void (*backward)(const CircuitBackward&);
};

struct Kernel {
    const char* name;
    // By number of the semantics: for graphs without negated literals, and for all.
    const KernelStep* positive;
    const KernelStep* with_not;
    CircuitKernel circuit;
};

}  // namespace neumann
