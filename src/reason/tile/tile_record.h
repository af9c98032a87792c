// Record of a tile: the stored values of its forward pass, and the results of its backward pass.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "reason/tile/row_array.h"

namespace neumann {

// A phase that was updated more than once. State r is the values of its atoms after round r; state 0 are their initial
// values, and from `stable` on states are the final ones. Of the others every stride-th is kept.
struct PhaseRecord {
    std::uint32_t phase = 0;
    std::uint32_t rounds = 0;
    std::uint32_t stable = 0;
    std::uint32_t stride = 1;
    // Automatic schedules: lanes stop earlier than others.
    std::array<std::uint32_t, tile_width> lane_rounds{};
    // States stride, 2·stride, …; a row for each atom of the phase. May hold more arrays than are in use.
    std::vector<RowArray> kept;
    std::vector<RowArray> kept_held;  // of semantics that keep state: the conjunctions'
    std::size_t kept_count = 0;
};

struct TileRecord {
    unsigned examples = tile_width;  // the lanes behind them hold none
    RowArray initial;                // a row for each atom
    RowArray final;
    RowArray held_final;              // likewise, a row for each conjunction, if the record is for a backward pass
    std::vector<PhaseRecord> phases;  // those with more than one round; may hold more than are in use
    std::size_t phase_count = 0;
    std::array<std::uint32_t, tile_width> steps{};  // per lane
};

struct TileGradients {
    RowArray initial;  // a row for each atom
    RowArray weights;  // a row for each clause
};

}  // namespace neumann
