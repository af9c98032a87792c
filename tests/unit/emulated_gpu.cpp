#include "unit/emulated_gpu.h"

#include "reason/gpu/gpu_table.h"

namespace neumann {
namespace {

template <class Join>
void join_tree(const GpuStep& step, std::uint32_t level, std::uint32_t number) {
    const auto lane = static_cast<std::uint32_t>(number % tile_width);
    if (lane % Join::lanes != 0) return;
    const std::uint32_t row = number / static_cast<std::uint32_t>(tile_width);
    const GpuPlace place{row / step.tiles, row % step.tiles, lane};
    const kernels::GpuThread thread(step, place);
    const GpuJoin below = gpu_level(thread.item.first, thread.item.count, level - 1);
    const std::uint32_t results = below.end - below.begin;
    for (std::uint32_t i = 0; results > 1 && i * gpu_radix < results; ++i)
        Join::join(thread, gpu_join(thread.item, level, i));
}

// All threads of a level before those of the next, as a block's wait for each other.
template <class Work>
void run_work(const EmulatedGpu& gpu, const GpuStep& step) {
    if constexpr (kernels::HasTrees<Work>) {
        for (std::uint32_t level = gpu_group_levels + 1; level < 20; ++level) {
            gpu.each_number(step.items.count * step.tiles * tile_width, [&](std::uint64_t i) {
                join_tree<typename Work::Trees>(step, level, static_cast<std::uint32_t>(i));
            });
        }
    } else if constexpr (kernels::HasGroups<Work>) {
        gpu.each_place(step.items.count, step.tiles, [&](const GpuPlace& place) { Work::Items::run(step, place); });
        const GpuGrid grid = gpu_grid(gpu_group, step.tiles);
        for (std::uint32_t level = 1; level <= gpu_group_levels; ++level) {
            gpu.each_number(step.items.count / gpu_group * grid.x * grid.y, [&](std::uint64_t i) {
                const auto thread = static_cast<std::uint32_t>(i / grid.y);
                kernels::join_in_group<typename Work::Join>(step, thread / grid.x, thread % grid.x,
                                                            static_cast<std::uint32_t>(i % grid.y), level);
            });
        }
    } else {
        gpu.each_place(step.items.count, step.tiles, [&](const GpuPlace& place) { Work::run(step, place); });
    }
}

template <std::size_t number, bool with_not>
EmulatedGpu::Works works_of() {
    using Table = kernels::GpuSemantics<number, with_not>;
    using Chosen = typename Table::Kernel;
    EmulatedGpu::Works result{{}, {Chosen::by_clause, Chosen::weighs_apart, Chosen::totals_bytes}};
    kernels::for_each_gpu_work<Table>(
        [&]<class Work>(GpuWork work) { result.function[static_cast<std::size_t>(work)] = run_work<Work>; });
    return result;
}

template <bool with_not, std::size_t... number>
std::array<EmulatedGpu::Works, semantics_count> collect(std::index_sequence<number...>) {
    return {works_of<number, with_not>()...};
}

}  // namespace

const EmulatedGpu::Works& EmulatedGpu::works(std::size_t semantics, bool with_not) {
    static const auto positive = collect<false>(std::make_index_sequence<semantics_count>());
    static const auto any = collect<true>(std::make_index_sequence<semantics_count>());
    return (with_not ? any : positive).at(semantics);
}

}  // namespace neumann
