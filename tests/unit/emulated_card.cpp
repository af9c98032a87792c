#include "unit/emulated_card.h"

#include "reason/cuda/card_table.h"

namespace neumann {
namespace {

template <class Join>
void join_tree(const CardStep& step, std::uint32_t level, std::uint32_t number) {
    const auto lane = static_cast<std::uint32_t>(number % tile_width);
    if (lane % Join::lanes != 0) return;
    const std::uint32_t row = number / static_cast<std::uint32_t>(tile_width);
    const CardPlace place{row / step.tiles, row % step.tiles, lane};
    const kernels::CardThread thread(step, place);
    const CardJoin below = card_level(thread.item.first, thread.item.count, level - 1);
    const std::uint32_t results = below.end - below.begin;
    for (std::uint32_t i = 0; results > 1 && i * card_radix < results; ++i)
        Join::join(thread, card_join(thread.item, level, i));
}

// All threads of a level before those of the next, as a block's wait for each other.
template <class Work>
void run_work(const EmulatedCard& card, const CardStep& step) {
    if constexpr (kernels::HasTrees<Work>) {
        for (std::uint32_t level = card_group_levels + 1; level < 20; ++level) {
            card.each_number(step.items.count * step.tiles * tile_width, [&](std::uint64_t i) {
                join_tree<typename Work::Trees>(step, level, static_cast<std::uint32_t>(i));
            });
        }
    } else if constexpr (kernels::HasGroups<Work>) {
        card.each_place(step.items.count, step.tiles, [&](const CardPlace& place) { Work::Items::run(step, place); });
        const CardGrid grid = card_grid(card_group, step.tiles);
        for (std::uint32_t level = 1; level <= card_group_levels; ++level) {
            card.each_number(step.items.count / card_group * grid.x * grid.y, [&](std::uint64_t i) {
                const auto thread = static_cast<std::uint32_t>(i / grid.y);
                kernels::join_in_group<typename Work::Join>(step, thread / grid.x, thread % grid.x,
                                                            static_cast<std::uint32_t>(i % grid.y), level);
            });
        }
    } else {
        card.each_place(step.items.count, step.tiles, [&](const CardPlace& place) { Work::run(step, place); });
    }
}

template <std::size_t number, bool with_not>
EmulatedCard::Works works_of() {
    using Table = kernels::CardSemantics<number, with_not>;
    using Chosen = typename Table::Kernel;
    EmulatedCard::Works result{{}, {Chosen::by_clause, Chosen::weighs_apart, Chosen::totals_bytes}};
    kernels::for_each_card_work<Table>(
        [&]<class Work>(CardWork work) { result.function[static_cast<std::size_t>(work)] = run_work<Work>; });
    return result;
}

template <bool with_not, std::size_t... number>
std::array<EmulatedCard::Works, semantics_count> collect(std::index_sequence<number...>) {
    return {works_of<number, with_not>()...};
}

}  // namespace

const EmulatedCard::Works& EmulatedCard::works(std::size_t semantics, bool with_not) {
    static const auto positive = collect<false>(std::make_index_sequence<semantics_count>());
    static const auto any = collect<true>(std::make_index_sequence<semantics_count>());
    return (with_not ? any : positive).at(semantics);
}

}  // namespace neumann
