#include "ground/atoms.h"

#include <algorithm>
#include <utility>

namespace neumann {

void AtomTable::add(PredicateId predicate, std::uint64_t count, SharedArray<TermId> args) {
    checked_id<AtomId>(size_ + count, "atoms");
    ranges_[predicate.index()] = {size_, static_cast<std::uint32_t>(count), std::move(args)};
    size_ += static_cast<std::uint32_t>(count);
}

PredicateId AtomTable::predicate_of(AtomId atom) const {
    // The last predicate that starts at or before the atom and is not empty.
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), atom.value(),
                                        [](std::uint32_t a, const Range& range) { return a < range.first; });
    auto it = after;
    do {
        --it;
    } while (it->count == 0);
    return PredicateId(static_cast<std::uint32_t>(it - ranges_.begin()));
}

std::span<const TermId> AtomTable::args_of(AtomId atom) const {
    const Range& range = ranges_[predicate_of(atom).index()];
    const std::size_t arity = range.args.size() / range.count;
    return range.args.span().subspan((atom.value() - range.first) * arity, arity);
}

std::uint64_t AtomTable::bytes() const {
    std::uint64_t total = 0;
    for (const Range& range : ranges_) total += range.args.bytes();
    return total;
}

}  // namespace neumann
