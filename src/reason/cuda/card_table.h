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

// What one semantics needs to know of itself beside its works.
struct CardFacts {
    bool chunks;
    bool weighs_apart;
    std::size_t totals_bytes;
};

// Calls visit.operator()<Work>() with the type of each work, in the order of CardWork.
template <class Kernel, class Visit>
constexpr void for_each_card_work(const Visit& visit) {
    visit.template operator()<typename Kernel::Forward>(CardWork::Forward);
    visit.template operator()<typename Kernel::ForwardJoin>(CardWork::ForwardJoin);
    visit.template operator()<typename Kernel::Totals>(CardWork::Totals);
    visit.template operator()<typename Kernel::TotalsJoin>(CardWork::TotalsJoin);
    visit.template operator()<typename Kernel::Reverse>(CardWork::Reverse);
    visit.template operator()<typename Kernel::Finish>(CardWork::Finish);
    visit.template operator()<typename Kernel::Pull>(CardWork::Pull);
    visit.template operator()<CardPullJoin>(CardWork::PullJoin);
    visit.template operator()<typename Kernel::Weigh>(CardWork::Weigh);
    visit.template operator()<CardWeighJoin>(CardWork::WeighJoin);
}

}  // namespace neumann::kernels
