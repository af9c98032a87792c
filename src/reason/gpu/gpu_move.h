// GPU kernels that move values, without arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "reason/gpu/gpu_lanes.h"
#include "reason/gpu/gpu_step.h"

namespace neumann {

enum class GpuMoving : std::uint8_t {
    Fill,     // rows of all atoms with their numbers in `base`, and the row of the constant true
    Commit,   // copies `from` to `to` for the examples that still run; the earlier contents of `to` are kept
    Take,     // the gradients that a step starts from: out of `from`, into `to`
    Gather,   // rows of some atoms out of `from`, together in `kept`
    Scatter,  // and back from `kept` into `to`
    Put,      // single values into `to`
    Get,      // the numbers of some atoms out of `from`: into `kept`, a row of `count` for each example
    Clean,    // without −0, in `to`; sums `from` to it
    Spread,   // rows of some atoms out of `from` into each of several arrays
    Dense,    // the numbers of some atoms out of `dense` into `to`, without tiny ones
    Read,     // `round` times each of several arrays, whose largest numbers go into `to`: how fast memory is
    PutRows,  // the numbers of some atoms out of `table` into `to`
    GetRows,  // and out of `from` into `table`
};

struct GpuValue {
    std::uint32_t example;
    std::uint32_t atom;
    float value;
};

struct GpuMove {
    std::uint32_t tiles = 0;
    std::uint32_t rows = 0;                // per tile
    const std::uint32_t* atoms = nullptr;  // null: all rows
    std::uint32_t count = 0;
    std::uint32_t round = 0;
    std::uint32_t* lane_rounds = nullptr;  // per example; null: none stops earlier
    bool until_stable = false;             // counts an example's rounds until no value changes
    const float* base = nullptr;
    float* from = nullptr;
    float* to = nullptr;
    float* kept = nullptr;
    const GpuValue* values = nullptr;
    const float* dense = nullptr;  // a row of `count` for each example
    std::uint32_t examples = 0;
    std::uint32_t copies = 0;  // of an array, so many numbers apart
    std::size_t apart = 0;
    // Rows of examples that are someone else's.
    float* table = nullptr;
    std::uint32_t width = 0;
    const std::uint32_t* columns = nullptr;   // per atom
    std::uint32_t* no_probability = nullptr;  // becomes 1 where a number is none; null: they may be any
    bool add = false;
};

namespace kernels {

constexpr std::uint32_t moved_atom(const GpuMove& move, std::uint32_t i) {
    return move.atoms == nullptr ? i : move.atoms[i];
}

// For Put the place counts values, for Get numbers of an example; for the others rows and lanes.
struct GpuMover {
    const GpuMove& move;
    const GpuPlace& at;

