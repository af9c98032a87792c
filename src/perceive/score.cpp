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

std::vector<std::size_t> present_in(const SeenObjects& seen) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < seen.count(); ++k)
        if (seen.row(k)[column::presence] >= 0.5F) result.push_back(k);
    return result;
}

}  // namespace

std::vector<std::optional<std::size_t>> matched(const SeenObjects& seen, const SeenObjects& truth, double tolerance) {
    std::vector<std::optional<std::size_t>> result(truth.count());
    const std::vector<std::size_t> present = present_in(seen);
    if (present.empty() || truth.count() == 0) return result;
    // Square, so that either side may have more; a pair beyond the tolerance costs as much as two unmatched objects.
    const std::size_t size = std::max(present.size(), truth.count());
    std::vector<float> costs(size * size, static_cast<float>(tolerance));
    for (std::size_t i = 0; i < truth.count(); ++i)
        for (std::size_t j = 0; j < present.size(); ++j)
            costs[i * size + j] = static_cast<float>(std::min(apart(truth.row(i), seen.row(present[j])), tolerance));
    const std::vector<std::size_t> partner = least_assignment(costs, size, size);
    for (std::size_t i = 0; i < truth.count(); ++i)
        if (partner[i] < present.size() && apart(truth.row(i), seen.row(present[partner[i]])) < tolerance)
            result[i] = present[partner[i]];
    return result;
}

SceneScore score(const SeenObjects& seen, const SeenObjects& truth, double tolerance) {
    const std::vector<std::optional<std::size_t>> partner = matched(seen, truth, tolerance);
    SceneScore result;
    result.objects = truth.count();
    result.seen_in_vain = present_in(seen).size();
    for (std::size_t i = 0; i < truth.count(); ++i) {
        if (!partner[i]) continue;
        ++result.found;
        --result.seen_in_vain;
        result.distance += apart(truth.row(i), seen.row(*partner[i]));
        const bool right = std::ranges::all_of(truth.layout->attributes, [&](const AttributeColumns& attribute) {
            return seen.likeliest(*partner[i], attribute).value == truth.likeliest(i, attribute).value;
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
