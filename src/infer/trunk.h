// Trunks of the object networks: from the image to features for every cell.
#pragma once

#include <memory>

#include "infer/feature_map.h"
#include "infer/network_settings.h"
#include "infer/weight_reader.h"

namespace neumann::infer {

class Trunk {
public:
    virtual ~Trunk() = default;
    // The image as three channels around 0, with a border of 1. The result has a border of 1.
    virtual FeatureMap operator()(const FeatureMap& image) const = 0;
};

// For flat figures a chain of convolutions; for solid objects a small hourglass: details at four pixels, surroundings
// at eight.
std::unique_ptr<Trunk> read_trunk(WeightReader& weights, const NetworkSettings& settings);

}  // namespace neumann::infer
