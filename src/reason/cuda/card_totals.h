// What the chunks of one head have to know of each other before any of them can say what its conjunctions' share of the
// gradient is. By OR:
//     Totals(gamma, initial, after); needed(); add(y, can_rise) for each conjunction of a chunk; done(chunk);
//     join(later) over all chunks;
//     start(gamma, initial, after): the OR's Backward as it is before a chunk; mine(chunk): 0 where the gradient is
//     another's;
//     initial_weight(…) after all of them.
#pragma once

#include "reason/semantics/lukasiewicz.h"
#include "reason/semantics/max_product.h"
#include "reason/semantics/noisy_or.h"
#include "reason/semantics/softor.h"
#include "reason/semantics/sum_product.h"

namespace neumann::kernels {

template <class Or>
class CardTotals;

// A sum that is a value of the same OR.
template <class V, class Or>
class CardSum {
public:
    using Backward = typename Or::Backward;

    constexpr CardSum(float gamma, V initial, V after)
        : needed_(Backward(gamma, initial, after).needs_totals()), sum_(gamma, V(0.0F)) {}
    constexpr bool needed() const { return needed_; }
    constexpr void add(V y, V) { add(y); }
    constexpr void done(V) {}
    constexpr void join(const CardSum& later) {
        needed_ = needed_ || later.needed_;
        add(later.sum_.unclamped());
    }
    constexpr Backward start(float gamma, V initial, V after) const {
        Backward result(gamma, initial, after);
        if (!result.needs_totals()) return result;
        alignas(16) float one[tile_width];
        sum_.unclamped().store_aligned(one);
        result.totals(one, 1);
        result.totals_done();
        return result;
    }
    constexpr V mine(V) const { return V(1.0F); }
    constexpr V initial_weight(float gamma, V initial, V after) const {
        return start(gamma, initial, after).initial_weight();
    }

private:
    constexpr void add(V y) {
        alignas(16) float one[tile_width];
        y.store_aligned(one);
        sum_.add(one, 1);
    }

    bool needed_;
    Or sum_;
};
template <class V>
class CardTotals<SoftOr<V>> : public CardSum<V, SoftOr<V>> {
public:
    using CardSum<V, SoftOr<V>>::CardSum;
};
template <class V>
class CardTotals<BoundedOr<V>> : public CardSum<V, BoundedOr<V>> {
public:
    using CardSum<V, BoundedOr<V>>::CardSum;
};
template <class V>
class CardTotals<SumOr<V>> : public CardSum<V, SumOr<V>> {
public:
    using CardSum<V, SumOr<V>>::CardSum;
};

template <class V>
class CardTotals<NoisyOr<V>> {
public:
    using Backward = typename NoisyOr<V>::Backward;

    constexpr CardTotals(float gamma, V, V) : factors_(gamma, V(0.0F), V(0.0F)) {}
    constexpr bool needed() const { return true; }
    constexpr void add(V y, V) { factors_.totals(y); }
    constexpr void done(V) {}
    constexpr void join(const CardTotals& later) { factors_.join(later.factors_); }
    constexpr Backward start(float gamma, V initial, V after) const {
        Backward result(gamma, initial, after);
        result.join(factors_);
        return result;
    }
    constexpr V mine(V) const { return V(1.0F); }
    constexpr V initial_weight(float gamma, V initial, V after) const {
        return start(gamma, initial, after).initial_weight();
    }

private:
    Backward factors_;
};

// The first conjunction that takes the gradient is in the first chunk that has such a one.
template <class V>
class CardTotals<MaximumOr<V>> {
public:
    using Backward = typename MaximumOr<V>::Backward;

    constexpr CardTotals(float gamma, V initial, V after) : look_(gamma, initial, after) {}
    constexpr bool needed() const { return true; }
    constexpr void add(V y, V can_rise) { taken_ = max(taken_, look_.weight(y, can_rise)); }
    constexpr void done(V chunk) { first_ = select(taken_ > V(0.0F), chunk, V(nobody)); }
    constexpr void join(const CardTotals& later) { first_ = min(first_, later.first_); }
    constexpr Backward start(float gamma, V initial, V after) const { return Backward(gamma, initial, after); }
    constexpr V mine(V chunk) const { return select(first_ == chunk, V(1.0F), V(0.0F)); }
    constexpr V initial_weight(float gamma, V initial, V after) const {
        Backward result(gamma, initial, after);
        result.weight(select(first_ < V(nobody), after, V(-1.0F)), V(1.0F));
        return result.initial_weight();
    }

private:
    static constexpr float nobody = 1e30F;
    Backward look_;
    V taken_ = V(0.0F);
    V first_ = V(nobody);
};

}  // namespace neumann::kernels
