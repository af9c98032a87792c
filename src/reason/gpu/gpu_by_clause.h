// GPU steps of the semantics that combine the instances of each clause first: chunks are those of a run of
// instances of one clause for one head, and heads compute their values from the results of runs.
#pragma once

#include "reason/gpu/gpu_and_or.h"
#include "reason/semantics/alpha_ilp.h"
#include "reason/semantics/clausewise.h"

namespace neumann::kernels {

// The values of the bodies of an item's conjunctions.
template <class Not, class And, class Use>
constexpr void with_products(const GpuThread& thread, const Use& use) {
    const float* rows = thread.atoms(thread.step.before);
    with_shape(thread.item.shape,
               [&](auto shape) { use(GpuConjunctions<Not, And, decltype(shape)>(thread, rows, false)); });
}

// The runs of a head, which is the item.
template <class V, class Use>
constexpr void each_run(const GpuThread& thread, const Use& use) {
    for (std::uint32_t r = thread.item.begin; r < thread.item.end; ++r) {
        const GpuRun run = thread.step.runs[r];
        use(run.root, V(thread.step.weight[run.clause]));
    }
}

template <class V, class Not>
struct GpuKernel<ClausewiseStep<V, Not>> {
    using And = ProductAnd<V, Not>;
    // The best instance, and the first chunk that has one which takes the gradient: at 0 it has to be able to rise.
    struct Best {
        V value;
        V first;
    };
    static constexpr float nobody = 1e30F;
    static constexpr bool by_clause = true;
    static constexpr bool totals_are_rows = false;
    static constexpr bool weighs_apart = false;
    static constexpr std::size_t totals_bytes = sizeof(Best);

    using Pull = GpuPull<Not, And, true, false>;
    using Weigh = GpuWeigh<And, true, false>;

    struct Forward {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing()) return;
            Row<V> best = Row<V>::filled(0.0F);
            with_products<Not, And>(thread, [&](const auto& products) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c)
                    best[0] = max(best[0], products.value(c)[0]);
            });
            best.store(thread.partial(thread.item.to));
        }
    };
    struct ForwardJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            Row<V> best = Row<V>::load(thread.partial(results.begin));
            for (std::uint32_t i = results.begin + 1; i < results.end; ++i)
                best[0] = max(best[0], Row<V>::load(thread.partial(i))[0]);
            best.store(thread.partial(results.to));
        }
    };
    struct Heads {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            const std::size_t own = std::size_t{thread.item.owner} * tile_width;
            NoisyOr<V> disjunction(step.gamma, Row<V>::load(thread.atoms(step.initial) + own)[0]);
            each_run<V>(thread, [&](std::uint32_t root, const V& weight) {
                disjunction.add(Row<V>::load(thread.partial(root))[0] * weight);
            });
            Row<V> result;
            result[0] = disjunction.result();
            result.store(thread.atoms(step.after) + own);
        }
    };

    static constexpr Best better(const Best& a, const Best& b) {
        return {max(a.value, b.value),
                select(a.value == b.value, min(a.first, b.first), select(a.value > b.value, a.first, b.first))};
    }
    struct Totals {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing() || !thread.has_gradient(thread.item.owner)) return;
            const float* rows = thread.atoms(step.before);
            const V mine(static_cast<float>(thread.item.to));
            Best best{V(0.0F), V(nobody)};
            with_products<Not, And>(thread, [&](const auto& products) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c) {
                    const V value = products.value(c)[0];
                    const auto body = products.body(c);
                    const V rises = has_one_zero_at_most<V, Not>(body.alone(), rows)[0];
                    const auto takes = (value > V(0.0F)) || (rises != V(0.0F));
                    best = better(best, {value, select(takes, mine, V(nobody))});
                }
            });
            *thread.template totals<Best>(thread.item.to) = best;
        }
    };
    struct TotalsJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            if (!thread.has_gradient(thread.item.owner)) return;
            Best best = *thread.template totals<Best>(results.begin);
            for (std::uint32_t i = results.begin + 1; i < results.end; ++i)
                best = better(best, *thread.template totals<Best>(i));
            *thread.template totals<Best>(results.to) = best;
        }
    };
    // The gradients of runs, and of the initial value.
    struct Finish {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (!thread.has_gradient(thread.item.owner)) return;
            const std::size_t own = std::size_t{thread.item.owner} * tile_width;
            const V incoming = Row<V>::load(thread.atoms(step.incoming) + own)[0];
            const V initial = Row<V>::load(thread.atoms(step.initial) + own)[0];
            typename NoisyOr<V>::Backward disjunction(step.gamma, initial, initial);
            each_run<V>(thread, [&](std::uint32_t root, const V& weight) {
                disjunction.totals(thread.template totals<Best>(root)->value * weight);
            });
            each_run<V>(thread, [&](std::uint32_t root, const V& weight) {
                const V value = thread.template totals<Best>(root)->value * weight;
                Row<V> gradient;
                gradient[0] = incoming * disjunction.weight(value, V(1.0F));
                gradient.store(thread.partial(root));
            });
            Row<V> to_initial;
            to_initial[0] = incoming * disjunction.initial_weight();
            to_initial.add_to(thread.atoms(step.initial_gradient) + own);
        }
    };
    struct Reverse {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing() || !thread.has_gradient(thread.item.owner)) return;
            const Best best = *thread.template totals<Best>(thread.item.root);
            const V zero(0.0F);
            const auto mine = best.first == V(static_cast<float>(thread.item.to));
            V left = select(mine, Row<V>::load(thread.partial(thread.item.root))[0], zero);
            const float* rows = thread.atoms(step.before);
            with_products<Not, And>(thread, [&](const auto& products) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c) {
                    // To the first among equals, at 0 to the first that can rise.
                    const auto body = products.body(c);
                    const V rises = has_one_zero_at_most<V, Not>(body.alone(), rows)[0];
                    const auto takes =
                        (products.value(c)[0] == best.value) && ((best.value != zero) || (rises != zero));
                    Row<V> given;
                    given[0] = select(takes, left, zero);
                    left = select(takes, zero, left);
                    given.store(thread.conjunctions(step.conjunction_gradient) + std::size_t{c} * tile_width);
                }
            });
        }
    };
};