    constexpr void run(GpuMoving what) const {
        switch (what) {
        case GpuMoving::Fill:
            return each_lane([&](std::uint32_t i, std::size_t row, std::size_t) {
                move.to[row] = i + 1 == move.rows ? 1.0F : move.base[i];
            });
        case GpuMoving::Commit:
            return each_lane([&](std::uint32_t i, std::size_t row, std::size_t example) { commit(i, row, example); });
        case GpuMoving::Take:
            return each_lane([&](std::uint32_t, std::size_t row, std::size_t example) {
                const bool runs = move.lane_rounds == nullptr || move.round <= move.lane_rounds[example];
                move.to[row] = runs ? move.from[row] : 0.0F;
                if (runs) move.from[row] = 0.0F;
            });
        case GpuMoving::Gather:
            return each_lane(
                [&](std::uint32_t i, std::size_t row, std::size_t) { move.kept[kept_place(i, row)] = move.from[row]; });
        case GpuMoving::Scatter:
            return each_lane(
                [&](std::uint32_t i, std::size_t row, std::size_t) { move.to[row] = move.kept[kept_place(i, row)]; });
        case GpuMoving::Clean:
            return each_lane([&](std::uint32_t, std::size_t row, std::size_t) {
                move.to[row] += move.from == nullptr ? 0.0F : move.from[row] + 0.0F;
            });
        case GpuMoving::Spread:
            return each_lane([&](std::uint32_t, std::size_t row, std::size_t) {
                for (std::uint32_t i = 0; i < move.copies; ++i) move.to[i * move.apart + row] = move.from[row];
            });
        case GpuMoving::Dense:
            return each_lane([&](std::uint32_t i, std::size_t row, std::size_t example) {
                if (example >= move.examples) return;
                const float value = move.dense[example * move.count + i];
                move.to[row] = value < std::numeric_limits<float>::min() ? 0.0F : value;
            });
        case GpuMoving::Read:
            return read();
        case GpuMoving::PutRows:
            return each_lane([&](std::uint32_t i, std::size_t row, std::size_t example) { put_row(i, row, example); });
        case GpuMoving::GetRows:
            return each_lane([&](std::uint32_t i, std::size_t row, std::size_t example) {
                if (example < move.examples) move.table[example * move.width + move.columns[i]] = move.from[row];
            });
        case GpuMoving::Put:
            return put();
        case GpuMoving::Get:
            return get();
        }
    }

private:
    template <class Use>
    constexpr void each_lane(const Use& use) const {
        const std::uint32_t atom = moved_atom(move, at.item);
        const std::size_t first = (at.tile * std::size_t{move.rows} + atom) * tile_width + at.lane;
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            use(at.item, first + lane, at.tile * tile_width + at.lane + lane);
    }
    constexpr std::size_t kept_place(std::uint32_t i, std::size_t row) const {
        return (at.tile * std::size_t{move.count} + i) * tile_width + row % tile_width;
    }
    constexpr void commit(std::uint32_t i, std::size_t row, std::size_t example) const {
        const float next = move.from[row];
        const float now = move.to[row];
        bool runs = true;
        if (move.until_stable) {
            if (next != now) move.lane_rounds[example] = move.round;  // all changing atoms write the same
        } else {
            runs = move.lane_rounds == nullptr || move.round <= move.lane_rounds[example];
        }
        if (runs) move.to[row] = next;
        if (move.kept != nullptr) move.kept[kept_place(i, row)] = runs ? next : now;
    }
    // Each time of another row, that it is not found near the thread.
    constexpr void read() const {
        constexpr std::uint32_t apart = 977;
        GpuLanes largest(0.0F);
        for (std::uint32_t k = 0; k < move.round; ++k) {
            const std::size_t row = at.tile * std::size_t{move.rows} + (at.item + k * apart) % move.rows;
            for (std::uint32_t i = 0; i < move.copies; ++i)
                largest = max(largest, GpuLanes::load_aligned(move.from + i * move.apart + row * tile_width + at.lane));
        }
        largest.store_aligned(move.to + (at.tile * std::size_t{move.rows} + at.item) * tile_width + at.lane);
    }
    constexpr void put_row(std::uint32_t i, std::size_t row, std::size_t example) const {
        if (example >= move.examples) return;
        const float value = move.table[example * move.width + move.columns[i]];
        if (move.no_probability == nullptr) {
            move.to[row] = move.add ? move.to[row] + value : value;
            return;
        }
        if (!(value >= 0 && value <= 1)) *move.no_probability = 1;  // all threads write the same
        move.to[row] = value < std::numeric_limits<float>::min() ? 0.0F : value;
    }
    constexpr std::size_t place_of(std::uint32_t example, std::uint32_t atom) const {
        return (example / tile_width * move.rows + atom) * tile_width + example % tile_width;
    }
    constexpr void put() const {
        const GpuValue& value = move.values[at.item];
        move.to[place_of(value.example, value.atom)] = value.value;
    }
    constexpr void get() const {
        const std::uint32_t atom = moved_atom(move, at.item);
        const std::size_t example = at.tile * tile_width + at.lane;
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            move.kept[(example + lane) * move.count + at.item] =
                move.from[place_of(static_cast<std::uint32_t>(example + lane), atom)];
    }
};

}  // namespace kernels

// Put goes value by value: one lane of one tile each.
constexpr std::uint32_t tiles_of_move(GpuMoving what, const GpuMove& move) {
    return what == GpuMoving::Put ? 1 : move.tiles;
}

}  // namespace neumann
