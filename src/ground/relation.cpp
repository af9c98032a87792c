#include "ground/relation.h"

#include <algorithm>
#include <utility>

namespace neumann {
namespace {

// How large the numbers of terms may be for groups to be numbered by them.
std::size_t most_terms(std::size_t rows) { return 8 * rows + 4096; }

}  // namespace

std::uint32_t Relation::find(std::span<const TermId> args, std::uint32_t hash) const {
    return slots_.find(hash, [&](std::uint32_t r) { return std::ranges::equal(row(r), args); });
}

std::uint32_t Relation::insert(std::span<const TermId> args, std::uint32_t hash) {
    const std::uint32_t known = find(args, hash);
    if (known != SlotTable::absent) return known;
    const std::uint32_t added = checked_id<AtomId>(size_, "atoms of one predicate").value();
    rows_.append(args);
    slots_.insert(hash, added);
    ++size_;
    return added;
}

const RelationIndex& Relation::index(std::uint32_t mask) {
    const auto [it, is_new] = indexes_.try_emplace(mask, mask);
    if (is_new) it->second.extend(*this);
    return it->second;
}

void Relation::refresh_indexes() {
    for (auto& [mask, index] : indexes_) index.extend(*this);
}

std::size_t Relation::bytes() const {
    std::size_t total = rows_.capacity_bytes() + slots_.bytes();
    for (const auto& [mask, index] : indexes_) total += index.bytes();
    return total;
}

PodVector<TermId> Relation::release_rows() {
    indexes_.clear();
    slots_ = SlotTable();
    return std::move(rows_);
}

std::uint32_t RelationIndex::find_group(const Relation& relation, std::span<const TermId> key,
                                        std::uint32_t hash) const {
    return slots_.find(hash, [&](std::uint32_t g) {
        const std::span<const TermId> other = relation.row(example_[g]);
        std::size_t next = 0;
        for (std::size_t i = 0; i < other.size(); ++i) {
            if (((mask_ >> i) & 1U) && other[i] != key[next++]) return false;
        }
        return true;
    });
}

std::uint32_t RelationIndex::group_of_row(const Relation& relation, std::uint32_t row) {
    const std::span<const TermId> args = relation.row(row);
    if (by_term_) return args[place_].value();
    key_.clear();
    for (std::size_t i = 0; i < args.size(); ++i) {
        if ((mask_ >> i) & 1U) key_.push_back(args[i]);
    }
    const std::uint32_t hash = hash_ids(mask_, key_.span());
    const std::uint32_t known = find_group(relation, key_.span(), hash);
    if (known != SlotTable::absent) return known;
    const auto added = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({});
    example_.push_back(row);
    slots_.insert(hash, added);
    return added;
}

// Terms that no row has would take too much room: from now on groups have numbers of their own.
void RelationIndex::number_by_hash(const Relation& relation) {
    by_term_ = false;
    const PodVector<Group> by_term = std::move(groups_);
    groups_ = {};
    for (const Group& group : by_term) {
        if (group.size > 0) groups_[group_of_row(relation, pool_[group.begin])] = group;
    }
}

void RelationIndex::give_room(Group& group, std::size_t capacity) {
    const auto begin = checked_id<Id<struct IndexEntryTag>>(pool_.size(), "index entries").value();
    pool_.extend(capacity);
    std::copy_n(pool_.data() + group.begin, group.size, pool_.data() + begin);
    group.begin = begin;
    group.capacity = static_cast<std::uint32_t>(capacity);
}

// At first groups are counted, then given the room they need, then filled. A group that grows later moves to a place
// with twice the room.
void RelationIndex::extend(const Relation& relation) {
    const std::uint32_t end = relation.size();
    if (indexed_ == end) return;
    if (by_term_) {
        std::size_t terms = groups_.size();
        for (std::uint32_t row = indexed_; row < end; ++row)
            terms = std::max(terms, relation.row(row)[place_].index() + 1);
        if (terms > most_terms(end)) {
            number_by_hash(relation);
        } else if (terms > groups_.size()) {
            groups_.resize(terms);
        }
    }
    PodVector<std::uint32_t> group_of;
    group_of.resize_uninitialized(end - indexed_);
    for (std::uint32_t row = indexed_; row < end; ++row) group_of[row - indexed_] = group_of_row(relation, row);
    if (indexed_ == 0) {
        for (const std::uint32_t group : group_of) ++groups_[group].capacity;
        for (Group& group : groups_) give_room(group, group.capacity);
    }
    for (std::uint32_t row = indexed_; row < end; ++row) {
        Group& group = groups_[group_of[row - indexed_]];
        if (group.size == group.capacity) give_room(group, std::max<std::size_t>(2, std::size_t{group.capacity} * 2));
        pool_[group.begin + group.size++] = row;
    }
    indexed_ = end;
}

std::span<const std::uint32_t> RelationIndex::rows(const Relation& relation, std::span<const TermId> key) const {
    const std::size_t group = by_term_ ? key[0].index() : find_group(relation, key, hash_ids(mask_, key));
    if (group >= groups_.size()) return {};
    return pool_.span().subspan(groups_[group].begin, groups_[group].size);
}

std::size_t RelationIndex::bytes() const {
    return slots_.bytes() + example_.capacity_bytes() + key_.capacity_bytes() + groups_.capacity_bytes() +
           pool_.capacity_bytes();
}

}  // namespace neumann
