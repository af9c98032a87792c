// Canonical order of atoms: it does not depend on how they were found.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/pod_vector.h"
#include "logic/term.h"

namespace neumann {

// Ranks all ground terms of a table: by depth, then constants and functors in order of declaration, then arguments.
class CanonicalTermOrder {
public:
    // Constants are taken in order of their ranks, or of their numbers if none are given.
    explicit CanonicalTermOrder(const TermTable& terms, std::span<const std::uint32_t> constant_ranks = {});
    std::uint32_t rank(TermId term) const { return ranks_[term.index()]; }
    std::uint32_t size() const { return size_; }

private:
    PodVector<std::uint32_t> ranks_;
    std::uint32_t size_ = 0;
};

struct SortedRows {
    PodVector<TermId> rows;
    PodVector<std::uint32_t> new_row;  // old row → new row
};

// Sorts rows of `arity` terms lexicographically by the ranks of their terms.
SortedRows sort_rows(const CanonicalTermOrder& order, PodVector<TermId> rows, std::size_t arity, std::uint32_t count,
                     unsigned threads = 1);

}  // namespace neumann
