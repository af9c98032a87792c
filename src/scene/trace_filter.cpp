#include "scene/trace_filter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace neumann::trace {

Layers::Layers(unsigned w, unsigned h)
    : width(w), height(h), sharp(std::size_t{3} * w * h), soft(std::size_t{3} * w * h), whole(std::size_t{w} * h),
      object(std::size_t{w} * h), normal(std::size_t{3} * w * h), depth(std::size_t{w} * h) {}

void smooth_row(const Layers& layers, unsigned y, unsigned radius, float* out) {
    const unsigned top = y - std::min(y, radius);
    const unsigned bottom = std::min(y + radius, layers.height - 1);
    for (unsigned x = 0; x < layers.width; ++x) {
        const std::size_t here = std::size_t{y} * layers.width + x;
        float* result = out + std::size_t{3} * x;
        const float* own = &layers.soft[3 * here];
        if (layers.whole[here] == 0 || radius == 0) {
            std::copy_n(own, 3, result);
            continue;
        }
        const float* normal = &layers.normal[3 * here];
        float sum[3] = {0, 0, 0};
        float total = 0;
        const unsigned left = x - std::min(x, radius);
        const unsigned right = std::min(x + radius, layers.width - 1);
        for (unsigned v = top; v <= bottom; ++v) {
            for (unsigned u = left; u <= right; ++u) {
                const std::size_t there = std::size_t{v} * layers.width + u;
                if (layers.object[there] != layers.object[here] || layers.whole[there] == 0) continue;
                const float* other = &layers.normal[3 * there];
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
}

}  // namespace neumann::trace
