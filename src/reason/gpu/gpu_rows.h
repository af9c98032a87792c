// Shared code of the threads of a step: addresses of their rows, and reading of conjunctions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "reason/gpu/gpu_lanes.h"
#include "reason/gpu/gpu_step.h"
#include "reason/kernels/conjunction.h"

#ifdef __CUDACC__
#define NEUMANN_UNROLL _Pragma("unroll")
#else
#define NEUMANN_UNROLL
#endif

namespace neumann::kernels {

// Values that are computed before the first of them is needed: so many loads are under way at a time.
inline constexpr std::uint32_t gpu_block = 4;

using GpuRow = Row<GpuLanes>;

// A thread's rows of each array.
struct GpuThread {
    const GpuStep& step;
    const GpuPlace& at;
    GpuItem item;

    constexpr GpuThread(const GpuStep& given, const GpuPlace& place)
        : step(given), at(place), item(given.items.items[place.item]) {}
    constexpr bool is_nothing() const { return item.to == GpuItem::nothing; }

    // Whether the step has a gradient for a head, in one of the thread's lanes.
    constexpr bool has_gradient(std::uint32_t head) const {
        return any(GpuRow::load(atoms(step.incoming), head)[0] != GpuLanes(0.0F));
    }
    constexpr bool is_whole() const { return item.to == GpuItem::whole; }
    constexpr bool is_last() const { return item.to == item.root; }
    // Whether a result is the owner's, not one of several to be joined.
    constexpr bool is_final(std::uint32_t to) const { return to == GpuItem::whole || to == item.root; }
    template <class Float>
    constexpr Float* atoms(Float* rows) const {
        return rows + gpu_offset(at, std::size_t{step.atoms} + 1);
    }
    template <class Float>
    constexpr Float* conjunctions(Float* rows) const {
        return rows + gpu_offset(at, step.conjunctions);
    }
    constexpr float* partial(std::uint32_t index) const {
        return step.partial + gpu_offset(at, step.partial_rows) + std::size_t{index} * tile_width;
    }
    // The data that chunks exchange: one object per thread and chunk.
    template <class Totals>
    constexpr Totals* totals(std::uint32_t index) const {
        const std::size_t thread = (std::size_t{index} * step.tiles + at.tile) * gpu_threads_per_row + at.lane / 4;
        return static_cast<Totals*>(static_cast<void*>(step.totals)) + thread;
    }
};

template <std::uint32_t longest, std::uint32_t in_common>
struct GpuShape {
    static constexpr std::uint32_t length = longest;
    static constexpr std::uint32_t common = in_common;
};

// Calls work(GpuShape) with the longest body among the item's conjunctions; 0: longer than the packed form.
template <class Work>
constexpr void with_length(std::uint32_t shape, const Work& work) {
    switch (shape % 8) {
    case 1:
        return work(GpuShape<1, 0>());
    case 2:
        return work(GpuShape<2, 0>());
    case 4:
        return work(GpuShape<4, 0>());
    default:
        return work(GpuShape<0, 0>());
    }
}

// The same with the common literals, if they are known.
template <std::size_t i = 0, class Work>
constexpr void with_shape(std::uint32_t shape, const Work& work) {
    if constexpr (i == std::size(gpu_common)) {
        with_length(shape, work);
    } else {
        if (shape == gpu_shape(4, gpu_common[i])) return work(GpuShape<4, gpu_common[i]>());
        with_shape<i + 1>(shape, work);
    }
}

template <std::uint32_t length>
struct GpuBody {
    GpuConjunction packed;
    std::uint32_t number;
    constexpr GpuBody(const GpuStep& step, std::uint32_t c) : packed(step.packed[c]), number(c) {}
    constexpr Conjunction weighed(const GpuStep& step) const {
        return {step.weight[clause(step)], packed.literal, length};
    }
    constexpr Conjunction alone() const { return {1.0F, packed.literal, length}; }
    constexpr std::uint32_t clause(const GpuStep& step) const { return step.graph.clause[number]; }
};
template <>
struct GpuBody<0> {
    Conjunction body;
    std::uint32_t number;
    constexpr GpuBody(const GpuStep& step, std::uint32_t c) : body(body_at(step.graph, c)), number(c) {}
    constexpr Conjunction weighed(const GpuStep& step) const {
        return {step.weight[step.graph.clause[number]], body.body, body.length};
    }
    constexpr Conjunction alone() const { return body; }
    constexpr std::uint32_t clause(const GpuStep& step) const { return step.graph.clause[number]; }
};

// The conjunctions of an item, with their common literals in registers.
template <class Not, class And, class Shape>
class GpuConjunctions {
public:
    constexpr GpuConjunctions(const GpuThread& thread, const float* rows, bool weighed)
        : step_(thread.step), rows_(rows), weighed_(weighed) {
        if constexpr (Shape::common != 0) {
            const GpuConjunction& packed = step_.packed[thread.item.begin];
            weight_ = weight_of(thread.item.begin);
            for (std::uint32_t j = 0; j < Shape::length; ++j) {
                if (is_common(j)) common_[j] = load_literal<GpuLanes, Not>(rows, packed.literal[j]);
            }
        }
    }
    constexpr GpuRow value(std::uint32_t c) const {
        if constexpr (Shape::length == 0) {
            Conjunction body = body_at(step_.graph, c);
            body.weight = weight_of(c);
            return And::value(body, rows_);
        } else {
            const GpuConjunction packed = step_.packed[c];
            return And::value_of(Shape::common != 0 ? weight_ : weight_of(c), Shape::length, [&](std::uint32_t j) {
                return is_common(j) ? common_[j] : load_literal<GpuLanes, Not>(rows_, packed.literal[j]);
            });
        }
    }
    constexpr GpuBody<Shape::length> body(std::uint32_t c) const { return {step_, c}; }

private:
    static constexpr bool is_common(std::uint32_t j) { return (Shape::common >> j & 1) != 0; }
    constexpr float weight_of(std::uint32_t c) const { return weighed_ ? step_.weight[step_.graph.clause[c]] : 1.0F; }