template <class V, class Not>
struct GpuKernel<AlphaIlpStep<V, Not>> {
    using And = ProductAnd<V, Not>;
    using Sum = LogSumExpOfMany<V>;
    static constexpr bool by_clause = true;
    static constexpr bool totals_are_rows = true;
    static constexpr bool weighs_apart = true;
    static constexpr std::size_t totals_bytes = sizeof(V);

    using Pull = GpuPull<Not, And, false, false>;
    using Weigh = GpuWeigh<And, false, false>;

    struct Forward {
        static constexpr int blocks = 3;
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing()) return;
            Sum sum{LogSumExp<V>(step.gamma)};
            with_products<Not, And>(thread, [&](const auto& products) {
                add_exactly(sum, thread.item.begin, thread.item.end,
                            [&](std::uint32_t c) { return products.value(c); });
            });
            put(thread, thread.item.to, sum);
        }
    };
    struct ForwardJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            Sum sum{LogSumExp<V>(thread.step.gamma)};
            add_exactly(sum, results.begin, results.end,
                        [&](std::uint32_t i) { return Row<V>::load(thread.partial(i)); });
            put(thread, results.to, sum);
        }
    };
    static constexpr void put(const GpuThread& thread, std::uint32_t to, const Sum& sum) {
        Row<V> total;
        total[0] = sum.unclamped();
        total.store(thread.partial(to));
    }
    using Totals = Forward;
    using TotalsJoin = ForwardJoin;

    static constexpr Row<V> derived(const GpuThread& thread) {
        Row<V> sum = Row<V>::filled(0.0F);
        each_run<V>(thread, [&](std::uint32_t root, const V& weight) {
            sum[0] = multiply_add(clamped(Row<V>::load(thread.partial(root)))[0], weight, sum[0]);
        });
        return clamped(sum);
    }
    struct Heads {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            const std::size_t own = std::size_t{thread.item.owner} * tile_width;
            softor_of_two(LogSumExp<V>(step.gamma), Row<V>::load(thread.atoms(step.before) + own), derived(thread))
                .store(thread.atoms(step.after) + own);
        }
    };
    // The gradient of the derived value, for each run.
    struct Finish {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (!thread.has_gradient(thread.item.owner)) return;
            const std::size_t own = std::size_t{thread.item.owner} * tile_width;
            const GradientOfTwo<V> to(LogSumExp<V>(step.gamma), Row<V>::load(thread.atoms(step.incoming) + own),
                                      Row<V>::load(thread.atoms(step.before) + own), derived(thread));
            to.first.add_to(thread.atoms(step.gradient) + own);
            each_run<V>(thread, [&](std::uint32_t root, const V&) { *thread.template totals<V>(root) = to.second[0]; });
        }
    };
    struct Reverse {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing() || !thread.has_gradient(thread.item.owner)) return;
            const LogSumExp<V> softor(step.gamma);
            const V to_derived = *thread.template totals<V>(thread.item.root);
            const Row<V> total = Row<V>::load(thread.partial(thread.item.root));
            const V weight(step.weight[step.graph.clause[thread.item.begin]]);
            const bool is_first = thread.item.to == thread.item.first;
            with_products<Not, And>(thread, [&](const auto& products) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c) {
                    const std::size_t row = std::size_t{c} * tile_width;
                    // The clause's weight is one: its first instance has all that it gets.
                    Row<V> part = Row<V>::filled(0.0F);
                    if (is_first && c == thread.item.begin) part[0] = to_derived * clamped(total)[0];
                    part.store(thread.conjunctions(step.weight_part) + row);
                    Row<V> gradient;
                    gradient[0] = to_derived * weight * softor.weight(products.value(c)[0], total[0]);
                    gradient.store(thread.conjunctions(step.conjunction_gradient) + row);
                }
            });
        }
    };
};

}  // namespace neumann::kernels
