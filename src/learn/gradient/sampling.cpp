#include "learn/gradient/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace neumann {
namespace {

std::vector<double> perturbed(std::span<const double> scores, Rng& rng) {
    std::vector<double> result;
    for (const double score : scores) {
        // Never 0 or 1, whose logarithms are infinite.
        const double u = (static_cast<double>(rng.next() >> 12) + 0.5) * 0x1.0p-52;
        result.push_back(score - std::log(-std::log(u)));
    }
    return result;
}

}  // namespace

std::vector<std::uint32_t> gumbel_sample(std::span<const double> scores, std::span<const std::uint32_t> group_of,
                                         std::size_t count, bool with_replacement, Rng& rng) {
    std::vector<std::uint32_t> drawn;
    if (scores.empty()) return drawn;
    if (with_replacement) {
        while (drawn.size() < count) {
            const std::vector<double> keys = perturbed(scores, rng);
            drawn.push_back(static_cast<std::uint32_t>(std::ranges::max_element(keys) - keys.begin()));
        }
        return drawn;
    }
    const std::vector<std::uint32_t> order = best_first(perturbed(scores, rng), scores.size());
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> later;
    for (const std::uint32_t i : order) {
        const bool alike = !group_of.empty() && !seen.insert(group_of[i]).second;
        (alike ? later : drawn).push_back(i);
    }
    drawn.insert(drawn.end(), later.begin(), later.end());
    drawn.resize(std::min(count, drawn.size()));
    return drawn;
}

std::vector<std::uint32_t> best_first(std::span<const double> scores, std::size_t count) {
    std::vector<std::uint32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t i) { return scores[i]; });
    order.resize(std::min(count, order.size()));
    return order;
}

Rng named_rng(std::uint64_t seed, std::string_view purpose) {
    std::uint64_t h = seed * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL;
    for (const char c : purpose) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return Rng(h);
}

}  // namespace neumann
