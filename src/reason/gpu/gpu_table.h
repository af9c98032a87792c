// Table of the kernels of each semantics for GPUs: their types by number.
#pragma once

#include <cstddef>
#include <type_traits>

#include "reason/gpu/gpu_and_or.h"
#include "reason/gpu/gpu_by_clause.h"
#include "reason/gpu/gpu_paper.h"
#include "reason/semantics/registry.h"

namespace neumann::kernels {

template <std::size_t number, bool with_not>
struct GpuSemantics {
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
    using Kernel = GpuKernel<typename Registered::template Step<GpuLanes, Not>>;
    using OfOneLane = GpuKernel<typename Registered::template Step<GpuLanesOf<1>, Not>>;
};

// Items, among them chunks, whose groups are joined where they are computed.
template <class Work, class JoinOfChunks>
struct GpuGroups {
    using Items = Work;
    using Join = JoinOfChunks;
};
// The levels of trees that are left then.
template <class JoinOfChunks>
struct GpuTrees {
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

// Calls visit.operator()<Work>() with the type of each work, in the order of GpuWork.
template <class Table, class Visit>
constexpr void for_each_gpu_work(const Visit& visit) {
    using Kernel = typename Table::Kernel;
    using Single = typename Table::OfOneLane;
    using ForwardJoin = typename Single::ForwardJoin;
    using TotalsJoin =
        std::conditional_t<Kernel::totals_are_rows, typename Single::TotalsJoin, typename Kernel::TotalsJoin>;
    visit.template operator()<GpuGroups<typename Kernel::Forward, ForwardJoin>>(GpuWork::Forward);
    visit.template operator()<GpuTrees<ForwardJoin>>(GpuWork::ForwardJoin);
    visit.template operator()<typename Kernel::Heads>(GpuWork::Heads);
    visit.template operator()<GpuGroups<typename Kernel::Totals, TotalsJoin>>(GpuWork::Totals);
    visit.template operator()<GpuTrees<TotalsJoin>>(GpuWork::TotalsJoin);
    visit.template operator()<typename Kernel::Finish>(GpuWork::Finish);
    visit.template operator()<typename Kernel::Reverse>(GpuWork::Reverse);
    visit.template operator()<typename Kernel::Pull>(GpuWork::Pull);
    visit.template operator()<GpuPullJoin>(GpuWork::PullJoin);
    visit.template operator()<typename Kernel::Weigh>(GpuWork::Weigh);
    visit.template operator()<GpuWeighJoin>(GpuWork::WeighJoin);
}

// The work of thread t of a group at a level, after the level below is complete.
template <class Join>
constexpr void join_in_group(const GpuStep& step, std::uint32_t group, std::uint32_t t, std::uint32_t y,
                             std::uint32_t level) {
    constexpr auto per_row = static_cast<std::uint32_t>(tile_width) / Join::lanes;
    const std::uint32_t low = gpu_low(step.tiles);
    const std::uint32_t number = t / (per_row * low);  // of the level's joins in this group
    const std::uint32_t width = level == 1 ? gpu_radix : gpu_group;
    const GpuPlace at{group * gpu_group, y * low + t / per_row % low, t % per_row * Join::lanes};
    if (number >= gpu_group / width || at.item >= step.items.count || at.tile >= step.tiles) return;
    const GpuThread thread(step, at);
    if (thread.is_nothing() || thread.is_whole()) return;
    const GpuJoin results = gpu_join(thread.item, level, (thread.item.to - thread.item.first) / width + number);
    if (results.begin != results.end) Join::join(thread, results);
}

}  // namespace neumann::kernels
