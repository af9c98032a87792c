// What networks are taught by.
#pragma once

#include <torch/torch.h>

#include "perceive/nets/networks.h"

namespace neumann {

// `truth`: batch × most_objects × columns, presence 0 where there is no object. `left_out` (an attribute's name, or
// empty) is taught nothing.
//
// Dense: cells near an object's centre learn that it is there, where exactly, and what it is; cells a little further
// away are left alone, all others learn that nothing is there.
torch::Tensor dense_loss(const torch::Tensor& map, const torch::Tensor& truth, const NetworkSettings& settings,
                         const std::string& left_out = {});

// Slots: each object gets the slot that suits it best (least sum over all objects), which learns to hold it: what and
// where it is, and, where `cells` tells (batch × cells, number of the object in each cell plus 1), to look there.
torch::Tensor slot_loss(const SlotHeadImpl::Result& result, const torch::Tensor& truth, const torch::Tensor& cells,
                        const NetworkSettings& settings, unsigned threads);

// Right for the right reasons: how much more each picture speaks for its own class than for others as inputs change
// (batch × rows × columns, which need gradients) that `about` is 0 for, and not 1; squared and summed over a picture,
// the mean of all. Columns count by their spread, so that their units do not matter.
torch::Tensor wrong_reason_loss(const torch::Tensor& logits, const torch::Tensor& labels, const torch::Tensor& inputs,
                                const torch::Tensor& about, const torch::Tensor& spread);

}  // namespace neumann
