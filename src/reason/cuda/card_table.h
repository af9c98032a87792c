// What a card does for each semantics: the types of its works by number.
#pragma once

#include <cstddef>
#include <type_traits>

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
    using Kernel = CardKernel<typename Registered::template Step<CardLanes, Not>>;
    using OfOneLane = CardKernel<typename Registered::template Step<CardLanesOf<1>, Not>>;
};

// Items, among them chunks, whose groups are joined where they are computed.
template <class Work, class JoinOfChunks>
struct CardGroups {
    using Items = Work;
    using Join = JoinOfChunks;
};
// The levels of trees that are left then.
template <class JoinOfChunks>
struct CardTrees {
    using Trees = JoinOfChunks;
};
template <class Work>
concept HasGroups = requires {
    typename Work::Items;
};
template <class Work>
concept HasTrees = requires {
    typename Work::Trees;
};

// Calls visit.operator()<Work>() with the type of each work, in the order of CardWork.
template <class Table, class Visit>
constexpr void for_each_card_work(const Visit& visit) {
    using Kernel = typename Table::Kernel;
    using Single = typename Table::OfOneLane;
    using ForwardJoin = typename Single::ForwardJoin;
    using TotalsJoin =
        std::conditional_t<Kernel::totals_are_rows, typename Single::TotalsJoin, typename Kernel::TotalsJoin>;
    visit.template operator()<CardGroups<typename Kernel::Forward, ForwardJoin>>(CardWork::Forward);
    visit.template operator()<CardTrees<ForwardJoin>>(CardWork::ForwardJoin);
    visit.template operator()<typename Kernel::Heads>(CardWork::Heads);
    visit.template operator()<CardGroups<typename Kernel::Totals, TotalsJoin>>(CardWork::Totals);
    visit.template operator()<CardTrees<TotalsJoin>>(CardWork::TotalsJoin);
    visit.template operator()<typename Kernel::Finish>(CardWork::Finish);
    visit.template operator()<typename Kernel::Reverse>(CardWork::Reverse);
    visit.template operator()<typename Kernel::Pull>(CardWork::Pull);
    visit.template operator()<CardPullJoin>(CardWork::PullJoin);
    visit.template operator()<typename Kernel::Weigh>(CardWork::Weigh);
    visit.template operator()<CardWeighJoin>(CardWork::WeighJoin);
}

// What thread t of those of a group does at a level, after all of the level below is there.
template <class Join>
constexpr void join_in_group(const CardStep& step, std::uint32_t group, std::uint32_t t, std::uint32_t y,
                             std::uint32_t level) {
    constexpr auto per_row = static_cast<std::uint32_t>(tile_width) / Join::lanes;
    const std::uint32_t low = card_low(step.tiles);
    const std::uint32_t number = t / (per_row * low);  // of the level's joins in this group
    const std::uint32_t width = level == 1 ? card_radix : card_group;
    const CardPlace at{group * card_group, y * low + t / per_row % low, t % per_row * Join::lanes};
    if (number >= card_group / width || at.item >= step.items.count || at.tile >= step.tiles) return;
    const CardThread thread(step, at);
    if (thread.is_nothing() || thread.is_whole()) return;
    const CardJoin results = card_join(thread.item, level, (thread.item.to - thread.item.first) / width + number);
    if (results.begin != results.end) Join::join(thread, results);
}

}  // namespace neumann::kernels
