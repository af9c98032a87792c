// Sets of choices on which atoms depend, as intervals of numbers, each set once: along a chain they are prefixes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace neumann {

class ChoiceSets {
public:
    using Set = std::uint32_t;
    static constexpr Set empty = 0;

    Set of(std::uint32_t choice) { return number_of({{choice, choice + 1}}); }
    // Nothing if they have a choice in common.
    std::optional<Set> disjoint_union(Set a, Set b);
    Set any_union(Set a, Set b);
    std::size_t intervals() const { return intervals_; }

private:
    using Intervals = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // ascending, with gaps between them
    struct Union {
        Set all;
        bool disjoint;
    };

    Set number_of(Intervals intervals);
    Union union_of(Set a, Set b);

    std::map<Intervals, Set> sets_;
    std::vector<const Intervals*> intervals_of_{&sets_.emplace(Intervals{}, empty).first->first};
    std::unordered_map<std::uint64_t, Union> unions_;
    std::pair<std::uint64_t, Union> last_{UINT64_MAX, {}};
    std::size_t intervals_ = 0;
};

}  // namespace neumann
