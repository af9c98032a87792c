// Decoder of tensors: from the output of a network in LibTorch to the objects of each image.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "infer/decode.h"
#include "perceive/nets/networks.h"

namespace neumann {

// For each image of a dense map (batch × columns × down × across, raw, on the processor) the numbers of the cells that
// detect an object, by decreasing presence.
std::vector<std::vector<std::int64_t>> pick_cells(const torch::Tensor& map, const NetworkSettings& settings);

// The middles of cells, in cells: count × (x, y).
torch::Tensor cell_middles(const std::vector<std::int64_t>& cells, const NetworkSettings& settings);

// The objects in images (batch × 3 × height × width), by the network's dense head if it has one, else by its slots.
std::vector<SeenObjects> objects_seen(ObjectNetworkImpl& network, const torch::Tensor& pictures, bool by_slots);

}  // namespace neumann
