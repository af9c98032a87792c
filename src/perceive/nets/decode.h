// From what a network puts out to the objects of each picture.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "perceive/nets/networks.h"
#include "valuation/object_vectors.h"

namespace neumann {

// Objects that are less likely than this are not mentioned.
inline constexpr float least_presence = 0.05F;

// For each picture of a dense map (batch × columns × down × across, raw, on the processor) the numbers of the cells
// that see an object of their own, the surest first: of all cells that point to the same place only the surest.
std::vector<std::vector<std::int64_t>> pick_cells(const torch::Tensor& map, const NetworkSettings& settings);

// The middles of cells, in cells: count × (x, y).
torch::Tensor cell_middles(const std::vector<std::int64_t>& cells, const NetworkSettings& settings);

std::vector<SeenObjects> objects_of_map(const torch::Tensor& map, const NetworkSettings& settings);
std::vector<SeenObjects> objects_of_slots(const SlotHeadImpl::Result& result, const NetworkSettings& settings);

// What a network sees in pictures (batch × 3 × height × width), by its dense head if it has one, else by its slots.
std::vector<SeenObjects> objects_seen(ObjectNetworkImpl& network, const torch::Tensor& pictures, bool by_slots);

}  // namespace neumann
