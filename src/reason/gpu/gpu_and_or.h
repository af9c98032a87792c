// GPU step of a semantics that is an AND and an OR.
#pragma once

#include "reason/gpu/gpu_sums.h"
#include "reason/gpu/gpu_totals.h"
#include "reason/kernels/step.h"

namespace neumann::kernels {

// The parts of a semantics' step on a GPU: the types Forward, Heads, Totals, Finish, Reverse, Pull and Weigh, each with
// run(step, place); ForwardJoin and TotalsJoin for the trees of Forward and Totals, with join(thread, results); whether
// heads are split clause by clause; whether Totals joins rows; and the size of the data that chunks exchange. Threads
// of one lane join the rows, because they have less to do in sequence: the same with other lanes.
template <class Step>
struct GpuKernel;

template <class V, class Not, class And, class Or>
struct GpuKernel<AndOrStep<V, Not, And, Or>> {
    using Between = typename GpuTotals<Or>::type;
    using Backward = typename Or::Backward;
    static constexpr bool by_clause = false;
    static constexpr bool totals_are_rows = false;
    static constexpr bool weighs_apart = false;
    static constexpr std::size_t totals_bytes = sizeof(Between);

    using Heads = GpuNothing;
    using Pull = GpuPull<Not, And, true, false>;
    using Weigh = GpuWeigh<And, true, false>;

    static constexpr void put(const GpuThread& thread, std::uint32_t to, const Or& disjunction) {
        Row<V> result;
        if (thread.is_final(to)) {
            result[0] = disjunction.result();
            result.store(thread.atoms(thread.step.after) + std::size_t{thread.item.owner} * tile_width);
        } else {
            result[0] = value_before_clamping(disjunction);
            result.store(thread.partial(to));
        }
    }
    static constexpr V initial_of(const GpuThread& thread, std::uint32_t to) {
        if (!thread.is_final(to)) return V(0.0F);
        return Row<V>::load(thread.atoms(thread.step.initial), thread.item.owner)[0];
    }

    struct Forward {
        static constexpr int blocks = 3;
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing()) return;
            const float* rows = thread.atoms(step.before);
            Or disjunction(step.gamma, initial_of(thread, thread.item.to));
            with_shape(thread.item.shape, [&](auto shape) {
                const GpuConjunctions<Not, And, decltype(shape)> conjunctions(thread, rows, true);
                add_in_blocks(disjunction, thread.item.begin, thread.item.end,
                              [&](std::uint32_t c) { return conjunctions.value(c); });
            });
            put(thread, thread.item.to, disjunction);
        }
    };
    struct ForwardJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            Or disjunction(thread.step.gamma, initial_of(thread, results.to));
            add_in_blocks(disjunction, results.begin, results.end,
                          [&](std::uint32_t i) { return Row<V>::load(thread.partial(i)); });
            put(thread, results.to, disjunction);
        }
    };

    // A head on the way back.
    struct Head {
        const GpuThread& thread;
        GpuLanes initial;
        GpuLanes after;

        constexpr explicit Head(const GpuThread& given)
            : thread(given), initial(GpuRow::load(given.atoms(given.step.initial), given.item.owner)[0]),
              after(GpuRow::load(given.atoms(static_cast<const float*>(given.step.after)), given.item.owner)[0]) {}

        // Calls use(number, value, can_rise) for each conjunction.
        template <class Use>
        constexpr void each(bool asks_what_can_rise, const Use& use) const {
            const GpuStep& step = thread.step;
            const float* rows = thread.atoms(step.before);
            with_length(thread.item.shape, [&](auto shape) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c) {
                    const GpuBody<shape.length> body(step, c);
                    const Conjunction conjunction = body.weighed(step);
                    const GpuRow can_rise = asks_what_can_rise ? has_one_zero_at_most<GpuLanes, Not>(conjunction, rows)
                                                               : GpuRow::filled(1.0F);
                    use(c, And::value(conjunction, rows)[0], can_rise[0]);
                }
            });
        }
        constexpr bool asks_what_can_rise() const {
            return Backward(thread.step.gamma, initial, after).asks_what_can_rise();
        }
        // The state before the conjunctions of a head that is one item.
        constexpr Backward start() const {
            Backward result(thread.step.gamma, initial, after);
            if (!result.needs_totals()) return result;
            alignas(16) float one[tile_width];
            each(false, [&](std::uint32_t, const GpuLanes& y, const GpuLanes&) {
                y.store_aligned(one);
                result.totals(one, 1);
            });
            result.totals_done();
            return result;
        }
    };

    struct Totals {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing() || thread.is_whole() || !thread.has_gradient(thread.item.owner)) return;
            const Head head(thread);
            typename Between::Adder adder(step.gamma, head.initial, head.after);
            if (!adder.needed()) return;
            head.each(head.asks_what_can_rise(),
                      [&](std::uint32_t, const GpuLanes& y, const GpuLanes& can_rise) { adder.add(y, can_rise); });
            *thread.template totals<Between>(thread.item.to) = adder.done(GpuLanes(static_cast<float>(thread.item.to)));
        }
    };
    struct TotalsJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const GpuThread& thread, const GpuJoin& results) {
            const GpuStep& step = thread.step;
            if (!thread.has_gradient(thread.item.owner)) return;
            const Head head(thread);
            if (!typename Between::Adder(step.gamma, head.initial, head.after).needed()) return;
            Between between = *thread.template totals<Between>(results.begin);
            for (std::uint32_t i = results.begin + 1; i < results.end; ++i)
                between.join(step.gamma, *thread.template totals<Between>(i));
            *thread.template totals<Between>(results.to) = between;
        }
    };

    struct Reverse {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (thread.is_nothing()) return;
            float* gradients = thread.conjunctions(step.conjunction_gradient);
            GpuLanes incoming = GpuRow::load(thread.atoms(step.incoming), thread.item.owner)[0];
            if (!any(incoming != GpuLanes(0.0F))) return;
            const Head head(thread);
            if (!thread.is_whole()) {
                const Between& between = *thread.template totals<Between>(thread.item.root);
                Backward start = between.start(step.gamma, head.initial, head.after);
                incoming *= between.mine(GpuLanes(static_cast<float>(thread.item.to)));
                write(head, start, incoming, gradients);
                return;
            }
            Backward start = head.start();
            write(head, start, incoming, gradients);
            GpuRow to_initial;
            to_initial[0] = incoming * start.initial_weight();
            to_initial.add_to(thread.atoms(step.initial_gradient) + std::size_t{thread.item.owner} * tile_width);
        }
        static constexpr void write(const Head& head, Backward& disjunction, const GpuLanes& incoming,
                                    float* gradients) {
            head.each(disjunction.asks_what_can_rise(),
                      [&](std::uint32_t c, const GpuLanes& y, const GpuLanes& can_rise) {
                          GpuRow gradient;
                          gradient[0] = incoming * disjunction.weight(y, can_rise);
                          gradient.store(gradients + std::size_t{c} * tile_width);
                      });
        }
    };

    struct Finish {
        static constexpr void run(const GpuStep& step, const GpuPlace& at) {
            const GpuThread thread(step, at);
            if (!thread.has_gradient(thread.item.owner)) return;
            const Head head(thread);
            const Between& between = *thread.template totals<Between>(thread.item.root);
            GpuRow to_initial = GpuRow::load(thread.atoms(step.incoming), thread.item.owner);
            to_initial[0] *= between.initial_weight(step.gamma, head.initial, head.after);
            to_initial.add_to(thread.atoms(step.initial_gradient) + std::size_t{thread.item.owner} * tile_width);
        }
    };
};

}  // namespace neumann::kernels
