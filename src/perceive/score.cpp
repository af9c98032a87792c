#include "perceive/score.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perceive/assignment.h"

namespace neumann {
namespace {

double apart(std::span<const float> a, std::span<const float> b) {
    return std::hypot(a[column::x] - b[column::x], a[column::y] - b[column::y]);
}

}  // namespace

SceneScore score(const SeenObjects& seen, const SeenObjects& truth, double tolerance) {
    std::vector<std::size_t> present;
    for (std::size_t k = 0; k < seen.count(); ++k)
        if (seen.row(k)[column::presence] >= 0.5F) present.push_back(k);
    SceneScore result;
    result.objects = truth.count();
    result.seen_in_vain = present.size();
    if (present.empty() || truth.count() == 0) return result;
    // Square, so that either side may have more; what is too far apart costs as much as being alone.
    const std::size_t size = std::max(present.size(), truth.count());
    std::vector<float> costs(size * size, static_cast<float>(tolerance));
    for (std::size_t i = 0; i < truth.count(); ++i)
        for (std::size_t j = 0; j < present.size(); ++j)
            costs[i * size + j] = static_cast<float>(std::min(apart(truth.row(i), seen.row(present[j])), tolerance));
    const std::vector<std::size_t> partner = least_assignment(costs, size, size);
    for (std::size_t i = 0; i < truth.count(); ++i) {
        if (partner[i] >= present.size()) continue;
        const std::size_t object = present[partner[i]];
        const double distance = apart(truth.row(i), seen.row(object));
        if (distance >= tolerance) continue;
        ++result.found;
        --result.seen_in_vain;
        result.distance += distance;
        const bool right = std::ranges::all_of(truth.layout->attributes, [&](const AttributeColumns& attribute) {
            return seen.likeliest(object, attribute).value == truth.likeliest(i, attribute).value;
        });
        result.right += right ? 1 : 0;
    }
    return result;
}

void ScoreSum::add(const SceneScore& one) {
    ++scenes;
    perfect += one.perfect() ? 1 : 0;
    objects += one.objects;
    found += one.found;
    right += one.right;
    distance += one.distance;
}

}  // namespace neumann
