// The semantics noisy-or: the product for AND, 1 − ∏(1 − y) for OR. As if all proofs were independent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reason/kernels/vector_math.h"
#include "reason/semantics/and_or.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/product_and.h"

namespace neumann::kernels {

// Summed up as o + y·(1 − o), which keeps small values precise.
template <class V>
class NoisyOr {
public:
    constexpr NoisyOr(float, V initial) : so_far_(initial) {}
    constexpr void add(V y) { so_far_ = multiply_add(y, V(1.0F) - so_far_, so_far_); }
    constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) add(V::load_aligned(column + k * tile_width));
    }
    constexpr V result() const { return min(so_far_, V(1.0F)); }

    // ∂/∂y is the product of the other factors (1 − y): all of them divided by its own, unless some are 0.
    class Backward {
    public:
        constexpr Backward(float, V initial, V) : initial_(initial) { totals(initial); }
        constexpr bool needs_totals() const { return true; }
        constexpr bool asks_what_can_rise() const { return false; }
        constexpr void totals(V y) {
            const V factor = V(1.0F) - y;
            const auto zero = factor == V(0.0F);
            product_ *= select(zero, V(1.0F), factor);
            zeros_ += select(zero, V(1.0F), V(0.0F));
        }
        constexpr void totals(const float* column, unsigned count) {
            for (unsigned k = 0; k < count; ++k) totals(V::load_aligned(column + k * tile_width));
        }
        constexpr void join(const Backward& more) {  // factors of another part of the conjunctions
            product_ *= more.product_;
            zeros_ += more.zeros_;
        }
        constexpr void totals_done() {}
        constexpr V weight(V y, V) const {
            const V factor = V(1.0F) - y;
            const auto zero = factor == V(0.0F);
            const V others = select(zero, product_, product_ / select(zero, V(1.0F), factor));
            return select(zeros_ == select(zero, V(1.0F), V(0.0F)), others, V(0.0F));
        }
        constexpr V initial_weight() const { return weight(initial_, V(1.0F)); }

    private:
        V initial_;
        V product_ = V(1.0F);  // of the factors that are not 0
        V zeros_ = V(0.0F);
    };

private:
    V so_far_;
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct NoisyOr {
    static double value(double /*gamma*/, double initial, std::span<const double> values, Clamp& /*clamp*/) {
        double none_holds = 1 - initial;
        for (const double y : values) none_holds *= 1 - y;
        return 1 - none_holds;
    }
    static void gradient(double /*gamma*/, double initial, std::span<const double> values,
                         const std::vector<bool>& /*can_rise*/, double gradient, double& initial_gradient,
                         std::span<double> value_gradient) {
        double others = 1;
        for (const double y : values) others *= 1 - y;
        initial_gradient = gradient * others;
        for (std::size_t i = 0; i < values.size(); ++i) {
            others = 1 - initial;
            for (std::size_t k = 0; k < values.size(); ++k) others *= k == i ? 1.0 : 1 - values[k];
            value_gradient[i] = gradient * others;
        }
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct NoisyOr {
    static constexpr SemanticsLaws laws = {.name = "noisy-or",
                                           .summary = "product and noisy-or: as if all proofs were independent",
                                           .both = tnorm::product,
                                           .smooth = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AndOrStep<V, Not, kernels::ProductAnd<V, Not>, kernels::NoisyOr<V>>;
    using Formulas = formulas::AndOr<formulas::ProductAnd, formulas::NoisyOr>;
};
template <>
struct RegisteredSemantics<3> : NoisyOr {};

}  // namespace neumann
