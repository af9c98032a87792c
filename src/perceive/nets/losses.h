// Loss functions of the perception networks.
#pragma once

#include <torch/torch.h>

#include "perceive/nets/networks.h"

namespace neumann {

// `truth`: batch × most_objects × columns, presence 0 where there is no object. `left_out` (an attribute's name, or
// empty) does not contribute.
//
// Dense: cells near an object's centre learn its presence, its exact place and its attributes; cells a little further
// away are ignored, all others learn absence.
torch::Tensor dense_loss(const torch::Tensor& map, const torch::Tensor& truth, const NetworkSettings& settings,
                         const std::string& left_out = {});

// Slots: objects are matched to slots at the least total cost. Each matched slot learns the attributes and place of its
// object and, if `cells` is given (batch × cells, number of the object in each cell plus 1), its attention.
torch::Tensor slot_loss(const SlotHeadImpl::Result& result, const torch::Tensor& truth, const torch::Tensor& cells,
                        const NetworkSettings& settings, unsigned threads);

// Right for the right reasons: a penalty on the gradient of the image's own class against the others by those inputs
// (batch × rows × columns, which need gradients) that `about` marks with 0, not 1; squared and summed over an image,
// the mean of all. Columns count by their spread, so that their units do not matter.
torch::Tensor wrong_reason_loss(const torch::Tensor& logits, const torch::Tensor& labels, const torch::Tensor& inputs,
                                const torch::Tensor& about, const torch::Tensor& spread);

}  // namespace neumann
