#include "ground/canonical_order.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace neumann {

CanonicalTermOrder::CanonicalTermOrder(const TermTable& terms) : ranks_(terms.size(), 0) {
    // Arguments are shallower than the term that contains them, so ranking depth by depth always finds them ranked.
    PodVector<TermId> ground;
    std::uint32_t deepest = 0;
    for (std::size_t t = 0; t < terms.size(); ++t) {
        const TermId term(static_cast<std::uint32_t>(t));
        if (!terms.is_ground(term)) continue;
        ground.push_back(term);
        deepest = std::max(deepest, terms.depth(term));
    }
    PodVector<std::uint32_t> begin(deepest + 2, 0);
    for (TermId term : ground) ++begin[terms.depth(term) + 1];
    for (std::size_t d = 0; d <= deepest; ++d) begin[d + 1] += begin[d];
    PodVector<TermId> by_depth(ground.size());
    PodVector<std::uint32_t> cursor = begin;
    for (TermId term : ground) by_depth[cursor[terms.depth(term)]++] = term;
    for (std::size_t d = 0; d <= deepest; ++d) {
        std::sort(by_depth.begin() + begin[d], by_depth.begin() + begin[d + 1], [&](TermId a, TermId b) {
            if (terms.kind(a) == TermKind::Constant) return terms.constant_of(a) < terms.constant_of(b);
            if (terms.functor_of(a) != terms.functor_of(b)) return terms.functor_of(a) < terms.functor_of(b);
            return std::ranges::lexicographical_compare(terms.args(a), terms.args(b), {},
                                                        [&](TermId t) { return rank(t); }, [&](TermId t) { return rank(t); });
        });
        for (std::uint32_t i = begin[d]; i < begin[d + 1]; ++i) ranks_[by_depth[i].index()] = size_++;
    }
}

// First distributed by the leading column, then each short bucket sorted by the rest: the buckets stay in cache.
SortedRows sort_rows(const CanonicalTermOrder& order, PodVector<TermId> rows, std::size_t arity, std::uint32_t count) {
    SortedRows result;
    result.new_row.resize_uninitialized(count);
    if (arity == 0) {
        for (std::uint32_t r = 0; r < count; ++r) result.new_row[r] = r;
        return result;
    }
    PodVector<std::uint32_t> begin(order.size() + 1, 0);
    for (std::uint32_t r = 0; r < count; ++r) ++begin[order.rank(rows[r * arity]) + 1];
    for (std::size_t k = 0; k < order.size(); ++k) begin[k + 1] += begin[k];
    PodVector<std::uint32_t> permutation;
    permutation.resize_uninitialized(count);
    {
        PodVector<std::uint32_t> cursor = begin;
        for (std::uint32_t r = 0; r < count; ++r) permutation[cursor[order.rank(rows[r * arity])]++] = r;
    }
    const auto bits = static_cast<std::size_t>(std::bit_width(order.size()));
    const bool packed = (arity - 1) * bits <= 64;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> bucket;
    const auto later_columns_less = [&](std::uint32_t a, std::uint32_t b) {
        for (std::size_t i = 1; i < arity; ++i) {
            const std::uint32_t x = order.rank(rows[a * arity + i]);
            const std::uint32_t y = order.rank(rows[b * arity + i]);
            if (x != y) return x < y;
        }
        return false;
    };
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::uint32_t* first = permutation.data() + begin[k];
        std::uint32_t* last = permutation.data() + begin[k + 1];
        if (last - first < 2) continue;
        if (!packed) {
            std::sort(first, last, later_columns_less);
            continue;
        }
        bucket.clear();
        for (const std::uint32_t* r = first; r != last; ++r) {
            std::uint64_t key = 0;
            for (std::size_t i = 1; i < arity; ++i) key = (key << bits) | order.rank(rows[*r * arity + i]);
            bucket.emplace_back(key, *r);
        }
        if (!std::is_sorted(bucket.begin(), bucket.end())) std::sort(bucket.begin(), bucket.end());
        for (const auto& [key, r] : bucket) *first++ = r;
    }
    result.rows.resize_uninitialized(count * arity);
    for (std::uint32_t n = 0; n < count; ++n) {
        std::copy_n(rows.data() + permutation[n] * arity, arity, result.rows.data() + n * arity);
        result.new_row[permutation[n]] = n;
    }
    return result;
}

}  // namespace neumann
