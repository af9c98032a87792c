#include "worlds/choice_sets.h"

#include <algorithm>
#include <iterator>

namespace neumann {

ChoiceSets::Set ChoiceSets::number_of(Intervals intervals) {
    const auto [found, is_new] = sets_.try_emplace(std::move(intervals), static_cast<Set>(intervals_of_.size()));
    if (is_new) {
        intervals_of_.push_back(&found->first);
        intervals_ += found->first.size();
    }
    return found->second;
}

ChoiceSets::Union ChoiceSets::union_of(Set a, Set b) {
    if (a == empty || b == empty) return {std::max(a, b), true};
    const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    if (last_.first == key) return last_.second;
    const auto [known, is_new] = unions_.try_emplace(key);
    if (is_new) {
        Intervals both;
        const Intervals& left = *intervals_of_[a];
        const Intervals& right = *intervals_of_[b];
        std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
        Intervals all;
        bool disjoint = true;
        for (const auto& [begin, end] : both) {
            if (!all.empty() && begin <= all.back().second) {
                disjoint = disjoint && begin == all.back().second;
                all.back().second = std::max(all.back().second, end);
            } else {
                all.emplace_back(begin, end);
            }
        }
        known->second = {number_of(std::move(all)), disjoint};
    }
    last_ = {key, known->second};
    return known->second;
}

std::optional<ChoiceSets::Set> ChoiceSets::disjoint_union(Set a, Set b) {
    const Union both = union_of(a, b);
    return both.disjoint ? std::optional(both.all) : std::nullopt;
}

ChoiceSets::Set ChoiceSets::any_union(Set a, Set b) { return a == b ? a : union_of(a, b).all; }

}  // namespace neumann
