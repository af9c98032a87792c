// GPU step of the semantics `paper`.
#pragma once

#include "reason/gpu/gpu_and_or.h"
#include "reason/semantics/paper.h"

namespace neumann::kernels {

template <class V, class Not>
struct GpuKernel<PaperStep<V, Not>> {
    using And = ProductAnd<V, Not>;
    using Sum = LogSumExpOfMany<V>;
    static constexpr bool by_clause = false;
    static constexpr bool totals_are_rows = true;
    static constexpr bool weighs_apart = true;
    static constexpr std::size_t totals_bytes = 0;

    using Heads = GpuNothing;
    using Pull = GpuPull<Not, And, false, true>;
    using Weigh = GpuWeigh<And, false, true>;

    // The values of chunks, or that of the head: its earlier value and the derived one.
    static constexpr void put(const GpuThread& thread, std::uint32_t to, const LogSumExp<V>& softor, const Sum& sum) {
        Row<V> derived;
        derived[0] = sum.unclamped();
        if (!thread.is_final(to)) {
            derived.store(thread.partial(to));
            return;
        }
        const Row<V> before = Row<V>::load(thread.atoms(thread.step.before), thread.item.owner);
        softor_of_two(softor, before, clamped(derived))
            .store(thread.atoms(thread.step.after) + std::size_t{thread.item.owner} * tile_width);
    }

    struct Forward {
        static constexpr int blocks = 3;
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing()) return;
            const LogSumExp<V> softor(step.gamma);
            const float* rows = thread.atoms(step.before);
            const float* held = thread.conjunctions(step.state_before);
            float* to = thread.conjunctions(step.state_after);
            Sum sum(softor);
            with_shape(thread.item.shape, [&](auto shape) {
                const GpuConjunctions<Not, And, decltype(shape)> conjunctions(thread, rows, false);
                add_exactly(sum, thread.item.begin, thread.item.end, [&](std::uint32_t c) {
                    Row<V> value = softor_of_two(softor, Row<V>::load(held, c), conjunctions.value(c));
                    value.store(to + std::size_t{c} * tile_width);
                    value *= Row<V>::filled(step.weight[step.graph.clause[c]]);
                    return value;
                });
            });
            put(thread, thread.item.to, softor, sum);
        }
    };
    struct ForwardJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            const LogSumExp<V> softor(thread.step.gamma);
            put(thread, results.to, softor, sum_of(thread, softor, results));
        }
    };
    static constexpr Sum sum_of(const GpuThread& thread, const LogSumExp<V>& softor, const GpuJoin& results) {
        Sum sum(softor);
        add_exactly(sum, results.begin, results.end, [&](std::uint32_t i) { return Row<V>::load(thread.partial(i)); });
        return sum;
    }

    // The derived value, before clamping, of an item's conjunctions.
    static constexpr Row<V> derived(const GpuThread& thread, const LogSumExp<V>& softor) {
        const GpuStep& step = thread.step;
        const float* held = thread.conjunctions(static_cast<const float*>(step.state_after));
        Sum sum(softor);
        add_exactly(sum, thread.item.begin, thread.item.end, [&](std::uint32_t c) {
            return Row<V>::load(held, c) * Row<V>::filled(step.weight[step.graph.clause[c]]);
        });
        Row<V> result;
        result[0] = sum.unclamped();
        return result;
    }
    struct Totals {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing() || thread.is_whole()) return;
            derived(thread, LogSumExp<V>(step.gamma)).store(thread.partial(thread.item.to));
        }
    };
    struct TotalsJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            Row<V> total;
            total[0] = sum_of(thread, LogSumExp<V>(thread.step.gamma), results).unclamped();
            total.store(thread.partial(results.to));
        }
    };

    static constexpr GradientOfTwo<V> of_head(const GpuThread& thread, const LogSumExp<V>& softor,
                                              const Row<V>& total) {
        return {softor, Row<V>::load(thread.atoms(thread.step.incoming), thread.item.owner),
                Row<V>::load(thread.atoms(thread.step.before), thread.item.owner), clamped(total)};
    }

    struct Reverse {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing()) return;
            const LogSumExp<V> softor(step.gamma);
            const Row<V> total =
                thread.is_whole() ? derived(thread, softor) : Row<V>::load(thread.partial(thread.item.root));
            const GradientOfTwo<V> to = of_head(thread, softor, total);
            if (thread.is_whole())
                to.first.add_to(thread.atoms(step.gradient) + std::size_t{thread.item.owner} * tile_width);
            with_length(thread.item.shape, [&](auto shape) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c)
                    pass_to_conjunction(thread, softor, GpuBody<shape.length>(step, c), c, total, to.second);
            });
        }
        template <class Body>
        static constexpr void pass_to_conjunction(const GpuThread& thread, const LogSumExp<V>& softor, const Body& body,
                                                  std::uint32_t c, const Row<V>& total, const Row<V>& to_derived) {
            const GpuStep& step = thread.step;
            const std::size_t row = std::size_t{c} * tile_width;
            const V value = Row<V>::load(thread.conjunctions(step.state_after) + row)[0];
            const Row<V> previous = Row<V>::load(thread.conjunctions(step.state_before) + row);
            float* carried = thread.conjunctions(step.state_gradient) + row;
            const V weight(step.weight[body.clause(step)]);
            const V share = to_derived[0] * softor.weight(value * weight, total[0]);
            Row<V> to_weight;
            to_weight[0] = share * value;
            to_weight.store(thread.conjunctions(step.weight_part) + row);
            Row<V> gradient = Row<V>::load(carried);
            gradient[0] = multiply_add(share, weight, gradient[0]);
            const GradientOfTwo<V> to(softor, gradient, previous, And::value(body.alone(), thread.atoms(step.before)));
            to.first.store(carried);
            to.second.store(thread.conjunctions(step.conjunction_gradient) + row);
        }
    };
    struct Finish {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            of_head(thread, LogSumExp<V>(step.gamma), Row<V>::load(thread.partial(thread.item.root)))
                .first.add_to(thread.atoms(step.gradient) + std::size_t{thread.item.owner} * tile_width);
        }
    };
};

}  // namespace neumann::kernels
