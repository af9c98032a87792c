// Layers of networks: convolutions, linear layers, normalisation and gated updates, on the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "infer/aligned_floats.h"
#include "infer/choose_kernel.h"
#include "infer/feature_map.h"
#include "infer/weight_reader.h"

namespace neumann::infer {

// Rows of numbers, one below the other: a feature map of one row of pixels, without a border.
using Rows = FeatureMap;
inline Rows make_rows(std::size_t count, std::size_t columns) { return {count, 1, columns, 0}; }

// Weights in the order of the kernels, for outputs in groups: value(output, tap, channel).
class PackedWeights {
public:
    PackedWeights(std::size_t outputs, std::size_t taps, std::size_t channels);
    float& at(std::size_t output, std::size_t tap, std::size_t channel);
    float& bias(std::size_t output) { return bias_[output]; }

    std::size_t outputs() const { return outputs_; }
    // Each row of `rows` times the weights, which have one tap, plus the bias.
    Rows times(const Rows& rows, bool rectified = false) const;

private:
    friend class Convolution;
    std::size_t outputs_, taps_, channels_;
    AlignedFloats weights_;
    AlignedFloats bias_;
};

struct ConvolutionShape {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t taps = 3;
    std::size_t stride = 1;
    std::size_t dilation = 1;
    bool rectified = true;
};

// A convolution that keeps the size of its input, or a share of it by its stride; zeros around.
class Convolution {
public:
    Convolution(const ConvolutionShape& shape, PackedWeights packed) : shape_(shape), packed_(std::move(packed)) {}
    // Reads the tensors `name`.weight and `name`.bias.
    Convolution(WeightReader& weights, const std::string& name, const ConvolutionShape& shape);
    // The result has the border that the next layer needs. `added`, of the result's size and border, is added before
    // negative numbers become 0.
    FeatureMap operator()(const FeatureMap& input, std::size_t border, const FeatureMap* added = nullptr,
                          const Kernel& kernel = fastest_kernel()) const;
    std::size_t reach() const { return shape_.dilation * static_cast<std::size_t>(shape_.taps / 2); }

private:
    ConvolutionShape shape_;
    PackedWeights packed_;
};

// A linear layer: the names of its tensors, no bias where that is empty.
struct LinearShape {
    std::string weight;
    std::string bias;
    std::int64_t in = 0;
    std::int64_t out = 0;
};
PackedWeights read_linear(WeightReader& weights, const LinearShape& shape);
// Reads `name`.weight and `name`.bias.
PackedWeights read_linear(WeightReader& weights, const std::string& name, std::int64_t in, std::int64_t out);

// Two linear layers, the first one rectified: `name`.0 and `name`.2.
class TwoLayers {
public:
    TwoLayers(WeightReader& weights, const std::string& name, std::int64_t in, std::int64_t hidden, std::int64_t out);
    Rows operator()(const Rows& rows) const { return second_.times(first_.times(rows, true)); }

private:
    PackedWeights first_, second_;
};

// Layer normalisation: each row to mean 0 and variance 1, then scaled and shifted.
class RowNorm {
public:
    RowNorm(WeightReader& weights, const std::string& name, std::int64_t columns);
    Rows operator()(const Rows& rows) const;

private:
    std::vector<float> scale_, shift_;
};

// Gated recurrent unit (GRU).
class GatedUpdate {
public:
    GatedUpdate(WeightReader& weights, const std::string& name, std::int64_t columns);
    Rows operator()(const Rows& inputs, const Rows& held) const;

private:
    PackedWeights from_input_, from_held_;  // reset, update, new: side by side
};

float logistic(float x);
void softmax(std::span<float> values);

}  // namespace neumann::infer
