// The semantics clausewise: the product for AND; a clause is as true as its best instance, and clauses are joined by
// noisy-or.
//     x ← 1 − (1 − x⁰)·∏_k (1 − θ_k·max ∏x)    the maximum over the instances of clause k for this head
// The maximum is taken of body products without the weight, which all instances share: the best one gets the gradient
// even where the weight is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reason/semantics/and_or.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/noisy_or.h"
#include "reason/semantics/product_and.h"

namespace neumann::kernels {

// The conjunctions of one clause for one head: they are neighbours.
struct ClauseRun {
    std::uint32_t begin;
    std::uint32_t end;
    // How many of its body atoms that are 0 in the whole tile each instance has at least, up to 2. With one the best is
    // 0 and may rise; with two no single atom can lift it.
    std::uint32_t zeros;
};

template <class V, class Not>
struct ClausewiseStep {
    static constexpr void forward(const ForwardStep& step) {
        Row<V> best;
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const std::uint32_t end = step.graph.in_begin[atom + 1];
            const Row<V> initial = Row<V>::load(step.initial, atom);
            PerVector<V, NoisyOr<V>> disjunction(step.gamma, initial);
            for (std::uint32_t c = step.graph.in_begin[atom]; c < end;) {
                const ClauseRun run = best_instance(step.graph, c, end, step.now, step.zero, best);
                c = run.end;
                if (run.zeros > 0) continue;
                const V weight(step.weight[step.graph.clause[run.begin]]);
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) disjunction[v].add(best[v] * weight);
            }
            Row<V> result;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) result[v] = disjunction[v].result();
            write_result(step, i, result);
        }
    }

    static constexpr void backward(const BackwardStep& step) {
        // The first clauses of a head are not computed twice.
        alignas(64) float block[block_size * tile_width];
        ClauseRun runs[block_size];
        GradientSink sink{step.before, step.outgoing, step.touched, nullptr, step.scratch};
        Row<V> best;
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const std::uint32_t begin = step.graph.in_begin[atom];
            const std::uint32_t end = step.graph.in_begin[atom + 1];
            const Row<V> incoming = Row<V>::load(step.incoming + i * tile_width);
            const Row<V> initial = Row<V>::load(step.initial, atom);
            PerVector<V, typename NoisyOr<V>::Backward> disjunction(step.gamma, initial, initial);
            ClauseRun run{};
            std::size_t number = 0;
            for (std::uint32_t c = begin; c < end; c = run.end, ++number) {
                run = best_instance(step.graph, c, end, step.before, step.zero, best);
                if (number < block_size) {
                    runs[number] = run;
                    best.store(block + number * tile_width);
                }
                if (run.zeros > 0) continue;
                const V weight(step.weight[step.graph.clause[run.begin]]);
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) disjunction[v].totals(best[v] * weight);
            }
            number = 0;
            for (std::uint32_t c = begin; c < end; c = run.end, ++number) {
                if (number < block_size) {
                    run = runs[number];
                    best = Row<V>::load(block + number * tile_width);
                } else {
                    run = best_instance(step.graph, c, end, step.before, step.zero, best);
                }
                if (run.zeros > 1) continue;
                const std::uint32_t clause = step.graph.clause[run.begin];
                const V weight(step.weight[clause]);
                Row<V> gradient;
                for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                    gradient[v] = incoming[v] * disjunction[v].weight(best[v] * weight, V(1.0F));
                if (!gradient.any_nonzero()) continue;
                sink.weight_gradient = step.weight_gradient + std::size_t{clause} * tile_width;
                if (run.end - run.begin == 1) {
                    ProductAnd<V, Not>::backward(conjunction_at(step.graph, step.weight, run.begin), gradient, sink);
                } else {
                    give_to_best(step, run, best, gradient, sink);
                }
            }
            Row<V> to_initial;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                to_initial[v] = incoming[v] * disjunction[v].initial_weight();
            to_initial.add_to(step.initial_gradient + std::size_t{atom} * tile_width);
        }
    }

