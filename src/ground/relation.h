// Relation of one predicate while grounding: rows in order of discovery, a hash to find them, indexes to join
// them.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <span>

#include "base/hash.h"
#include "base/ids.h"
#include "base/pod_vector.h"
#include "base/slot_table.h"

namespace neumann {

class Relation;

// The rows of a relation grouped by the arguments at the places of a mask. Row numbers of a group are contiguous and
// ascending, so a scan can stop at the first row beyond its range.
//
// The groups of a single argument are numbered by its terms, as long as that wastes little; others are found by a hash.
class RelationIndex {
public:
    explicit RelationIndex(std::uint32_t mask)
        : mask_(mask), place_(static_cast<std::uint32_t>(std::countr_zero(mask))), by_term_(std::has_single_bit(mask)) {
    }

    void extend(const Relation& relation);  // takes in the rows added since the last call
    std::span<const std::uint32_t> rows(const Relation& relation, std::span<const TermId> key) const;
    std::size_t bytes() const;

    // Of a single argument: fetches its group, then, some lookups later, the row numbers in it.
    bool by_term() const { return by_term_; }
    void prefetch_group(TermId key) const {
        if (key.index() < groups_.size()) __builtin_prefetch(&groups_[key.index()]);
    }
    void prefetch_rows(TermId key) const {
        if (key.index() < groups_.size()) __builtin_prefetch(pool_.data() + groups_[key.index()].begin);
    }

private:
    struct Group {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
        std::uint32_t capacity = 0;
    };
    void number_by_hash(const Relation& relation);
    std::uint32_t group_of_row(const Relation& relation, std::uint32_t row);
    std::uint32_t find_group(const Relation& relation, std::span<const TermId> key, std::uint32_t hash) const;
    void give_room(Group& group, std::size_t capacity);

    std::uint32_t mask_;
    std::uint32_t place_;  // of the first argument
    bool by_term_;
    std::uint32_t indexed_ = 0;
    SlotTable slots_;                   // by hash
    PodVector<std::uint32_t> example_;  // by hash, per group: a row that has its key
    PodVector<TermId> key_;             // of the current row
    PodVector<Group> groups_;
    PodVector<std::uint32_t> pool_;
};

class Relation {
public:
    explicit Relation(std::size_t arity = 0) : arity_(arity) {}

    std::size_t arity() const { return arity_; }
    std::uint32_t size() const { return size_; }
    std::span<const TermId> row(std::uint32_t row) const { return {rows_.data() + row * arity_, arity_}; }

    static std::uint32_t hash(std::span<const TermId> args) { return hash_ids(0, args); }
    // For many lookups at once: first where each begins, then the row it is likely to find.
    void prefetch(std::uint32_t hash) const { slots_.prefetch(hash); }
    void prefetch_row(std::uint32_t hash) const {
        const std::uint32_t likely = slots_.candidate(hash);
        if (likely != SlotTable::absent) __builtin_prefetch(rows_.data() + likely * arity_);
    }
    void reserve(std::size_t rows) {
        rows_.reserve(rows * arity_);
        slots_.reserve(rows);
    }
    // The row of these arguments; SlotTable::absent if they are not there.
    std::uint32_t find(std::span<const TermId> args, std::uint32_t hash) const;
    // The row of these arguments, added if new. Throws IdOverflow.
    std::uint32_t insert(std::span<const TermId> args, std::uint32_t hash);

    // An index over all rows present now; it grows with refresh_indexes.
    const RelationIndex& index(std::uint32_t mask);
    void refresh_indexes();

    std::size_t bytes() const;
    PodVector<TermId> release_rows();  // frees everything else

private:
    std::size_t arity_;
    std::uint32_t size_ = 0;
    PodVector<TermId> rows_;
    SlotTable slots_;
    std::map<std::uint32_t, RelationIndex> indexes_;
};

}  // namespace neumann
