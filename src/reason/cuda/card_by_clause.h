// Steps on a card of the semantics that take the instances of each clause together. Their heads are not cut into
// chunks: a clause's instances would have to know of each other's chunks.
#pragma once

#include "reason/cuda/card_and_or.h"
#include "reason/semantics/alpha_ilp.h"
#include "reason/semantics/clausewise.h"

namespace neumann::kernels {

// The forward step is the processor's, for one atom.
template <class Step>
struct CardWholeHeads {
    static constexpr void run(const CardStep& step, const CardPlace& at) {
        const CardThread thread(step, at);
        std::uint8_t status = 0;
        const ForwardStep one{step.graph,
                              step.gamma,
                              step.weight,
                              thread.atoms(step.initial),
                              thread.atoms(step.before),
                              step.no_zeros,
                              &thread.item.owner,
                              1,
                              thread.atoms(step.after) + std::size_t{thread.item.owner} * tile_width,
                              &status,
                              nullptr};
        Step::forward(one);
    }
};

// The conjunctions of a head, clause by clause.
struct CardClauses {
    const CardThread& thread;

    constexpr std::uint32_t end_of(std::uint32_t begin) const {
        const std::uint32_t* clause = thread.step.graph.clause;
        std::uint32_t c = begin + 1;
        while (c < thread.item.end && clause[c] == clause[begin]) ++c;
        return c;
    }
    template <class Use>
    constexpr void each(const Use& use) const {
        for (std::uint32_t c = thread.item.begin; c < thread.item.end;) {
            const std::uint32_t end = end_of(c);
            use(c, end, thread.step.graph.clause[c]);
            c = end;
        }
    }
};

template <class Not>
struct CardKernel<ClausewiseStep<CardLanes, Not>> {
    using And = ProductAnd<CardLanes, Not>;
    static constexpr bool chunks = false;
    static constexpr bool weighs_apart = false;
    static constexpr std::size_t totals_bytes = 0;

    using Forward = CardWholeHeads<ClausewiseStep<CardLanes, Not>>;
    using ForwardJoin = CardNothing;
    using Totals = CardNothing;
    using TotalsJoin = CardNothing;
    using Finish = CardNothing;
    using Pull = CardPull<Not, And, true, false>;
    using Weigh = CardWeigh<And, true, false>;

    struct Reverse {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (!thread.has_gradient(thread.item.owner)) return;
            const CardClauses clauses{thread};
            const float* rows = thread.atoms(step.before);
            const CardLanes incoming = CardRow::load(thread.atoms(step.incoming), thread.item.owner)[0];
            const CardLanes initial = CardRow::load(thread.atoms(step.initial), thread.item.owner)[0];
            typename NoisyOr<CardLanes>::Backward disjunction(step.gamma, initial, initial);
            clauses.each([&](std::uint32_t begin, std::uint32_t end, std::uint32_t clause) {
                disjunction.totals(best_of(step, rows, begin, end) * CardLanes(step.weight[clause]));
            });
            clauses.each([&](std::uint32_t begin, std::uint32_t end, std::uint32_t clause) {
                const CardLanes best = best_of(step, rows, begin, end);
                CardLanes left = incoming * disjunction.weight(best * CardLanes(step.weight[clause]), CardLanes(1.0F));
                for (std::uint32_t c = begin; c < end; ++c) give(thread, rows, best, c, left);
            });
            CardRow to_initial;
            to_initial[0] = incoming * disjunction.initial_weight();
            to_initial.add_to(thread.atoms(step.initial_gradient) + std::size_t{thread.item.owner} * tile_width);
        }
        static constexpr CardLanes best_of(const CardStep& step, const float* rows, std::uint32_t begin,
                                           std::uint32_t end) {
            CardLanes largest(0.0F);
            for (std::uint32_t c = begin; c < end; ++c)
                largest = max(largest, And::value(body_at(step.graph, c), rows)[0]);
            return largest;
        }
        // To the first among equals, at 0 to the first that can rise.
        static constexpr void give(const CardThread& thread, const float* rows, const CardLanes& best, std::uint32_t c,
                                   CardLanes& left) {
            const Conjunction body = body_at(thread.step.graph, c);
            const CardLanes zero(0.0F);
            const CardLanes can_rise = has_one_zero_at_most<CardLanes, Not>(body, rows)[0];
            const auto takes = (And::value(body, rows)[0] == best) && ((best != zero) || (can_rise != zero));
            CardRow given;
            given[0] = select(takes, left, zero);
            left = select(takes, zero, left);
            given.store(thread.conjunctions(thread.step.conjunction_gradient) + std::size_t{c} * tile_width);
        }
    };
};

template <class Not>
struct CardKernel<AlphaIlpStep<CardLanes, Not>> {
    using And = ProductAnd<CardLanes, Not>;
    static constexpr bool chunks = false;
    static constexpr bool weighs_apart = true;
    static constexpr std::size_t totals_bytes = 0;

    using Forward = CardWholeHeads<AlphaIlpStep<CardLanes, Not>>;
    using ForwardJoin = CardNothing;
    using Totals = CardNothing;
    using TotalsJoin = CardNothing;
    using Finish = CardNothing;
    using Pull = CardPull<Not, And, false, false>;
    using Weigh = CardWeigh<And, false, false>;

    struct Reverse {
        static constexpr void run(const CardStep& step, const CardPlace& at) {
            const CardThread thread(step, at);
            if (!thread.has_gradient(thread.item.owner)) return;
            const CardClauses clauses{thread};
            const LogSumExp<CardLanes> softor(step.gamma);
            const float* rows = thread.atoms(step.before);
            const std::size_t own = std::size_t{thread.item.owner} * tile_width;
            CardRow derived = CardRow::filled(0.0F);
            clauses.each([&](std::uint32_t begin, std::uint32_t end, std::uint32_t clause) {
                const CardRow value = clamped(total_of(step, softor, rows, begin, end));
                derived[0] = multiply_add(value[0], CardLanes(step.weight[clause]), derived[0]);
            });
            const GradientOfTwo<CardLanes> to(softor, CardRow::load(thread.atoms(step.incoming) + own),
                                              CardRow::load(rows + own), clamped(derived));
            to.first.add_to(thread.atoms(step.gradient) + own);
            clauses.each([&](std::uint32_t begin, std::uint32_t end, std::uint32_t clause) {
                const CardRow total = total_of(step, softor, rows, begin, end);
                const CardLanes to_clause = to.second[0] * CardLanes(step.weight[clause]);
                for (std::uint32_t c = begin; c < end; ++c) {
                    const std::size_t row = std::size_t{c} * tile_width;
                    // The clause's weight is one: its first instance has all that it gets.
                    (c == begin ? to.second * clamped(total) : CardRow::filled(0.0F))
                        .store(thread.conjunctions(step.weight_part) + row);
                    CardRow gradient = And::value(body_at(step.graph, c), rows);
                    gradient[0] = to_clause * softor.weight(gradient[0], total[0]);
                    gradient.store(thread.conjunctions(step.conjunction_gradient) + row);
                }
            });
        }
        static constexpr CardRow total_of(const CardStep& step, const LogSumExp<CardLanes>& softor, const float* rows,
                                          std::uint32_t begin, std::uint32_t end) {
            LogSumExpOfMany<CardLanes> sum(softor);
            add_exactly(sum, begin, end, [&](std::uint32_t c) { return And::value(body_at(step.graph, c), rows); });
            CardRow total;
            total[0] = sum.unclamped();
            return total;
        }
    };
};

}  // namespace neumann::kernels
