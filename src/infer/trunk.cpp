#include "infer/trunk.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "infer/layers.h"

namespace neumann::infer {
namespace {

class FigureTrunk final : public Trunk {
public:
    explicit FigureTrunk(WeightReader& weights) {
        const auto add = [&](const ConvolutionShape& shape) {
            layers_.emplace_back(weights, fmt::format("trunk.layers.{}.conv", layers_.size()), shape);
        };
        add({.in = 3, .out = 16, .stride = 2});
        add({.in = 16, .out = 16});
        add({.in = 16, .out = 32, .stride = 2});
        for (const std::size_t dilation : {1, 2, 4}) add({.in = 32, .out = 32, .dilation = dilation});
    }
    FeatureMap operator()(const FeatureMap& image) const override {
        FeatureMap features = layers_.front()(image, border_after(0));
        for (std::size_t k = 1; k < layers_.size(); ++k) features = layers_[k](features, border_after(k));
        return features;
    }

private:
    std::size_t border_after(std::size_t layer) const {
        return layer + 1 < layers_.size() ? layers_[layer + 1].reach() : 1;
    }

    std::vector<Convolution> layers_;
};

// Two convolutions around which the input goes as well.
class Residual {
public:
    Residual(WeightReader& weights, const std::string& name, std::int64_t channels, std::size_t dilation)
        : first_(weights, name + ".first.conv", {.in = channels, .out = channels}),
          second_(weights, name + ".second.conv", {.in = channels, .out = channels, .dilation = dilation}) {}
    // Input and result have a border of 1.
    FeatureMap operator()(const FeatureMap& input) const { return second_(first_(input, second_.reach()), 1, &input); }

private:
    Convolution first_, second_;
};

// The channels of `near`, and of each pixel of `far`, which is half as large, four times.
FeatureMap joined(const FeatureMap& near, const FeatureMap& far) {
    FeatureMap result(near.width, near.height, near.channels + far.channels, 0);
    for (std::size_t y = 0; y < near.height; ++y) {
        for (std::size_t x = 0; x < near.width; ++x) {
            const auto at = [](const FeatureMap& map, std::size_t column, std::size_t row) {
                return map.at(static_cast<std::ptrdiff_t>(column), static_cast<std::ptrdiff_t>(row));
            };
            float* to = result.at(static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(y));
            std::copy_n(at(far, x / 2, y / 2), far.channels, std::copy_n(at(near, x, y), near.channels, to));
        }
    }
    return result;
}

class SolidTrunk final : public Trunk {
public:
    explicit SolidTrunk(WeightReader& weights)
        : stem_(weights, "trunk.stem.conv", {.in = 3, .out = 32, .stride = 2}),
          stem2_(weights, "trunk.stem2.conv", {.in = 32, .out = 32}),
          down_(weights, "trunk.down.conv", {.in = 32, .out = 64, .stride = 2}), fine1_(weights, "trunk.fine1", 64, 1),
          fine2_(weights, "trunk.fine2", 64, 2),
          coarse_(weights, "trunk.coarse.conv", {.in = 64, .out = 96, .stride = 2}),
          wide1_(weights, "trunk.wide1", 96, 1), wide2_(weights, "trunk.wide2", 96, 2),
          join_(weights, "trunk.join.conv", {.in = 160, .out = 64, .taps = 1}), last_(weights, "trunk.last", 64, 1) {}
    FeatureMap operator()(const FeatureMap& image) const override {
        const FeatureMap near = fine2_(fine1_(down_(stem2_(stem_(image, 1), 1), 1)));
        const FeatureMap far = wide2_(wide1_(coarse_(near, 1)));
        return last_(join_(joined(near, far), 1));
    }

private:
    Convolution stem_, stem2_, down_;
    Residual fine1_, fine2_;
    Convolution coarse_;
    Residual wide1_, wide2_;
    Convolution join_;
    Residual last_;
};

}  // namespace

std::unique_ptr<Trunk> read_trunk(WeightReader& weights, const NetworkSettings& settings) {
    if (settings.layout->flat()) return std::make_unique<FigureTrunk>(weights);
    return std::make_unique<SolidTrunk>(weights);
}

}  // namespace neumann::infer
