#include "infer/dense_head.h"

namespace neumann::infer {
namespace {

std::optional<Convolution> hidden_layer(WeightReader& weights, const NetworkSettings& settings) {
    if (settings.hidden() == 0) return std::nullopt;
    return Convolution(weights, "dense.hidden.conv", {.in = settings.features, .out = settings.hidden()});
}

}  // namespace

DenseHead::DenseHead(WeightReader& weights, const NetworkSettings& settings)
    : hidden_(hidden_layer(weights, settings)), rows_(weights, "dense.rows",
                                                      {.in = hidden_ ? settings.hidden() : settings.features,
                                                       .out = settings.layout->columns,
                                                       .taps = 1,
                                                       .rectified = false}) {}

FeatureMap DenseHead::operator()(const FeatureMap& features) const {
    return hidden_ ? rows_((*hidden_)(features, 0), 0) : rows_(features, 0);
}

}  // namespace neumann::infer
