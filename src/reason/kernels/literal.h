// Literals of bodies: 2·atom + sign. Kernels come in two forms: for graphs without negation (`Positive`), where
// there is nothing to test, and with the semantics' NOT for the others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reason/kernels/rows.h"

namespace neumann::kernels {

// In place of a NOT: no literal is negated.
struct Positive {
    static constexpr bool negates = false;
};

// Static, like all code that is compiled with the instructions of its own file.
static constexpr std::uint32_t atom_of(std::uint32_t literal) { return literal >> 1; }
static constexpr bool is_negated(std::uint32_t literal) { return (literal & 1) != 0; }

template <class V, class Not>
constexpr Row<V> load_literal(const float* rows, std::uint32_t literal) {
    if constexpr (!Not::negates) return Row<V>::load(rows + std::size_t{literal} * (tile_width / 2));  // no sign
    Row<V> x = Row<V>::load(rows, atom_of(literal));
    if constexpr (Not::negates) {
        if (is_negated(literal)) {
            for (V& part : x.part) part = Not::value(part);
        }
    }
    return x;
}

// Whether a literal is 0 in the whole tile. `zero` has flags for each atom: atom_is_zero and negation_is_zero.
template <class Not>
constexpr std::uint32_t is_zero(std::uint32_t literal, const std::uint8_t* zero) {
    if constexpr (Not::negates) {
        return (zero[atom_of(literal)] >> (literal & 1)) & 1;
    } else {
        return zero[atom_of(literal)];
    }
}

}  // namespace neumann::kernels
