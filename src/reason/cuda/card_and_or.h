// A step on a card of a semantics that is an AND and an OR.
#pragma once

#include "reason/cuda/card_sums.h"
#include "reason/cuda/card_totals.h"
#include "reason/kernels/step.h"

namespace neumann::kernels {

// What a card does for a semantics' step: the types Forward, Heads, Totals, Finish, Reverse, Pull and Weigh, each with
// run(step, place); what the trees of Forward and Totals do, ForwardJoin and TotalsJoin, with join(thread, results);
// whether heads are cut clause by clause; whether what Totals joins are rows; and the size of what chunks keep for each
// other. Rows are joined by threads of one lane, which have less to do one after the other: the same with other lanes.
template <class Step>
struct CardKernel;

template <class V, class Not, class And, class Or>
struct CardKernel<AndOrStep<V, Not, And, Or>> {
    using Between = typename CardTotals<Or>::type;
    using Backward = typename Or::Backward;
    static constexpr bool by_clause = false;
    static constexpr bool totals_are_rows = false;
    static constexpr bool weighs_apart = false;
    static constexpr std::size_t totals_bytes = sizeof(Between);

    using Heads = CardNothing;
    using Pull = CardPull<Not, And, true, false>;
    using Weigh = CardWeigh<And, true, false>;

    static constexpr void put(const CardThread& thread, std::uint32_t to, const Or& disjunction) {
        Row<V> result;
        if (thread.is_final(to)) {
            result[0] = disjunction.result();
            result.store(thread.atoms(thread.step.after) + std::size_t{thread.item.owner} * tile_width);
        } else {
            result[0] = value_before_clamping(disjunction);
            result.store(thread.partial(to));
        }
    }
    static constexpr V initial_of(const CardThread& thread, std::uint32_t to) {
        if (!thread.is_final(to)) return V(0.0F);
        return Row<V>::load(thread.atoms(thread.step.initial), thread.item.owner)[0];
    }

    struct Forward {
        static constexpr int blocks = 3;
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (thread.is_nothing()) return;
            const float* rows = thread.atoms(step.before);
            Or disjunction(step.gamma, initial_of(thread, thread.item.to));
            with_shape(thread.item.shape, [&](auto shape) {
                const CardConjunctions<Not, And, decltype(shape)> conjunctions(thread, rows, true);
                add_in_blocks(disjunction, thread.item.begin, thread.item.end,
                              [&](std::uint32_t c) { return conjunctions.value(c); });
            });
            put(thread, thread.item.to, disjunction);
        }
    };
    struct ForwardJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const CardThread& thread, const CardJoin& results) {
            Or disjunction(thread.step.gamma, initial_of(thread, results.to));
            add_in_blocks(disjunction, results.begin, results.end,
                          [&](std::uint32_t i) { return Row<V>::load(thread.partial(i)); });
            put(thread, results.to, disjunction);
        }
    };

    // A head on the way back.
    struct Head {
        const CardThread& thread;
        CardLanes initial;
        CardLanes after;

        constexpr explicit Head(const CardThread& given)
            : thread(given), initial(CardRow::load(given.atoms(given.step.initial), given.item.owner)[0]),
              after(CardRow::load(given.atoms(static_cast<const float*>(given.step.after)), given.item.owner)[0]) {}

        // Calls use(number, value, can_rise) for each conjunction.
        template <class Use>
        constexpr void each(bool asks_what_can_rise, const Use& use) const {
            const CardStep& step = thread.step;
            const float* rows = thread.atoms(step.before);
            with_length(thread.item.shape, [&](auto shape) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c) {
                    const CardBody<shape.length> body(step, c);
                    const Conjunction conjunction = body.weighed(step);
                    const CardRow can_rise = asks_what_can_rise
                                                 ? has_one_zero_at_most<CardLanes, Not>(conjunction, rows)
                                                 : CardRow::filled(1.0F);
                    use(c, And::value(conjunction, rows)[0], can_rise[0]);
                }
            });
        }
        constexpr bool asks_what_can_rise() const {
            return Backward(thread.step.gamma, initial, after).asks_what_can_rise();
        }
        // What comes before the conjunctions of a head that is one item.
        constexpr Backward start() const {
            Backward result(thread.step.gamma, initial, after);
            if (!result.needs_totals()) return result;
            alignas(16) float one[tile_width];
            each(false, [&](std::uint32_t, const CardLanes& y, const CardLanes&) {
                y.store_aligned(one);
                result.totals(one, 1);
            });
            result.totals_done();
            return result;
        }
    };

    struct Totals {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (thread.is_nothing() || thread.is_whole() || !thread.has_gradient(thread.item.owner)) return;
            const Head head(thread);
            typename Between::Adder adder(step.gamma, head.initial, head.after);
            if (!adder.needed()) return;
            head.each(head.asks_what_can_rise(),
                      [&](std::uint32_t, const CardLanes& y, const CardLanes& can_rise) { adder.add(y, can_rise); });
            *thread.template totals<Between>(thread.item.to) =
                adder.done(CardLanes(static_cast<float>(thread.item.to)));
        }
    };
    struct TotalsJoin {
        static constexpr unsigned lanes = V::count;
        static constexpr void join(const CardThread& thread, const CardJoin& results) {
            const CardStep& step = thread.step;
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
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (thread.is_nothing()) return;
            float* gradients = thread.conjunctions(step.conjunction_gradient);
            CardLanes incoming = CardRow::load(thread.atoms(step.incoming), thread.item.owner)[0];
            if (!any(incoming != CardLanes(0.0F))) return;
            const Head head(thread);
            if (!thread.is_whole()) {
                const Between& between = *thread.template totals<Between>(thread.item.root);
                Backward start = between.start(step.gamma, head.initial, head.after);
                incoming *= between.mine(CardLanes(static_cast<float>(thread.item.to)));
                write(head, start, incoming, gradients);
                return;
            }
            Backward start = head.start();
            write(head, start, incoming, gradients);
            CardRow to_initial;
            to_initial[0] = incoming * start.initial_weight();
            to_initial.add_to(thread.atoms(step.initial_gradient) + std::size_t{thread.item.owner} * tile_width);
        }
        static constexpr void write(const Head& head, Backward& disjunction, const CardLanes& incoming,
                                    float* gradients) {
            head.each(disjunction.asks_what_can_rise(),
                      [&](std::uint32_t c, const CardLanes& y, const CardLanes& can_rise) {
                          CardRow gradient;
                          gradient[0] = incoming * disjunction.weight(y, can_rise);
                          gradient.store(gradients + std::size_t{c} * tile_width);
                      });
        }
    };

    struct Finish {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (!thread.has_gradient(thread.item.owner)) return;
            const Head head(thread);
            const Between& between = *thread.template totals<Between>(thread.item.root);
            CardRow to_initial = CardRow::load(thread.atoms(step.incoming), thread.item.owner);
            to_initial[0] *= between.initial_weight(step.gamma, head.initial, head.after);
            to_initial.add_to(thread.atoms(step.initial_gradient) + std::size_t{thread.item.owner} * tile_width);
        }
    };
};

}  // namespace neumann::kernels
