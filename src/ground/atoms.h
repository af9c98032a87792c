// Ground atoms of a graph by number: predicates own ranges, arguments are rows of terms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/shared_array.h"
#include "logic/program.h"

namespace neumann {

class AtomTable {
public:
    struct Range {  // the atoms of one predicate
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        SharedArray<TermId> args;  // rows of `arity` terms
    };

    explicit AtomTable(std::size_t predicates = 0) : ranges_(predicates) {}

    std::uint32_t size() const { return size_; }
    const Range& range(PredicateId predicate) const { return ranges_[predicate.index()]; }
    std::size_t predicate_count() const { return ranges_.size(); }

    // Predicates must be added in order of their ids. Throws IdOverflow.
    void add(PredicateId predicate, std::uint64_t count, SharedArray<TermId> args);

    PredicateId predicate_of(AtomId atom) const;
    std::span<const TermId> args_of(AtomId atom) const;
    std::uint64_t bytes() const;

private:
    std::vector<Range> ranges_;
    std::uint32_t size_ = 0;
};

}  // namespace neumann
