// A step of the semantics `paper` on a card.
#pragma once

#include "reason/cuda/card_and_or.h"
#include "reason/semantics/paper.h"

namespace neumann::kernels {

template <class Not>
struct CardKernel<PaperStep<CardLanes, Not>> {
    using And = ProductAnd<CardLanes, Not>;
    using Sum = LogSumExpOfMany<CardLanes>;
    static constexpr bool by_clause = false;
    static constexpr bool weighs_apart = true;
    static constexpr std::size_t totals_bytes = 0;

    using Heads = CardNothing;
    using Pull = CardPull<Not, And, false, true>;
    using Weigh = CardWeigh<And, false, true>;

    // The values of chunks, or that of the head: what it was and what is derived.
    static constexpr void put(const CardThread& thread, std::uint32_t to, const LogSumExp<CardLanes>& softor,
                              const Sum& sum) {
        CardRow derived;
        derived[0] = sum.unclamped();
        if (!thread.is_final(to)) {
            derived.store(thread.partial(to));
            return;
        }
        const CardRow before = CardRow::load(thread.atoms(thread.step.before), thread.item.owner);
        softor_of_two(softor, before, clamped(derived))
            .store(thread.atoms(thread.step.after) + std::size_t{thread.item.owner} * tile_width);
    }

    struct Forward {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (thread.is_nothing()) return;
            const LogSumExp<CardLanes> softor(step.gamma);
            const float* rows = thread.atoms(step.before);
            const float* held = thread.conjunctions(step.state_before);
            float* to = thread.conjunctions(step.state_after);
            Sum sum(softor);
            with_shape(thread.item.shape, [&](auto shape) {
                const CardConjunctions<Not, And, decltype(shape)> conjunctions(thread, rows, false);
                add_exactly(sum, thread.item.begin, thread.item.end, [&](std::uint32_t c) {
                    CardRow value = softor_of_two(softor, CardRow::load(held, c), conjunctions.value(c));
                    value.store(to + std::size_t{c} * tile_width);
                    value *= CardRow::filled(step.weight[step.graph.clause[c]]);
                    return value;
                });
            });
            put(thread, thread.item.to, softor, sum);
        }
        static constexpr void join(const CardThread& thread, const CardJoin& results) {
            const LogSumExp<CardLanes> softor(thread.step.gamma);
            put(thread, results.to, softor, sum_of(thread, softor, results));
        }
    };
    static constexpr Sum sum_of(const CardThread& thread, const LogSumExp<CardLanes>& softor, const CardJoin& results) {
        Sum sum(softor);
        add_exactly(sum, results.begin, results.end, [&](std::uint32_t i) { return CardRow::load(thread.partial(i)); });
        return sum;
    }

    // What is derived, before clamping, of an item's conjunctions.
    static constexpr CardRow derived(const CardThread& thread, const LogSumExp<CardLanes>& softor) {
        const CardStep& step = thread.step;
        const float* held = thread.conjunctions(static_cast<const float*>(step.state_after));
        Sum sum(softor);
        add_exactly(sum, thread.item.begin, thread.item.end, [&](std::uint32_t c) {
            return CardRow::load(held, c) * CardRow::filled(step.weight[step.graph.clause[c]]);
        });
        CardRow result;
        result[0] = sum.unclamped();
        return result;
    }
    struct Totals {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (thread.is_nothing() || thread.is_whole()) return;
            derived(thread, LogSumExp<CardLanes>(step.gamma)).store(thread.partial(thread.item.to));
        }
        static constexpr void join(const CardThread& thread, const CardJoin& results) {
            CardRow total;
            total[0] = sum_of(thread, LogSumExp<CardLanes>(thread.step.gamma), results).unclamped();
            total.store(thread.partial(results.to));
        }
    };

    static constexpr GradientOfTwo<CardLanes> of_head(const CardThread& thread, const LogSumExp<CardLanes>& softor,
                                                      const CardRow& total) {
        return {softor, CardRow::load(thread.atoms(thread.step.incoming), thread.item.owner),
                CardRow::load(thread.atoms(thread.step.before), thread.item.owner), clamped(total)};
    }

    struct Reverse {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (thread.is_nothing()) return;
            const LogSumExp<CardLanes> softor(step.gamma);
            const CardRow total =
                thread.is_whole() ? derived(thread, softor) : CardRow::load(thread.partial(thread.item.root));
            const GradientOfTwo<CardLanes> to = of_head(thread, softor, total);
            if (thread.is_whole())
                to.first.add_to(thread.atoms(step.gradient) + std::size_t{thread.item.owner} * tile_width);
            with_length(thread.item.shape, [&](auto shape) {
                for (std::uint32_t c = thread.item.begin; c < thread.item.end; ++c)
                    pass_to_conjunction(thread, softor, CardBody<shape.length>(step, c), c, total, to.second);
            });
        }
        template <class Body>
        static constexpr void pass_to_conjunction(const CardThread& thread, const LogSumExp<CardLanes>& softor,
                                                  const Body& body, std::uint32_t c, const CardRow& total,
                                                  const CardRow& to_derived) {
            const CardStep& step = thread.step;
            const std::size_t row = std::size_t{c} * tile_width;
            const CardLanes value = CardRow::load(thread.conjunctions(step.state_after) + row)[0];
            const CardRow previous = CardRow::load(thread.conjunctions(step.state_before) + row);
            float* carried = thread.conjunctions(step.state_gradient) + row;
            const CardLanes weight(step.weight[body.clause(step)]);
            const CardLanes share = to_derived[0] * softor.weight(value * weight, total[0]);
            CardRow to_weight;
            to_weight[0] = share * value;
            to_weight.store(thread.conjunctions(step.weight_part) + row);
            CardRow gradient = CardRow::load(carried);
            gradient[0] = multiply_add(share, weight, gradient[0]);
            const GradientOfTwo<CardLanes> to(softor, gradient, previous,
                                              And::value(body.alone(), thread.atoms(step.before)));
            to.first.store(carried);
            to.second.store(thread.conjunctions(step.conjunction_gradient) + row);
        }
    };
    struct Finish {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            of_head(thread, LogSumExp<CardLanes>(step.gamma), CardRow::load(thread.partial(thread.item.root)))
                .first.add_to(thread.atoms(step.gradient) + std::size_t{thread.item.owner} * tile_width);
        }
    };
};

}  // namespace neumann::kernels
