// The semantics paper: the paper's equations, taken literally:
//     v ← softor(v, ∏x)            per conjunction, kept from step to step
//     x ← softor(x, softor θ·v)    per atom
// with softor(x) = γ·log Σ e^{x/γ} and every OR clamped to [0,1]. Nothing stays 0, so nothing can be skipped but the
// multiplications of a product that is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reason/semantics/and_or.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/log_sum_exp.h"
#include "reason/semantics/product_and.h"

namespace neumann::kernels {

template <class V, class Not>
struct PaperStep {
    static constexpr void forward(const ForwardStep& step) {
        alignas(64) float block[block_size * tile_width];
        const LogSumExp<V> softor(step.gamma);
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const std::uint32_t end = step.graph.in_begin[atom + 1];
            PerVector<V, LogSumExpOfMany<V>> sum(softor);
            for (std::uint32_t first = step.graph.in_begin[atom]; first < end; first += block_size) {
                unsigned count = 0;
                for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                    const Row<V> product = body_product(body_at(step.graph, c), step.now, step.zero);
                    float* held = step.state + std::size_t{c} * tile_width;
                    Row<V> value = softor_of_two(softor, Row<V>::load(held), product);
                    value.store(held);
                    value *= Row<V>::filled(step.weight[step.graph.clause[c]]);
                    value.store(block + count++ * tile_width);
                }
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) sum[v].add(block + v * V::size, count);
            }
            Row<V> derived;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) derived[v] = sum[v].unclamped();
            write_result(step, i, softor_of_two(softor, Row<V>::load(step.now, atom), clamped(derived)));
        }
    }

    // The gradient of a conjunction's value is carried from step to step in state_gradient: it feeds both the atom and
    // its own next value.
    static constexpr void backward(const BackwardStep& step) {
        const LogSumExp<V> softor(step.gamma);
        // Gradients of the body alone: the weight is not a factor of the product here.
        alignas(64) float unused[tile_width];
        const GradientSink sink{step.before, step.outgoing, step.touched, unused, step.scratch};
        Row<V>::filled(0.0F).store(unused);
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const Row<V> incoming = Row<V>::load(step.incoming + i * tile_width);
            const Row<V> total = derived_before_clamping(step, softor, atom);
            const GradientOfTwo<V> to(softor, incoming, Row<V>::load(step.before, atom), clamped(total));
            sink.add(atom, to.first);
            for (std::uint32_t c = step.graph.in_begin[atom]; c < step.graph.in_begin[atom + 1]; ++c)
                pass_to_conjunction(step, softor, c, total, to.second, sink);
        }
    }

