// What a card does for each semantics: the types of its works by number.
#pragma once

#include <cstddef>

#include "reason/cuda/card_and_or.h"
#include "reason/cuda/card_by_clause.h"
#include "reason/cuda/card_paper.h"
#include "reason/semantics/registry.h"

namespace neumann::kernels {

template <std::size_t number, bool with_not>
struct CardSemantics {
    using Registered = RegisteredSemantics<number>;
    template <bool, class Not>
    struct ChosenNot {
        using type = Not;
    };
    template <class Not>
    struct ChosenNot<false, Not> {
        using type = Positive;
    };
    using Not = typename ChosenNot<with_not, typename Registered::Not>::type;
    using type = CardKernel<typename Registered::template Step<CardLanes, Not>>;
};

// The levels of trees that chunks have not joined where they were computed.
template <class Work>
struct CardTree {
    using Chunks = Work;
};

// Calls visit.operator()<Work>() with the type of each work, in the order of CardWork.
template <class Kernel, class Visit>
constexpr void for_each_card_work(const Visit& visit) {
    visit.template operator()<typename Kernel::Forward>(CardWork::Forward);
    visit.template operator()<CardTree<typename Kernel::Forward>>(CardWork::ForwardJoin);
    visit.template operator()<typename Kernel::Heads>(CardWork::Heads);
    visit.template operator()<typename Kernel::Totals>(CardWork::Totals);
    visit.template operator()<CardTree<typename Kernel::Totals>>(CardWork::TotalsJoin);
    visit.template operator()<typename Kernel::Finish>(CardWork::Finish);
    visit.template operator()<typename Kernel::Reverse>(CardWork::Reverse);
    visit.template operator()<typename Kernel::Pull>(CardWork::Pull);
    visit.template operator()<CardPullJoin>(CardWork::PullJoin);
    visit.template operator()<typename Kernel::Weigh>(CardWork::Weigh);
    visit.template operator()<CardWeighJoin>(CardWork::WeighJoin);
}

// How a work is done: threads by items, threads by items that then join groups of chunks, or blocks by trees.
template <class Work>
concept CardJoins = requires(const CardThread& thread, const CardJoin& results) {
    Work::join(thread, results);
};
template <class Work>
concept CardTrees = requires {
    typename Work::Chunks;
};

// What the threads of a chunk join of its group at a level, after all of that below is there.
template <class Work>
constexpr void join_in_group(const CardStep& step, const CardPlace& at, std::uint32_t level) {
    const CardThread thread(step, at);
    if (thread.is_nothing() || thread.is_whole()) return;
    const std::uint32_t number = thread.item.to - thread.item.first;
    const std::uint32_t width = level == 1 ? card_radix : card_group;
    if (number % width != 0) return;
    const CardJoin results = card_join(thread.item, level, number / width);
    if (results.begin != results.end) Work::join(thread, results);
}

}  // namespace neumann::kernels
