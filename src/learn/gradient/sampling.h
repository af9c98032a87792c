// Sampling by score and chance: the Gumbel-max trick.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.h"

namespace neumann {

// Draws `count` numbers of scores, each with the probability of a softmax over the remaining ones (or over all, with
// replacement: a number may then be drawn more than once). Equal scores are drawn at random, never merged. `group_of`
// (empty: every number its own group) marks equivalent ones: of a group only one is drawn before every group
// has had its turn.
std::vector<std::uint32_t> gumbel_sample(std::span<const double> scores, std::span<const std::uint32_t> group_of,
                                         std::size_t count, bool with_replacement, Rng& rng);

// The numbers of the highest scores, the highest first, the earlier of equals before the later.
std::vector<std::uint32_t> best_first(std::span<const double> scores, std::size_t count);

// A generator for one purpose of a seeded run.
Rng named_rng(std::uint64_t seed, std::string_view purpose);

}  // namespace neumann
