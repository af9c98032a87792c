#include "base/suggest.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr std::size_t longest_compared = 64;  // longer words are not typing mistakes of each other

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

// color/2 → color
std::string_view bare_name(std::string_view name) { return name.substr(0, name.rfind('/')); }

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates) {
    wrong = bare_name(wrong);
    if (wrong.size() > longest_compared) return {};
    const std::size_t allowed = wrong.size() <= 2 ? 1 : wrong.size() <= 6 ? 2 : 3;
    std::size_t best = allowed + 1;
    std::string nearest;
    for (const std::string& candidate : candidates) {
        const std::string_view name = bare_name(candidate);
        if (name.size() > longest_compared || name == wrong) continue;
        const std::size_t shorter = std::min(wrong.size(), name.size());
        if (std::max(wrong.size(), name.size()) - shorter >= best) continue;  // so many letters to insert
        const std::size_t distance = edit_distance(wrong, name);
        // A suggestion that shares nothing with the typed name is noise.
        if (distance < best && distance < std::max(wrong.size(), name.size())) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& candidates, std::string otherwise) {
    const std::string nearest = nearest_name(wrong, candidates);
    return nearest.empty() ? std::move(otherwise) : "did you mean '" + nearest + "'?";
}

std::string did_you_mean_or_list(std::string_view wrong, const std::vector<std::string>& candidates) {
    return did_you_mean(wrong, candidates, fmt::format("known are {}", fmt::join(candidates, ", ")));
}

}  // namespace neumann
