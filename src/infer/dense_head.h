// Dense head: every cell predicts whether an object's centre is near, and the object's attributes.
#pragma once

#include <optional>

#include "infer/layers.h"
#include "infer/network_settings.h"

namespace neumann::infer {

class DenseHead {
public:
    DenseHead(WeightReader& weights, const NetworkSettings& settings);
    // Rows of cells, before activation.
    FeatureMap operator()(const FeatureMap& features) const;

private:
    std::optional<Convolution> hidden_;  // none where features go straight into the rows
    Convolution rows_;
};

}  // namespace neumann::infer