    const GpuStep& step_;
    const float* rows_;
    bool weighed_;
    float weight_ = 1.0F;
    GpuRow common_[GpuConjunction::longest];
};

// Adds the values of a range to an OR, block by block; an incomplete block is padded with 0, which adds nothing.
template <class Or, class Value>
constexpr void add_in_blocks(Or& disjunction, std::uint32_t begin, std::uint32_t end, const Value& value_of) {
    alignas(16) float block[gpu_block * tile_width];
    for (std::uint32_t first = begin; first < end; first += gpu_block) {
        NEUMANN_UNROLL
        for (std::uint32_t k = 0; k < gpu_block; ++k) {
            const std::uint32_t i = first + k < end ? first + k : end - 1;
            auto value = value_of(i);
            if (first + k >= end) value = decltype(value)::filled(0.0F);
            value.store(block + k * tile_width);
        }
        disjunction.add(block, gpu_block);
    }
}
// For an OR that a 0 does add to.
template <class Or, class Value>
constexpr void add_exactly(Or& disjunction, std::uint32_t begin, std::uint32_t end, const Value& value_of) {
    alignas(16) float block[gpu_block * tile_width];
    std::uint32_t first = begin;
    for (; first + gpu_block <= end; first += gpu_block) {
        NEUMANN_UNROLL
        for (std::uint32_t k = 0; k < gpu_block; ++k) value_of(first + k).store(block + k * tile_width);
        disjunction.add(block, gpu_block);
    }
    for (; first < end; ++first) {
        value_of(first).store(block);
        disjunction.add(block, 1);
    }
}

// The value of an OR that can go on as one of another's.
template <class Or>
constexpr auto value_before_clamping(const Or& disjunction) {
    if constexpr (requires { disjunction.unclamped(); }) {
        return disjunction.unclamped();
    } else {
        return disjunction.result();
    }
}

}  // namespace neumann::kernels
