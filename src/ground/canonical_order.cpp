#include "ground/canonical_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace neumann {
namespace {

// Sorts terms by numbers of which no two are the same and few are missing.
template <class NumberOf>
void place_by_number(TermId* first, TermId* last, const NumberOf& number_of) {
    std::uint32_t largest = 0;
    for (const TermId* t = first; t != last; ++t) largest = std::max(largest, number_of(*t));
    PodVector<TermId> placed(std::size_t{largest} + 1, TermId::none());
    for (const TermId* t = first; t != last; ++t) placed[number_of(*t)] = *t;
    std::copy_if(placed.begin(), placed.end(), first, [](TermId t) { return !t.is_none(); });
}

}  // namespace

CanonicalTermOrder::CanonicalTermOrder(const TermTable& terms, std::span<const std::uint32_t> constant_ranks)
    : ranks_(terms.size(), 0) {
    const auto rank_of_constant = [&](TermId term) {
        const ConstantId constant = terms.constant_of(term);
        return constant_ranks.empty() ? constant.value() : constant_ranks[constant.index()];
    };
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
        const auto before = [&](TermId a, TermId b) {
            if (terms.kind(a) == TermKind::Constant) return rank_of_constant(a) < rank_of_constant(b);
            if (terms.functor_of(a) != terms.functor_of(b)) return terms.functor_of(a) < terms.functor_of(b);
            return std::ranges::lexicographical_compare(
                terms.args(a), terms.args(b), {}, [&](TermId t) { return rank(t); }, [&](TermId t) { return rank(t); });
        };
        TermId* const first = by_depth.begin() + begin[d];
        TermId* const last = by_depth.begin() + begin[d + 1];
        if (std::is_sorted(first, last, before)) {
            // As an enumerated universe is.
        } else if (std::all_of(first, last, [&](TermId t) { return terms.kind(t) == TermKind::Constant; })) {
            place_by_number(first, last, rank_of_constant);
        } else {
            std::sort(first, last, before);
        }
        for (std::uint32_t i = begin[d]; i < begin[d + 1]; ++i) ranks_[by_depth[i].index()] = size_++;
    }
}

namespace {

// Sorts keys by their bits from `low` to `high`, eight at a time; `spare` has the same size.
void radix_sort(PodVector<std::uint64_t>& keys, PodVector<std::uint64_t>& spare, unsigned low, unsigned high) {
    for (unsigned shift = low; shift < high; shift += 8) {
        std::array<std::size_t, 257> begin{};
        for (std::uint64_t key : keys) ++begin[((key >> shift) & 0xFFU) + 1];
        for (std::size_t digit = 0; digit < 256; ++digit) begin[digit + 1] += begin[digit];
        for (std::uint64_t key : keys) spare[begin[(key >> shift) & 0xFFU]++] = key;
        keys.swap(spare);
    }
}

// Orders the rows of one bucket (all with the same first argument) by their other arguments.
class BucketSorter {
public:
    BucketSorter(const CanonicalTermOrder& order, const PodVector<TermId>& rows, std::size_t arity, std::uint32_t count)
        : order_(order), rows_(rows), arity_(arity), term_bits_(static_cast<unsigned>(std::bit_width(order.size()))),
          row_bits_(static_cast<unsigned>(std::bit_width(count))) {}

    void sort(std::uint32_t* first, std::uint32_t* last) {
        if (last - first < 2) return;
        const std::size_t key_bits = (arity_ - 1) * term_bits_ + row_bits_;
        if (key_bits > 64) {
            std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) { return less(a, b); });
            return;
        }
        keys_.clear();
        for (const std::uint32_t* r = first; r != last; ++r) {
            std::uint64_t key = 0;
            for (std::size_t i = 1; i < arity_; ++i) key = (key << term_bits_) | rank(*r, i);
            keys_.push_back((key << row_bits_) | *r);
        }
        if (!std::is_sorted(keys_.begin(), keys_.end())) {
            if (keys_.size() < small_bucket) {
                std::sort(keys_.begin(), keys_.end());
            } else {
                spare_.resize_uninitialized(keys_.size());
                radix_sort(keys_, spare_, row_bits_, static_cast<unsigned>(key_bits));
            }
        }
        for (std::uint64_t key : keys_)
            *first++ = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << row_bits_) - 1));
    }

private:
    static constexpr std::size_t small_bucket = 2048;  // below this a comparison sort is faster

    std::uint32_t rank(std::uint32_t row, std::size_t column) const {
        return order_.rank(rows_[row * arity_ + column]);
    }
    bool less(std::uint32_t a, std::uint32_t b) const {
        for (std::size_t i = 1; i < arity_; ++i) {
            if (rank(a, i) != rank(b, i)) return rank(a, i) < rank(b, i);
        }
        return false;
    }

    const CanonicalTermOrder& order_;
    const PodVector<TermId>& rows_;
    std::size_t arity_;
    unsigned term_bits_;
    unsigned row_bits_;
    PodVector<std::uint64_t> keys_;  // ranks of the other arguments, then the row
    PodVector<std::uint64_t> spare_;
};

// Splits the buckets into chunks with about equally many rows.
std::vector<std::uint32_t> bucket_bounds(const PodVector<std::uint32_t>& begin, std::uint32_t count) {
    constexpr std::size_t chunks = 64;
    std::vector<std::uint32_t> bounds = {0};
    const std::size_t target = count / chunks + 1;
    const auto last = static_cast<std::uint32_t>(begin.size() - 1);
    for (std::uint32_t k = 1; k <= last; ++k) {
        if (k == last || begin[k] - begin[bounds.back()] >= target) bounds.push_back(k);
    }
    return bounds;
}

}  // namespace

// First distributed by the leading column, then each bucket sorted by the rest.
SortedRows sort_rows(const CanonicalTermOrder& order, PodVector<TermId> rows, std::size_t arity, std::uint32_t count,
                     unsigned threads) {
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
    result.rows.resize_uninitialized(count * arity);
    const std::vector<std::uint32_t> bounds = bucket_bounds(begin, count);
    parallel_chunks(count < worth_a_thread ? 1 : threads, bounds.size() - 1, [&](std::size_t chunk) {
        BucketSorter sorter(order, rows, arity, count);
        for (std::uint32_t k = bounds[chunk]; k < bounds[chunk + 1]; ++k)
            sorter.sort(permutation.data() + begin[k], permutation.data() + begin[k + 1]);
        for (std::uint32_t n = begin[bounds[chunk]]; n < begin[bounds[chunk + 1]]; ++n) {
            std::copy_n(rows.data() + permutation[n] * arity, arity, result.rows.data() + n * arity);
            result.new_row[permutation[n]] = n;
        }
    });
    return result;
}

}  // namespace neumann
