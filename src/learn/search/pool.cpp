#include "learn/search/pool.h"

#include <algorithm>

namespace neumann::search {

bool Pool::add(Candidate candidate) {
    for (const Candidate& other : candidates_) {
        if (other.size() <= candidate.size() && other.false_positives <= candidate.false_positives &&
            candidate.positives.within(other.positives) && other.negatives.within(candidate.negatives))
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
    return std::ranges::any_of(candidates_, [&](const Candidate& one) {
        return one.false_positives == 0 && one.size() <= size && positives.within(one.positives);
    });
}

std::size_t Pool::bytes() const {
    std::size_t total = 0;
    for (const Candidate& one : candidates_)
        total += sizeof(Candidate) + one.positives.bytes() + one.negatives.bytes() +
                 one.clause.body.size() * sizeof(Literal);
    return total;
}

}  // namespace neumann::search
