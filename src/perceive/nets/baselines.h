// Baselines: networks that predict an image's class without logic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "perceive/nets/networks.h"

namespace neumann {

// From inputs, as they are kept, to the logits of classes: batch × classes. Inputs are brought to mean 0 and variance 1
// by numbers that belong to the weights, but are measured, not learned.
struct BaselineImpl : torch::nn::Module {
    virtual torch::Tensor forward(const torch::Tensor& inputs) = 0;
    // Takes the mean and spread of inputs to learn from, which come like those of forward().
    virtual void standardise(const torch::Tensor& inputs) = 0;
    std::uint64_t learned_numbers() const;
    const torch::Tensor& input_spread() const { return spread; }
    // Interpolates between the average rows and these: a share for each image (batch × 1 × 1).
    torch::Tensor faded_rows(const torch::Tensor& rows, const torch::Tensor& share) const;

protected:
    void register_scale(std::int64_t columns);
    torch::Tensor mean, spread;
};

struct BaselineShape {
    std::string model;         // cnn, mlp, set
    std::string size;          // cnn: small, resnet18
    std::int64_t objects = 0;  // mlp, set: rows for each image
    std::int64_t columns = 0;  // mlp, set: of each row
    std::int64_t classes = 0;
};

// cnn: ResNet with 18 layers, or the same with a quarter of the channels; inputs as of network_input(). mlp: two hidden
// layers over all rows side by side. set: a small set transformer, invariant to the order of rows. Both: batch ×
// objects × columns, rows of zeros for absent objects. Throws PerceptionError for an unknown model or size.
std::shared_ptr<BaselineImpl> make_baseline(const BaselineShape& shape);

}  // namespace neumann
