#include "ground/relation.h"

#include <algorithm>
#include <utility>

namespace neumann {

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

std::uint32_t RelationIndex::group_of_row(const Relation& relation, std::uint32_t row) {
    const std::span<const TermId> args = relation.row(row);
    WordHash hash(mask_);
    for (std::size_t i = 0; i < args.size(); ++i) {
        if ((mask_ >> i) & 1U) hash.add(args[i].value());
    }
    const std::uint32_t known = slots_.find(hash.finish(), [&](std::uint32_t g) {
        const std::span<const TermId> other = relation.row(example_[g]);
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (((mask_ >> i) & 1U) && other[i] != args[i]) return false;
        }
        return true;
    });
    if (known != SlotTable::absent) return known;
    const auto added = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({});
    example_.push_back(row);
    slots_.insert(hash.finish(), added);
    return added;
}

// Groups are first counted, then given room, then filled. The first call allots exactly what is needed; a group that
// grows later moves to a place with twice the room.
void RelationIndex::extend(const Relation& relation) {
    const std::uint32_t end = relation.size();
    if (indexed_ == end) return;
    const bool first = indexed_ == 0;
    PodVector<std::uint32_t> group_of;
    group_of.resize_uninitialized(end - indexed_);
    PodVector<std::uint32_t> added(groups_.size(), 0);
    for (std::uint32_t row = indexed_; row < end; ++row) {
        const std::uint32_t group = group_of_row(relation, row);
        group_of[row - indexed_] = group;
        if (group >= added.size()) added.push_back(0);
        ++added[group];
    }
    for (std::size_t g = 0; g < added.size(); ++g) {
        Group& group = groups_[g];
        const std::uint32_t needed = group.size + added[g];
        if (needed <= group.capacity) continue;
        const std::uint32_t capacity = first || group.capacity == 0 ? needed : std::max(needed, group.capacity * 2);
        const auto begin = checked_id<Id<struct IndexEntryTag>>(pool_.size(), "index entries").value();
        pool_.extend(capacity);
        std::copy_n(pool_.data() + group.begin, group.size, pool_.data() + begin);
        group.begin = begin;
        group.capacity = capacity;
    }
    for (std::uint32_t row = indexed_; row < end; ++row) {
        Group& group = groups_[group_of[row - indexed_]];
        pool_[group.begin + group.size++] = row;
    }
    indexed_ = end;
}

std::span<const std::uint32_t> RelationIndex::rows(const Relation& relation, std::span<const TermId> key) const {
    const std::uint32_t hash = hash_ids(mask_, key);
    const std::uint32_t found = slots_.find(hash, [&](std::uint32_t g) {
        const std::span<const TermId> other = relation.row(example_[g]);
        std::size_t next = 0;
        for (std::size_t i = 0; i < other.size(); ++i) {
            if (((mask_ >> i) & 1U) && other[i] != key[next++]) return false;
        }
        return true;
    });
    if (found == SlotTable::absent) return {};
    return pool_.span().subspan(groups_[found].begin, groups_[found].size);
}

std::size_t RelationIndex::bytes() const {
    return slots_.bytes() + example_.capacity_bytes() + groups_.capacity_bytes() + pool_.capacity_bytes();
}

}  // namespace neumann
