// The semantics alpha-ilp: the equations of αILP, taken literally.
//     C_k ← softor ∏x                 per clause and head, over its instances
//     x ← softor(x, Σ_k θ_k·C_k)      per atom
// with softor(x) = γ·log Σ e^{x/γ}; every OR and the sum are clamped to [0,1]. Unlike `paper` it keeps nothing for a
// conjunction. Nothing stays 0, so nothing can be skipped but the multiplications of a product that is 0.
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
struct AlphaIlpStep {
    static constexpr void forward(const ForwardStep& step) {
        const LogSumExp<V> softor(step.gamma);
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const Row<V> derived = clamped(sum_of_clauses(step.graph, step.weight, softor, atom, step.now, step.zero));
            write_result(step, i, softor_of_two(softor, Row<V>::load(step.now, atom), derived));
        }
    }

    static constexpr void backward(const BackwardStep& step) {
        const LogSumExp<V> softor(step.gamma);
        // Gradients of the body alone: the weight is a factor of the clause.
        alignas(64) float unused[tile_width];
        const GradientSink sink{step.before, step.outgoing, step.touched, unused, step.scratch};
        Row<V>::filled(0.0F).store(unused);
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const Row<V> incoming = Row<V>::load(step.incoming + i * tile_width);
            const Row<V> derived =
                clamped(sum_of_clauses(step.graph, step.weight, softor, atom, step.before, step.zero));
            const GradientOfTwo<V> to(softor, incoming, Row<V>::load(step.before, atom), derived);
            sink.add(atom, to.first);
            const std::uint32_t end = step.graph.in_begin[atom + 1];
            for (std::uint32_t c = step.graph.in_begin[atom]; c < end; c = end_of_clause(step.graph, c, end))
                pass_to_clause(step, softor, c, end, to.second, sink);
        }
    }

