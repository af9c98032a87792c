#include "learn/search/pool.h"

#include <algorithm>

namespace neumann::search {

namespace {

constexpr std::size_t most_equals = 50;

}  // namespace

bool Pool::add(Candidate candidate) {
    count_comparisons();
    for (Candidate& other : candidates_) {
        if (other.size() > candidate.size() || other.false_positives > candidate.false_positives ||
            !candidate.positives.within(other.positives) || !other.negatives.within(candidate.negatives))
            continue;
        const bool equal = other.size() == candidate.size() && other.positives.within(candidate.positives) &&
                           candidate.negatives.within(other.negatives);
        const bool is_new =
            other.clause != candidate.clause && std::ranges::find(other.equals, candidate.clause) == other.equals.end();
        if (equal && is_new && other.equals.size() < most_equals) other.equals.push_back(std::move(candidate.clause));
        return false;
    }
    drop_dominated(candidate);
    if (candidate.false_positives == 0) covered_ |= candidate.positives;
    candidates_.push_back(std::move(candidate));
    return true;
}

void Pool::drop_dominated(const Candidate& by) {
    std::erase_if(candidates_, [&](const Candidate& other) {
        return by.size() <= other.size() && by.false_positives <= other.false_positives &&
               other.positives.within(by.positives) && by.negatives.within(other.negatives);
    });
}

bool Pool::has_better(const Bits& positives, std::size_t size) const {
    count_comparisons();
    return std::ranges::any_of(candidates_, [&](const Candidate& one) {
        return one.false_positives == 0 && one.size() <= size && positives.within(one.positives);
    });
}

// Most comparisons are over at the first word.
void Pool::count_comparisons() const { work_.add(candidates_.size()); }

}  // namespace neumann::search
