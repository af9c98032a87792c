// Rows of a tile as lanes: loading, storing, and tests for zero. Only these functions know the memory layout of values;
// formulas take and return lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/lane.h"
#include "reason/kernels/kernel.h"

namespace neumann::kernels {

template <class V>
inline constexpr unsigned vectors_per_row = tile_width / static_cast<unsigned>(V::size);

template <class V>
struct Row {
    V part[vectors_per_row<V>];

    constexpr V& operator[](unsigned v) { return part[v]; }
    constexpr const V& operator[](unsigned v) const { return part[v]; }

    static constexpr Row filled(float value) {
        Row row;
        for (V& p : row.part) p = V(value);
        return row;
    }
    static constexpr Row load(const float* from) {
        Row row;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) row[v] = V::load_aligned(from + v * V::size);
        return row;
    }
    static constexpr Row load(const float* rows, std::uint32_t index) {
        return load(rows + std::size_t{index} * tile_width);
    }
    constexpr void store(float* to) const {
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) part[v].store_aligned(to + v * V::size);
    }
    constexpr void add_to(float* to) const {
        for (unsigned v = 0; v < vectors_per_row<V>; ++v)
            (V::load_aligned(to + v * V::size) + part[v]).store_aligned(to + v * V::size);
    }
    constexpr void operator*=(const Row& other) {
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) part[v] *= other[v];
    }
    friend constexpr Row operator*(Row a, const Row& b) {
        a *= b;
        return a;
    }
    constexpr bool any_nonzero() const {
        bool found = false;
        for (const V& p : part) found = found || any(p != V(0.0F));
        return found;
    }
    constexpr bool differs_from(const Row& other) const {
        bool found = false;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) found = found || any(part[v] != other[v]);
        return found;
    }
};

// One State per vector of a row, each made from something they share and the vectors of the given rows.
template <class V, class State>
struct PerVector {
    template <class Shared, class... Rows>
    constexpr explicit PerVector(const Shared& shared, const Rows&... rows)
        : PerVector(std::make_index_sequence<vectors_per_row<V>>(), shared, rows...) {}

    constexpr State& operator[](unsigned v) { return part[v]; }

    State part[vectors_per_row<V>];

private:
    template <std::size_t... I, class Shared, class... Rows>
    constexpr PerVector(std::index_sequence<I...>, const Shared& shared, const Rows&... rows)
        : part{make<I>(shared, rows...)...} {}
    template <std::size_t I, class Shared, class... Rows>
    static constexpr State make(const Shared& shared, const Rows&... rows) {
        return State(shared, rows[I]...);
    }
};

}  // namespace neumann::kernels
