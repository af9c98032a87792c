// Decoder: from the output of a network to the objects in an image.
#pragma once

#include <cstddef>
#include <vector>

#include "infer/network_settings.h"

namespace neumann {

// Objects that are less likely than this are not mentioned.
inline constexpr float least_presence = 0.05F;

// Raw numbers of cells or slots, wherever they lie: number(k, column) is data[k · stride + column · column_stride].
struct RawRows {
    const float* data = nullptr;
    std::size_t count = 0;
    std::size_t stride = 0;
    std::size_t column_stride = 1;

    float at(std::size_t row, std::size_t column) const { return data[row * stride + column * column_stride]; }
};

// The cells of a dense map that detect an object, by decreasing presence, after non-maximum suppression: of all cells
// that point to the same place only the best one remains.
std::vector<std::size_t> pick_cells(const RawRows& cells, const NetworkSettings& settings);

SeenObjects objects_of_map(const RawRows& cells, const NetworkSettings& settings);
// `attention`: a row for each cell, a column for each slot.
SeenObjects objects_of_slots(const RawRows& slots, const RawRows& attention, const NetworkSettings& settings);

}  // namespace neumann
