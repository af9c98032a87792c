// The component that runs works on a graphics card by CUDA: a shared library of its own (reason/cuda/component.h).
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "reason/cuda/card_device.h"
#include "reason/cuda/card_table.h"
#include "reason/cuda/component.h"
#include "reason/cuda/version.h"
#include "reason/reason_error.h"

namespace neumann {
namespace {

constexpr unsigned block_threads = 128;

void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) throw ReasonError(std::string("CUDA, ") + what + ": " + cudaGetErrorString(code));
}

// Blocks of a work may be there before the work before it is done: it waits here for what that has written.
__device__ void begin_work() {
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
}

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
__global__ void __launch_bounds__(block_threads, blocks_of<Work>()) run_items(const __grid_constant__ CardStep step) {
    begin_work();
    const CardPlace place = card_place(step.tiles, blockIdx.x * block_threads + threadIdx.x, blockIdx.y);
    if (place.item < step.items.count && place.tile < step.tiles) Work::run(step, place);
}

// Items, and the groups of chunks among them.
template <class Work>
__global__ void __launch_bounds__(group_threads, blocks_of<Work>()) run_groups(const __grid_constant__ CardStep step) {
    begin_work();
    const CardPlace place = card_place(step.tiles, blockIdx.x * group_threads + threadIdx.x, blockIdx.y);
    const bool is_there = place.item < step.items.count && place.tile < step.tiles;
    if (is_there) Work::run(step, place);
    for (std::uint32_t level = 1; level <= card_group_levels; ++level) {
        __syncthreads();
        if (is_there) kernels::join_in_group<Work>(step, place, level);
    }
}

// A block for each tree and four tiles.
template <class Work>
__global__ void __launch_bounds__(tree_threads) run_trees(const __grid_constant__ CardStep step) {
    begin_work();
    const CardPlace within = card_place(step.tiles, threadIdx.x, blockIdx.y);
    const unsigned side_by_side = tree_threads / (card_low(step.tiles) * card_threads_per_row);
    const CardPlace place{blockIdx.x, within.tile, within.lane};
    const kernels::CardThread thread(step, place);
    for (std::uint32_t level = card_group_levels + 1;; ++level) {
        const CardJoin below = card_level(thread.item.first, thread.item.count, level - 1);
        if (below.end - below.begin < 2) return;
        for (std::uint32_t i = within.item; i * card_radix < below.end - below.begin; i += side_by_side) {
            if (place.tile < step.tiles) Work::Chunks::join(thread, card_join(thread.item, level, i));
        }
        __syncthreads();
    }
}

template <CardMoving what>
__global__ void __launch_bounds__(block_threads) run_move(const __grid_constant__ CardMove move) {
    begin_work();
    const unsigned x = blockIdx.x * block_threads + threadIdx.x;
    if constexpr (what == CardMoving::Put) {
        if (x < move.count) kernels::CardMover{move, CardPlace{x, 0, 0}}.run(what);
    } else {
        const CardPlace place = card_place(move.tiles, x, blockIdx.y);
        if (place.item < move.count && place.tile < move.tiles) kernels::CardMover{move, place}.run(what);
    }
}

struct Launch {
    void (*kernel)(CardStep) = nullptr;
    unsigned threads = 0;
    bool trees = false;
};

template <class Work>
constexpr Launch launch_of() {
    if constexpr (kernels::CardTrees<Work>) {
        return {run_trees<Work>, tree_threads, true};
    } else if constexpr (kernels::CardJoins<Work>) {
        return {run_groups<Work>, group_threads, false};
    } else {
        return {run_items<Work>, block_threads, false};
    }
}

struct Works {
    std::array<Launch, static_cast<std::size_t>(CardWork::Count)> launch;
    CardSemanticsFacts facts;
};

template <std::size_t number, bool with_not>
Works works_of() {
    using Chosen = typename kernels::CardSemantics<number, with_not>::type;
    Works result{{}, {Chosen::by_clause, Chosen::weighs_apart, Chosen::totals_bytes}};
    kernels::for_each_card_work<Chosen>(
        [&]<class Work>(CardWork work) { result.launch[static_cast<std::size_t>(work)] = launch_of<Work>(); });
    return result;
}

template <bool with_not, std::size_t... number>
std::array<Works, semantics_count> collect(std::index_sequence<number...>) {
    return {works_of<number, with_not>()...};
}

const Works& works(std::size_t semantics, bool with_not) {
    static const auto positive = collect<false>(std::make_index_sequence<semantics_count>());
    static const auto any = collect<true>(std::make_index_sequence<semantics_count>());
    return (with_not ? any : positive).at(semantics);
}

