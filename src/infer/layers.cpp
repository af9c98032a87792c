#include "infer/layers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace neumann::infer {
namespace {

std::size_t groups_of(std::size_t outputs) { return (outputs + group - 1) / group; }

std::vector<float> copied(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace

PackedWeights::PackedWeights(std::size_t outputs, std::size_t taps, std::size_t channels)
    : outputs_(outputs), taps_(taps), channels_(channels), weights_(groups_of(outputs) * group * taps * channels),
      bias_(groups_of(outputs) * group) {}

float& PackedWeights::at(std::size_t output, std::size_t tap, std::size_t channel) {
    return weights_[(output / group * taps_ * channels_ + tap * channels_ + channel) * group + output % group];
}

Rows PackedWeights::times(const Rows& rows, bool rectified) const {
    if (rows.channels != channels_ || taps_ != 1) throw std::invalid_argument("rows do not fit the weights");
    Rows result = make_rows(rows.width, outputs_);
    fastest_kernel().convolve({.input = rows.at(0, 0),
                               .input_row = rows.row_stride(),
                               .input_pixel = rows.stride,
                               .taps = 1,
                               .channels = channels_,
                               .weights = weights_.data(),
                               .bias = bias_.data(),
                               .output = result.at(0, 0),
                               .output_row = result.row_stride(),
                               .output_pixel = result.stride,
                               .width = rows.width,
                               .height = rows.height,
                               .groups = groups_of(outputs_),
                               .rectified = rectified});
    return result;
}

Convolution::Convolution(WeightReader& weights, const std::string& name, const ConvolutionShape& shape)
    : shape_(shape), packed_(static_cast<std::size_t>(shape.out), static_cast<std::size_t>(shape.taps * shape.taps),
                             static_cast<std::size_t>(shape.in)) {
    // Stored as output × channel × tap.
    const std::span<const float> stored = weights.take(name + ".weight", {shape.out, shape.in, shape.taps, shape.taps});
    const std::span<const float> bias = weights.take(name + ".bias", {shape.out});
    auto next = stored.begin();
    for (std::size_t output = 0; output < packed_.outputs_; ++output) {
        packed_.bias(output) = bias[output];
        for (std::size_t channel = 0; channel < packed_.channels_; ++channel)
            for (std::size_t tap = 0; tap < packed_.taps_; ++tap) packed_.at(output, tap, channel) = *next++;
    }
}

FeatureMap Convolution::operator()(const FeatureMap& input, std::size_t border, const FeatureMap* added,
                                   const Kernel& kernel) const {
    if (input.channels != packed_.channels_ || input.border < reach())
        throw std::invalid_argument("a feature map that does not fit the convolution");
    FeatureMap result(input.width / shape_.stride, input.height / shape_.stride, packed_.outputs_, border);
    if (added != nullptr && (added->values.size() != result.values.size() || added->border != border))
        throw std::invalid_argument("a feature map of another size is added");
    const auto edge = -static_cast<std::ptrdiff_t>(reach());
    kernel.convolve({.input = input.at(edge, edge),
                     .input_row = shape_.stride * input.row_stride(),
                     .input_pixel = shape_.stride * input.stride,
                     .tap_row = shape_.dilation * input.row_stride(),
                     .tap_pixel = shape_.dilation * input.stride,
                     .taps = static_cast<std::size_t>(shape_.taps),
                     .channels = packed_.channels_,
                     .weights = packed_.weights_.data(),
                     .bias = packed_.bias_.data(),
                     .added = added == nullptr ? nullptr : added->at(0, 0),
                     .output = result.at(0, 0),
                     .output_row = result.row_stride(),
                     .output_pixel = result.stride,
                     .width = result.width,
                     .height = result.height,
                     .groups = groups_of(packed_.outputs_),
                     .rectified = shape_.rectified});
    return result;
}

PackedWeights read_linear(WeightReader& weights, const LinearShape& shape) {
    PackedWeights packed(static_cast<std::size_t>(shape.out), 1, static_cast<std::size_t>(shape.in));
    const std::span<const float> stored = weights.take(shape.weight, {shape.out, shape.in});
    auto next = stored.begin();
    for (std::size_t output = 0; output < packed.outputs(); ++output)
        for (std::size_t channel = 0; channel < static_cast<std::size_t>(shape.in); ++channel)
            packed.at(output, 0, channel) = *next++;
    if (shape.bias.empty()) return packed;
    const std::span<const float> bias = weights.take(shape.bias, {shape.out});
    for (std::size_t output = 0; output < bias.size(); ++output) packed.bias(output) = bias[output];
    return packed;
}

PackedWeights read_linear(WeightReader& weights, const std::string& name, std::int64_t in, std::int64_t out) {
    return read_linear(weights, {name + ".weight", name + ".bias", in, out});
}

TwoLayers::TwoLayers(WeightReader& weights, const std::string& name, std::int64_t in, std::int64_t hidden,
                     std::int64_t out)
    : first_(read_linear(weights, name + ".0", in, hidden)), second_(read_linear(weights, name + ".2", hidden, out)) {}

RowNorm::RowNorm(WeightReader& weights, const std::string& name, std::int64_t columns)
    : scale_(copied(weights.take(name + ".weight", {columns}))),
      shift_(copied(weights.take(name + ".bias", {columns}))) {}

Rows RowNorm::operator()(const Rows& rows) const {
    constexpr double least_variance = 1e-5;  // as PyTorch adds it
    Rows result = make_rows(rows.width, rows.channels);
    const auto count = static_cast<double>(rows.channels);
    for (std::size_t row = 0; row < rows.width; ++row) {
        const float* from = rows.at(static_cast<std::ptrdiff_t>(row), 0);
        float* to = result.at(static_cast<std::ptrdiff_t>(row), 0);
        double sum = 0;
        double squares = 0;
        for (std::size_t k = 0; k < rows.channels; ++k) sum += from[k];
        const double mean = sum / count;
        for (std::size_t k = 0; k < rows.channels; ++k) squares += (from[k] - mean) * (from[k] - mean);
        const double inverse = 1 / std::sqrt(squares / count + least_variance);
        for (std::size_t k = 0; k < rows.channels; ++k)
            to[k] = static_cast<float>((from[k] - mean) * inverse) * scale_[k] + shift_[k];
    }
    return result;
}

GatedUpdate::GatedUpdate(WeightReader& weights, const std::string& name, std::int64_t columns)
    : from_input_(read_linear(weights, {name + ".weight_ih", name + ".bias_ih", columns, 3 * columns})),
      from_held_(read_linear(weights, {name + ".weight_hh", name + ".bias_hh", columns, 3 * columns})) {}

Rows GatedUpdate::operator()(const Rows& inputs, const Rows& held) const {
    const Rows by_input = from_input_.times(inputs);
    const Rows by_held = from_held_.times(held);
    const std::size_t columns = held.channels;
    Rows result = make_rows(held.width, columns);
    for (std::size_t row = 0; row < held.width; ++row) {
        const auto at = static_cast<std::ptrdiff_t>(row);
        const float* a = by_input.at(at, 0);
        const float* b = by_held.at(at, 0);
        for (std::size_t k = 0; k < columns; ++k) {
            const float reset = logistic(a[k] + b[k]);
            const float keep = logistic(a[columns + k] + b[columns + k]);
            const float fresh = std::tanh(a[2 * columns + k] + reset * b[2 * columns + k]);
            result.at(at, 0)[k] = (1 - keep) * fresh + keep * held.at(at, 0)[k];
        }
    }
    return result;
}

float logistic(float x) { return 1 / (1 + std::exp(-x)); }

void softmax(std::span<float> values) {
    const float most = *std::ranges::max_element(values);
    float sum = 0;
    for (float& value : values) sum += value = std::exp(value - most);
    for (float& value : values) value /= sum;
}

}  // namespace neumann::infer