private:
    static constexpr std::uint32_t end_of_clause(const GraphView& graph, std::uint32_t begin, std::uint32_t end) {
        std::uint32_t c = begin + 1;
        while (c < end && graph.clause[c] == graph.clause[begin]) ++c;
        return c;
    }

    static constexpr Row<V> product_of(const GraphView& graph, std::uint32_t c, const float* rows,
                                       const std::uint8_t* zero) {
        const Conjunction body = body_at(graph, c);
        return count_zero<Not>(body, zero) > 0 ? Row<V>::filled(0.0F) : ProductAnd<V, Not>::value(body, rows);
    }

    // C_k before clamping, of the instances from begin to end.
    static constexpr Row<V> clause_value(const GraphView& graph, const LogSumExp<V>& softor, std::uint32_t begin,
                                         std::uint32_t end, const float* rows, const std::uint8_t* zero) {
        alignas(64) float block[block_size * tile_width];
        PerVector<V, LogSumExpOfMany<V>> sum(softor);
        for (std::uint32_t first = begin; first < end; first += block_size) {
            unsigned count = 0;
            for (std::uint32_t c = first; c < end && c < first + block_size; ++c)
                product_of(graph, c, rows, zero).store(block + count++ * tile_width);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) sum[v].add(block + v * V::size, count);
        }
        Row<V> result;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) result[v] = sum[v].unclamped();
        return result;
    }

    static constexpr Row<V> sum_of_clauses(const GraphView& graph, const float* weights, const LogSumExp<V>& softor,
                                           std::uint32_t atom, const float* rows, const std::uint8_t* zero) {
        Row<V> sum = Row<V>::filled(0.0F);
        const std::uint32_t end = graph.in_begin[atom + 1];
        for (std::uint32_t begin = graph.in_begin[atom]; begin < end;) {
            const std::uint32_t last = end_of_clause(graph, begin, end);
            const Row<V> value = clamped(clause_value(graph, softor, begin, last, rows, zero));
            const V weight(weights[graph.clause[begin]]);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) sum[v] = multiply_add(value[v], weight, sum[v]);
            begin = last;
        }
        return sum;
    }

    static constexpr void pass_to_clause(const BackwardStep& step, const LogSumExp<V>& softor, std::uint32_t begin,
                                         std::uint32_t end_of_head, const Row<V>& to_derived,
                                         const GradientSink& sink) {
        const std::uint32_t clause = step.graph.clause[begin];
        const std::uint32_t end = end_of_clause(step.graph, begin, end_of_head);
        const Row<V> total = clause_value(step.graph, softor, begin, end, step.before, step.zero);
        (to_derived * clamped(total)).add_to(step.weight_gradient + std::size_t{clause} * tile_width);
        const Row<V> to_clause = to_derived * Row<V>::filled(step.weight[clause]);
        if (!to_clause.any_nonzero()) return;
        for (std::uint32_t c = begin; c < end; ++c) {
            const Conjunction body = body_at(step.graph, c);
            if (count_zero<Not>(body, step.zero) > 1) continue;
            const Row<V> product = product_of(step.graph, c, step.before, step.zero);
            Row<V> to_product;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                to_product[v] = to_clause[v] * softor.weight(product[v], total[v]);
            if (to_product.any_nonzero()) ProductAnd<V, Not>::backward(body, to_product, sink);
        }
    }
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct AlphaIlp {
    static double forward(const AtomView& atom, std::span<double> /*state*/, Clamp& clamp) {
        double sum = 0;
        for (const Clause& clause : clauses_of(atom)) sum += atom.weight[clause.begin] * clamp(clause.value);
        const double two[] = {atom.before, clamp(sum)};
        return clamp(log_sum_exp(atom.gamma, two));
    }

    static void backward(const AtomView& atom, std::span<const double> /*before*/, std::span<const double> /*after*/,
                         double gradient, AtomGradient& result) {
        const std::vector<Clause> clauses = clauses_of(atom);
        const GradientOfTwo to(atom.gamma, gradient, atom.before, std::min(1.0, weighted_sum(atom, clauses)));
        result.before = to.first;
        for (const Clause& clause : clauses) {
            result.weight[clause.begin] = to.second * std::min(1.0, clause.value);  // one of its instances is enough
            for (std::size_t c = clause.begin; c < clause.end; ++c) {
                const double share = log_sum_exp_share(atom.gamma, ProductAnd::value(1, atom.body(c)), clause.value);
                double unused = 0;
                ProductAnd::gradient(1, atom.body(c), to.second * atom.weight[c] * share, unused, result.body(atom, c));
            }
        }
    }

    static void shares(const AtomView& atom, std::span<double> result) {
        const std::vector<Clause> clauses = clauses_of(atom);
        const double of_derived =
            GradientOfTwo(atom.gamma, 1, atom.initial, std::min(1.0, weighted_sum(atom, clauses))).second;
        for (const Clause& clause : clauses) {
            for (std::size_t c = clause.begin; c < clause.end; ++c)
                result[c] =
                    of_derived * log_sum_exp_share(atom.gamma, ProductAnd::value(1, atom.body(c)), clause.value);
        }
    }

private:
    struct Clause {  // its instances for the atom, and their soft-or before clamping
        std::size_t begin;
        std::size_t end;
        double value;
    };
    static std::vector<Clause> clauses_of(const AtomView& atom) {
        std::vector<Clause> result;
        for (std::size_t begin = 0; begin < atom.size();) {
            std::vector<double> products;
            std::size_t end = begin;
            for (; end < atom.size() && atom.clause[end] == atom.clause[begin]; ++end)
                products.push_back(ProductAnd::value(1, atom.body(end)));
            result.push_back({begin, end, log_sum_exp(atom.gamma, products)});
            begin = end;
        }
        return result;
    }
    static double weighted_sum(const AtomView& atom, const std::vector<Clause>& clauses) {
        double sum = 0;
        for (const Clause& clause : clauses) sum += atom.weight[clause.begin] * std::min(1.0, clause.value);
        return sum;
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct AlphaIlp {
    static constexpr SemanticsLaws laws = {
        .name = "alpha-ilp",
        .summary = "the equations of αILP: soft-or over a clause's instances, weighted sum of clauses",
        .both = tnorm::product,
        .uses_gamma = true,
        .keeps_zero = false,
        .needs_steps = true,
        .for_learning = false,
        .smooth = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AlphaIlpStep<V, Not>;
    using Formulas = formulas::AlphaIlp;
};
template <>
struct RegisteredSemantics<8> : AlphaIlp {};

}  // namespace neumann
