// The works of one semantics, whose number NEUMANN_CARD_SEMANTICS is.
#include "reason/gpu/cuda_works.h"
#include "reason/gpu/gpu_table.h"

namespace neumann {
namespace {

constexpr unsigned block_threads = 128;

// How many blocks are to fit on a multiprocessor: more of them with fewer registers each, where that pays.
template <class Work>
consteval int blocks_of() {
    if constexpr (requires { Work::blocks; }) {
        return Work::blocks;
    } else {
        return 1;
    }
}

constexpr unsigned group_threads = 256;  // a multiple of those of a group, for each number of tiles side by side
constexpr unsigned tree_threads = 512;

template <class Work>
__global__ void __launch_bounds__(block_threads, blocks_of<Work>()) run_items(const __grid_constant__ GpuStep step) {
    const GpuPlace place = gpu_place(step.tiles, blockIdx.x * block_threads + threadIdx.x, blockIdx.y);
    if (place.item < step.items.count && place.tile < step.tiles) Work::run(step, place);
}

// Items, and the groups of chunks among them.
template <class Work>
__global__ void __launch_bounds__(group_threads, blocks_of<typename Work::Items>())
    run_groups(const __grid_constant__ GpuStep step) {
    const GpuPlace place = gpu_place(step.tiles, blockIdx.x * group_threads + threadIdx.x, blockIdx.y);
    if (place.item < step.items.count && place.tile < step.tiles) Work::Items::run(step, place);
    const unsigned of_group = gpu_group * gpu_low(step.tiles) * gpu_threads_per_row;
    const unsigned group = (blockIdx.x * group_threads + threadIdx.x) / of_group;
    for (std::uint32_t level = 1; level <= gpu_group_levels; ++level) {
        __syncthreads();
        kernels::join_in_group<typename Work::Join>(step, group, threadIdx.x % of_group, blockIdx.y, level);
    }
}

// A block for each tree and tile.
template <class Work>
__global__ void __launch_bounds__(tree_threads) run_trees(const __grid_constant__ GpuStep step) {
    using Join = typename Work::Trees;
    constexpr unsigned per_row = tile_width / Join::lanes;
    const GpuPlace place{blockIdx.x / step.tiles, blockIdx.x % step.tiles, threadIdx.x % per_row * Join::lanes};
    const kernels::GpuThread thread(step, place);
    for (std::uint32_t level = gpu_group_levels + 1;; ++level) {
        const GpuJoin below = gpu_level(thread.item.first, thread.item.count, level - 1);
        if (below.end - below.begin < 2) return;
        for (std::uint32_t i = threadIdx.x / per_row; i * gpu_radix < below.end - below.begin;
             i += tree_threads / per_row)
            Join::join(thread, gpu_join(thread.item, level, i));
        __syncthreads();
    }
}

template <class Work>
constexpr CudaLaunch launch_of() {
    if constexpr (kernels::HasTrees<Work>) {
        return {run_trees<Work>, tree_threads, true};
    } else if constexpr (kernels::HasGroups<Work>) {
        return {run_groups<Work>, group_threads, false};
    } else {
        return {run_items<Work>, block_threads, false};
    }
}

template <bool with_not>
CudaWorks make_works() {
    using Table = kernels::GpuSemantics<NEUMANN_CARD_SEMANTICS, with_not>;
    using Chosen = typename Table::Kernel;
    CudaWorks result{{}, {Chosen::by_clause, Chosen::weighs_apart, Chosen::totals_bytes}};
    kernels::for_each_gpu_work<Table>(
        [&]<class Work>(GpuWork work) { result.launch[static_cast<std::size_t>(work)] = launch_of<Work>(); });
    return result;
}

}  // namespace

template <>
const CudaWorks& cuda_works<NEUMANN_CARD_SEMANTICS>(bool with_not) {
    static const CudaWorks positive = make_works<false>();
    static const CudaWorks any = make_works<true>();
    return with_not ? any : positive;
}

}  // namespace neumann
