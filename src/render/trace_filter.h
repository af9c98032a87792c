// Denoising filter for indirect light. It varies slowly over a surface, so each pixel takes the average of its
// neighbours on the same surface: the same object, hit by all of their samples, with nearly the same normal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace neumann::trace {

// Input of the filter, per pixel of the image; three floats each for colours and normals.
struct FilterLayers {
    unsigned width;
    unsigned height;
    const float* soft;
    const float* whole;
    const std::int32_t* object;
    const float* normal;
};

// One pixel of the smoothed `soft` layer: three floats.
constexpr void smooth_pixel(const FilterLayers& layers, unsigned x, unsigned y, unsigned radius, float* result) {
    const std::size_t here = std::size_t{y} * layers.width + x;
    if (layers.whole[here] == 0 || radius == 0) {
        for (unsigned c = 0; c < 3; ++c) result[c] = layers.soft[3 * here + c];
        return;
    }
    const float* normal = layers.normal + 3 * here;
    float sum[3] = {0, 0, 0};
    float total = 0;
    const unsigned top = y - std::min(y, radius);
    const unsigned bottom = std::min(y + radius, layers.height - 1);
    const unsigned left = x - std::min(x, radius);
    const unsigned right = std::min(x + radius, layers.width - 1);
    for (unsigned v = top; v <= bottom; ++v) {
        for (unsigned u = left; u <= right; ++u) {
            const std::size_t there = std::size_t{v} * layers.width + u;
            if (layers.object[there] != layers.object[here] || layers.whole[there] == 0) continue;
            const float* other = layers.normal + 3 * there;
            const float cosine = normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2];
            const float alike = std::max(0.0F, 1 - 8 * (1 - cosine));
            const float dx = (static_cast<float>(u) - static_cast<float>(x)) / static_cast<float>(radius + 1);
            const float dy = (static_cast<float>(v) - static_cast<float>(y)) / static_cast<float>(radius + 1);
            const float weight = alike * (1 - dx * dx) * (1 - dy * dy);
            for (unsigned c = 0; c < 3; ++c) sum[c] += weight * layers.soft[3 * there + c];
            total += weight;
        }
    }
    for (unsigned c = 0; c < 3; ++c) result[c] = sum[c] / total;
}

}  // namespace neumann::trace