class CudaRecording final : public CardRecording {
public:
    CudaRecording(cudaGraph_t graph, cudaStream_t stream) : stream_(stream) {
        const cudaError_t made = cudaGraphInstantiate(&ready_, graph, 0);
        cudaGraphDestroy(graph);
        check(made, "preparing a sequence of steps");
    }
    ~CudaRecording() override { cudaGraphExecDestroy(ready_); }
    void run() override { check(cudaGraphLaunch(ready_, stream_), "running steps"); }

private:
    cudaGraphExec_t ready_ = nullptr;
    cudaStream_t stream_;
};

class CudaDevice final : public CardDevice {
public:
    CudaDevice() {
        check(cudaSetDevice(0), "choosing a card");
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    }
    std::string name() const override {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, 0), "asking for the card");
        return properties.name;
    }
    std::uint64_t free_bytes() const override {
        std::size_t free = 0;
        std::size_t all = 0;
        check(cudaMemGetInfo(&free, &all), "asking for free memory");
        return free;
    }
    CardSemanticsFacts facts(std::size_t semantics, bool with_not) const override {
        return works(semantics, with_not).facts;
    }
    void* allocate(std::size_t bytes) override {
        void* memory = nullptr;
        check(cudaMalloc(&memory, bytes), "allocating memory of the card");
        return memory;
    }
    void release(void* memory) noexcept override { cudaFree(memory); }
    void* allocate_pinned(std::size_t bytes) override {
        void* memory = nullptr;
        check(cudaMallocHost(&memory, bytes), "allocating pinned memory");
        return memory;
    }
    void release_pinned(void* memory) noexcept override { cudaFreeHost(memory); }
    void upload(void* to, const void* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "copying to the card");
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying from the card");
        wait();
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "copying on the card");
    }
    void clear(void* memory, std::size_t bytes) override {
        check(cudaMemsetAsync(memory, 0, bytes, stream_), "clearing memory of the card");
    }
    void launch(std::size_t semantics, bool with_not, CardWork work, const CardStep& step) override {
        const Launch& launch = works(semantics, with_not).launch[static_cast<std::size_t>(work)];
        const CardGrid grid = card_grid(step.items.count, step.tiles);
        const unsigned blocks = launch.trees ? step.items.count : (grid.x + launch.threads - 1) / launch.threads;
        start(launch.kernel, dim3(blocks, grid.y), launch.threads, step);
    }
    void move(CardMoving what, const CardMove& move) override {
        using M = CardMoving;
        const CardGrid grid = card_grid(move.count, move.tiles);
        const unsigned threads = what == M::Put ? move.count : grid.x;
        const dim3 blocks((threads + block_threads - 1) / block_threads, what == M::Put ? 1 : grid.y);
        static constexpr void (*kernels[])(CardMove) = {
            run_move<M::Fill>, run_move<M::Commit>, run_move<M::Take>,  run_move<M::Gather>, run_move<M::Scatter>,
            run_move<M::Put>,  run_move<M::Get>,    run_move<M::Clean>, run_move<M::Spread>, run_move<M::Dense>};
        start(kernels[static_cast<std::size_t>(what)], blocks, block_threads, move);
    }
    void wait() override { check(cudaStreamSynchronize(stream_), "running steps"); }
    void begin_recording() override {
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "noting steps");
    }
    std::unique_ptr<CardRecording> end_recording() override {
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_, &graph), "noting steps");
        return std::make_unique<CudaRecording>(graph, stream_);
    }

private:
    // May begin while the work before it ends (begin_work).
    template <class Given>
    void start(void (*kernel)(Given), dim3 blocks, unsigned threads, const Given& given) {
        cudaLaunchAttribute overlap{};
        overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t how{};
        how.gridDim = blocks;
        how.blockDim = dim3(threads);
        how.stream = stream_;
        how.attrs = &overlap;
        how.numAttrs = 1;
        check(cudaLaunchKernelEx(&how, kernel, given), "starting a step");
    }

    cudaStream_t stream_ = nullptr;
};

std::string failure;

}  // namespace
}  // namespace neumann

extern "C" {
const char* neumann_card_version() { return neumann::card_version; }

// Null where there is no card: neumann_card_failure() says why.
neumann::CardDevice* neumann_card_device() {
    try {
        int count = 0;
        neumann::check(cudaGetDeviceCount(&count), "looking for a card");
        if (count == 0) throw neumann::ReasonError("CUDA finds no card");
        static neumann::CudaDevice device;
        return &device;
    } catch (const std::exception& error) {
        neumann::failure = error.what();
        return nullptr;
    }
}
const char* neumann_card_failure() { return neumann::failure.c_str(); }
}
