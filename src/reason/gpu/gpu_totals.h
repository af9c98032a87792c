// Totals of the chunks of one head: the sums that all of them need before they can compute the gradients of the
// conjunctions. By OR:
//     Totals::Adder(gamma, initial, after); needed(); add(y, can_rise) for each conjunction; done(chunk): its totals;
//     join(gamma, later) over all chunks;
//     start(gamma, initial, after): the OR's Backward in its state before a chunk; mine(chunk): 0 if the gradient is
//     that of another chunk;
//     initial_weight(…) after all of them.
#pragma once

#include "reason/semantics/lukasiewicz.h"
#include "reason/semantics/max_product.h"
#include "reason/semantics/noisy_or.h"
#include "reason/semantics/softor.h"
#include "reason/semantics/sum_product.h"

namespace neumann::kernels {

template <class Or>
struct GpuTotals;

// A sum that is a value of the same OR.
template <class V, class Or>
class GpuSum {
public:
    using Backward = typename Or::Backward;

    GpuSum() = default;
    constexpr explicit GpuSum(V sum) : sum_(sum) {}
    constexpr void join(float gamma, const GpuSum& later) {
        Or both(gamma, V(0.0F));
        add_one(both, sum_);
        add_one(both, later.sum_);
        sum_ = both.unclamped();
    }
    constexpr Backward start(float gamma, V initial, V after) const {
        Backward result(gamma, initial, after);
        if (!result.needs_totals()) return result;
        alignas(16) float one[tile_width];
        sum_.store_aligned(one);
        result.totals(one, 1);
        result.totals_done();
        return result;
    }
    constexpr V mine(V) const { return V(1.0F); }
    constexpr V initial_weight(float gamma, V initial, V after) const {
        return start(gamma, initial, after).initial_weight();
    }

protected:
    static constexpr void add_one(Or& sum, V y) {
        alignas(16) float one[tile_width];
        y.store_aligned(one);
        sum.add(one, 1);
    }

private:
    V sum_;
};
template <class V, class Or>
class GpuSumTotals : public GpuSum<V, Or> {
public:
    using GpuSum<V, Or>::GpuSum;

    class Adder {
    public:
        constexpr Adder(float gamma, V initial, V after)
            : needed_(typename Or::Backward(gamma, initial, after).needs_totals()), sum_(gamma, V(0.0F)) {}
        constexpr bool needed() const { return needed_; }
        constexpr void add(V y, V) { GpuSumTotals::add_one(sum_, y); }
        constexpr GpuSumTotals done(V) const { return GpuSumTotals(sum_.unclamped()); }

    private:
        bool needed_;
        Or sum_;
    };
};
template <class V>
struct GpuTotals<SoftOr<V>> {
    using type = GpuSumTotals<V, SoftOr<V>>;
};
template <class V>
struct GpuTotals<BoundedOr<V>> {
    using type = GpuSumTotals<V, BoundedOr<V>>;
};
template <class V>
struct GpuTotals<SumOr<V>> {
    using type = GpuSumTotals<V, SumOr<V>>;
};

template <class V>
class GpuFactors {
public:
    using Backward = typename NoisyOr<V>::Backward;
    class Adder {
    public:
        constexpr Adder(float gamma, V, V) : factors_(gamma, V(0.0F), V(0.0F)) {}
        constexpr bool needed() const { return true; }
        constexpr void add(V y, V) { factors_.totals(y); }
        constexpr GpuFactors done(V) const { return GpuFactors(factors_); }

    private:
        Backward factors_;
    };

    constexpr explicit GpuFactors(const Backward& factors) : factors_(factors) {}
    constexpr void join(float, const GpuFactors& later) { factors_.join(later.factors_); }
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
template <class V>
struct GpuTotals<NoisyOr<V>> {
    using type = GpuFactors<V>;
};

// The first conjunction that takes the gradient is in the first chunk that has such a one.
template <class V>
class GpuFirst {
public:
    using Backward = typename MaximumOr<V>::Backward;
    class Adder {
    public:
        constexpr Adder(float gamma, V initial, V after) : look_(gamma, initial, after) {}
        constexpr bool needed() const { return true; }
        constexpr void add(V y, V can_rise) { taken_ = max(taken_, look_.weight(y, can_rise)); }
        constexpr GpuFirst done(V chunk) const { return GpuFirst(select(taken_ > V(0.0F), chunk, V(nobody))); }

    private:
        Backward look_;
        V taken_ = V(0.0F);
    };

    constexpr explicit GpuFirst(V first) : first_(first) {}
    constexpr void join(float, const GpuFirst& later) { first_ = min(first_, later.first_); }
    constexpr Backward start(float gamma, V initial, V after) const { return Backward(gamma, initial, after); }
    constexpr V mine(V chunk) const { return select(first_ == chunk, V(1.0F), V(0.0F)); }
    constexpr V initial_weight(float gamma, V initial, V after) const {
        Backward result(gamma, initial, after);
        result.weight(select(first_ < V(nobody), after, V(-1.0F)), V(1.0F));
        return result.initial_weight();
    }

private:
    static constexpr float nobody = 1e30F;
    V first_;
};
template <class V>
struct GpuTotals<MaximumOr<V>> {
    using type = GpuFirst<V>;
};

}  // namespace neumann::kernels