private:
    // The run that starts at `begin`, and the largest of its body products.
    static constexpr ClauseRun best_instance(const GraphView& graph, std::uint32_t begin, std::uint32_t end,
                                             const float* rows, const std::uint8_t* zero, Row<V>& best) {
        Row<V> largest = Row<V>::filled(0.0F);
        const std::uint32_t clause = graph.clause[begin];
        ClauseRun run{begin, begin, 2};
        for (; run.end < end && graph.clause[run.end] == clause; ++run.end) {
            const Conjunction body = body_at(graph, run.end);
            const std::uint32_t zeros = count_zero<Not>(body, zero);
            if (zeros < run.zeros) run.zeros = zeros;
            if (zeros > 0) continue;
            const Row<V> product = ProductAnd<V, Not>::value(body, rows);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) largest[v] = max(largest[v], product[v]);
        }
        best = largest;
        return run;
    }

    // Hands the gradient of a clause to its best instance, lane by lane: to the first among equals, at 0 to the first
    // that can rise.
    static constexpr void give_to_best(const BackwardStep& step, const ClauseRun& run, const Row<V>& best,
                                       const Row<V>& gradient, const GradientSink& sink) {
        Row<V> left = gradient;  // 0 once it has been given away
        for (std::uint32_t c = run.begin; c < run.end && left.any_nonzero(); ++c) {
            const Conjunction body = body_at(step.graph, c);
            const std::uint32_t zeros = count_zero<Not>(body, step.zero);
            if (zeros > 1) continue;
            const Row<V> product = zeros > 0 ? Row<V>::filled(0.0F) : ProductAnd<V, Not>::value(body, step.before);
            bool asks_what_can_rise = false;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                asks_what_can_rise = asks_what_can_rise || any((best[v] == V(0.0F)) && (left[v] != V(0.0F)));
            const Row<V> can_rise =
                asks_what_can_rise ? has_one_zero_at_most<V, Not>(body, step.before) : Row<V>::filled(1.0F);
            Row<V> given;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
                const auto takes = (product[v] == best[v]) && ((best[v] != V(0.0F)) || (can_rise[v] != V(0.0F)));
                given[v] = select(takes, left[v], V(0.0F));
                left[v] = select(takes, V(0.0F), left[v]);
            }
            if (given.any_nonzero())
                ProductAnd<V, Not>::backward(conjunction_at(step.graph, step.weight, c), given, sink);
        }
    }
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct Clausewise {
    static double forward(const AtomView& atom, std::span<double> /*state*/, Clamp& clamp) {
        return NoisyOr::value(atom.gamma, atom.initial, picked(conjunctions_of<ProductAnd>(atom), best_instances(atom)),
                              clamp);
    }
    static void backward(const AtomView& atom, std::span<const double> /*before*/, std::span<const double> /*after*/,
                         double gradient, AtomGradient& result) {
        std::vector<double> by_conjunction(atom.size());
        pass_to_best(atom, gradient, result.initial, by_conjunction);
        pass_to_conjunctions<ProductAnd>(atom, by_conjunction, result);
    }
    static void shares(const AtomView& atom, std::span<double> result) {
        double by_initial = 0;
        pass_to_best(atom, 1, by_initial, result);
    }

private:
    // The place of the instance that stands for its clause, for each run of equal clauses: of those with the largest
    // body product the first, at 0 the first that can rise if there is one.
    static std::vector<std::size_t> best_instances(const AtomView& atom) {
        std::vector<std::size_t> result;
        std::vector<double> products;
        for (std::size_t c = 0; c < atom.size(); ++c) {
            products.push_back(ProductAnd::value(1, atom.body(c)));
            if (c == 0 || atom.clause[c] != atom.clause[c - 1]) {
                result.push_back(c);
                continue;
            }
            const std::size_t best = result.back();
            const auto rises = [&](std::size_t k) { return can_rise(atom.weight[k], atom.body(k)); };
            const bool both_zero = products[c] == 0 && products[best] == 0;
            if (products[c] > products[best] || (both_zero && rises(c) && !rises(best))) result.back() = c;
        }
        return result;
    }
    static std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& places) {
        std::vector<double> result;
        result.reserve(places.size());
        for (const std::size_t place : places) result.push_back(values[place]);
        return result;
    }
    static void pass_to_best(const AtomView& atom, double gradient, double& initial, std::span<double> by_conjunction) {
        const std::vector<std::size_t> best = best_instances(atom);
        std::vector<double> to_best(best.size());
        NoisyOr::gradient(atom.gamma, atom.initial, picked(conjunctions_of<ProductAnd>(atom), best), {}, gradient,
                          initial, to_best);
        std::ranges::fill(by_conjunction, 0.0);
        for (std::size_t k = 0; k < best.size(); ++k) by_conjunction[best[k]] = to_best[k];
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct Clausewise {
    static constexpr SemanticsLaws laws = {.name = "clausewise",
                                           .summary =
                                               "product; the best instance of each clause, noisy-or between clauses",
                                           .both = tnorm::product,
                                           .instances_compete = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::ClausewiseStep<V, Not>;
    using Formulas = formulas::Clausewise;
};
template <>
struct RegisteredSemantics<6> : Clausewise {};

}  // namespace neumann