private:
    static constexpr Row<V> body_product(const Conjunction& body, const float* rows, const std::uint8_t* zero) {
        return count_zero<Not>(body, zero) > 0 ? Row<V>::filled(0.0F) : ProductAnd<V, Not>::value(body, rows);
    }

    static constexpr Row<V> derived_before_clamping(const BackwardStep& step, const LogSumExp<V>& softor,
                                                    std::uint32_t atom) {
        alignas(64) float block[block_size * tile_width];
        const std::uint32_t end = step.graph.in_begin[atom + 1];
        PerVector<V, LogSumExpOfMany<V>> sum(softor);
        for (std::uint32_t first = step.graph.in_begin[atom]; first < end; first += block_size) {
            unsigned count = 0;
            for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                const Row<V> weight = Row<V>::filled(step.weight[step.graph.clause[c]]);
                (Row<V>::load(step.state_after, c) * weight).store(block + count++ * tile_width);
            }
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) sum[v].add(block + v * V::size, count);
        }
        Row<V> total;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) total[v] = sum[v].unclamped();
        return total;
    }

    static constexpr void pass_to_conjunction(const BackwardStep& step, const LogSumExp<V>& softor, std::uint32_t c,
                                              const Row<V>& total, const Row<V>& to_derived, const GradientSink& sink) {
        const Conjunction body = body_at(step.graph, c);
        const Row<V> value = Row<V>::load(step.state_after, c);
        const Row<V> previous = Row<V>::load(step.state_before, c);
        float* carried = step.state_gradient + std::size_t{c} * tile_width;
        Row<V> gradient = Row<V>::load(carried);
        const Row<V> weight = Row<V>::filled(step.weight[step.graph.clause[c]]);
        Row<V> to_weight;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
            const V share = to_derived[v] * softor.weight(value[v] * weight[v], total[v]);
            to_weight[v] = share * value[v];
            gradient[v] = multiply_add(share, weight[v], gradient[v]);
        }
        to_weight.add_to(step.weight_gradient + std::size_t{step.graph.clause[c]} * tile_width);
        if (!gradient.any_nonzero()) {
            gradient.store(carried);  // the carried value may have been cancelled just now
            return;
        }
        const GradientOfTwo<V> to(softor, gradient, previous, body_product(body, step.before, step.zero));
        to.first.store(carried);
        if (count_zero<Not>(body, step.zero) > 1 || !to.second.any_nonzero()) return;
        ProductAnd<V, Not>::backward(body, to.second, sink);
    }
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct Paper {
    static double forward(const AtomView& atom, std::span<double> state, Clamp& clamp) {
        std::vector<double> weighted;
        for (std::size_t c = 0; c < atom.size(); ++c) {
            const double two[] = {state[c], ProductAnd::value(1, atom.body(c))};
            state[c] = clamp(log_sum_exp(atom.gamma, two));
            weighted.push_back(atom.weight[c] * state[c]);
        }
        const double derived = clamp(log_sum_exp(atom.gamma, weighted));
        const double two[] = {atom.before, derived};
        return clamp(log_sum_exp(atom.gamma, two));
    }

    static void backward(const AtomView& atom, std::span<const double> state_before,
                         std::span<const double> state_after, double gradient, AtomGradient& result) {
        std::vector<double> weighted;
        for (std::size_t c = 0; c < atom.size(); ++c) weighted.push_back(atom.weight[c] * state_after[c]);
        const double total = log_sum_exp(atom.gamma, weighted);
        const GradientOfTwo to(atom.gamma, gradient, atom.before, std::min(1.0, total));
        result.before = to.first;
        for (std::size_t c = 0; c < atom.size(); ++c) {
            const double to_weighted = to.second * log_sum_exp_share(atom.gamma, weighted[c], total);
            result.weight[c] = to_weighted * state_after[c];
            const double to_state = result.state[c] + to_weighted * atom.weight[c];
            const GradientOfTwo parts(atom.gamma, to_state, state_before[c], ProductAnd::value(1, atom.body(c)));
            result.state[c] = parts.first;
            double unused = 0;
            ProductAnd::gradient(1, atom.body(c), parts.second, unused, result.body(atom, c));
        }
    }

    static void shares(const AtomView& atom, std::span<double> result) {
        const std::vector<double> values = conjunctions_of<ProductAnd>(atom);
        const double derived = log_sum_exp(atom.gamma, values);
        const double of_derived = GradientOfTwo(atom.gamma, 1, atom.initial, derived).second;
        for (std::size_t c = 0; c < values.size(); ++c)
            result[c] = of_derived * log_sum_exp_share(atom.gamma, values[c], derived);
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct Paper {
    static constexpr SemanticsLaws laws = {.name = "paper",
                                           .summary =
                                               "the paper's equations, every OR clamped to [0,1]; false atoms creep up",
                                           .both = tnorm::product,
                                           .uses_gamma = true,
                                           .keeps_zero = false,
                                           .needs_steps = true,
                                           .keeps_state = true,
                                           .for_learning = false,
                                           .smooth = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::PaperStep<V, Not>;
    using Formulas = formulas::Paper;
};
template <>
struct RegisteredSemantics<1> : Paper {};

}  // namespace neumann
