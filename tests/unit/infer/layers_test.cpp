// Layers of the networks on the processor, against the formulas in double precision, with every kernel of the machine.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "infer/choose_kernel.h"
#include "infer/layers.h"

namespace neumann::infer {
namespace {

constexpr std::uint64_t seed = 5;

float drawn(Rng& rng) { return static_cast<float>(rng.uniform() * 2 - 1); }

struct Shape {
    std::size_t width, height, in, out, taps, stride, dilation;
    bool rectified, added;
};

// Weights are kept unpacked as well: output × channel × tap.
struct Weights {
    explicit Weights(const Shape& shape, Rng& rng) : packed(shape.out, shape.taps * shape.taps, shape.in) {
        for (std::size_t output = 0; output < shape.out; ++output) {
            bias.push_back(packed.bias(output) = drawn(rng));
            for (std::size_t channel = 0; channel < shape.in; ++channel)
                for (std::size_t tap = 0; tap < shape.taps * shape.taps; ++tap)
                    weight.push_back(packed.at(output, tap, channel) = drawn(rng));
        }
    }

    PackedWeights packed;
    std::vector<float> weight, bias;
};

FeatureMap random_map(std::size_t width, std::size_t height, std::size_t channels, std::size_t border, Rng& rng) {
    FeatureMap map(width, height, channels, border);
    for (std::ptrdiff_t y = 0; y < static_cast<std::ptrdiff_t>(height); ++y)
        for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(width); ++x)
            for (std::size_t k = 0; k < channels; ++k) map.at(x, y)[k] = drawn(rng);
    return map;
}

double expected(const Shape& shape, const FeatureMap& input, const Weights& weights, const FeatureMap& added,
                std::ptrdiff_t x, std::ptrdiff_t y, std::size_t output) {
    double sum = weights.bias[output];
    const auto reach = static_cast<std::ptrdiff_t>(shape.dilation * (shape.taps / 2));
    const auto stride = static_cast<std::ptrdiff_t>(shape.stride);
    const float* weight = weights.weight.data() + output * shape.in * shape.taps * shape.taps;
    for (std::size_t channel = 0; channel < shape.in; ++channel)
        for (std::size_t tap = 0; tap < shape.taps * shape.taps; ++tap) {
            const auto u = static_cast<std::ptrdiff_t>(tap % shape.taps * shape.dilation) - reach;
            const auto v = static_cast<std::ptrdiff_t>(tap / shape.taps * shape.dilation) - reach;
            sum += static_cast<double>(*weight++) * input.at(x * stride + u, y * stride + v)[channel];
        }
    if (shape.added) sum += added.at(x, y)[output];
    return shape.rectified ? std::max(sum, 0.0) : sum;
}

void check(const Shape& shape, const Kernel& kernel, Rng& rng) {
    const FeatureMap input = random_map(shape.width, shape.height, shape.in, shape.dilation * (shape.taps / 2), rng);
    const Weights weights(shape, rng);
    const FeatureMap added = random_map(shape.width / shape.stride, shape.height / shape.stride, shape.out, 1, rng);
    const Convolution convolution({.in = static_cast<std::int64_t>(shape.in),
                                   .out = static_cast<std::int64_t>(shape.out),
                                   .taps = static_cast<std::int64_t>(shape.taps),
                                   .stride = shape.stride,
                                   .dilation = shape.dilation,
                                   .rectified = shape.rectified},
                                  weights.packed);
    const FeatureMap result = convolution(input, 1, shape.added ? &added : nullptr, kernel);
    const auto width = static_cast<std::ptrdiff_t>(result.width);
    const auto height = static_cast<std::ptrdiff_t>(result.height);
    for (std::ptrdiff_t y = -1; y <= height; ++y)
        for (std::ptrdiff_t x = -1; x <= width; ++x) {
            const bool inside = x >= 0 && y >= 0 && x < width && y < height;
            for (std::size_t k = 0; k < shape.out; ++k)
                ASSERT_NEAR(result.at(x, y)[k], inside ? expected(shape, input, weights, added, x, y, k) : 0, 1e-5)
                    << kernel.name << " at " << x << ", " << y << ", output " << k;
        }
}

TEST(InferConvolution, EveryKernelComputesTheSum) {
    Rng rng(seed);
    const Shape shapes[] = {{13, 7, 3, 13, 3, 1, 1, true, false},  {16, 8, 5, 22, 3, 2, 1, true, false},
                            {12, 9, 17, 16, 3, 1, 2, false, true}, {24, 5, 8, 33, 3, 1, 4, true, true},
                            {1, 1, 2, 1, 1, 1, 1, false, false},   {14, 6, 20, 48, 1, 1, 1, true, false}};
    for (const Kernel* kernel : available_kernels())
        for (const Shape& shape : shapes) check(shape, *kernel, rng);
}

TEST(InferConvolution, AMapThatDoesNotFitIsRefused) {
    const Convolution convolution({.in = 3, .out = 4}, PackedWeights(4, 9, 3));
    EXPECT_THROW(convolution(FeatureMap(8, 8, 2, 1), 0), std::invalid_argument);  // channels
    EXPECT_THROW(convolution(FeatureMap(8, 8, 3, 0), 0), std::invalid_argument);  // border
}

TEST(InferSoftmax, LargeNumbersDoNotOverflow) {
    std::vector<float> values{1000, 1000, -1000};
    softmax(values);
    EXPECT_EQ(values, (std::vector<float>{0.5F, 0.5F, 0}));
}

}  // namespace
}  // namespace neumann::infer
