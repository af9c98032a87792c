// The component that runs works on a graphics card by CUDA: a shared library of its own (reason/cuda/component.h).
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "reason/cuda/card_device.h"
#include "reason/cuda/component.h"
#include "reason/cuda/cuda_works.h"
#include "reason/cuda/version.h"
#include "reason/reason_error.h"
#include "reason/semantics/registry.h"

namespace neumann {
namespace {

constexpr unsigned block_threads = 128;

void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) throw ReasonError(std::string("CUDA, ") + what + ": " + cudaGetErrorString(code));
}

template <CardMoving what>
__global__ void __launch_bounds__(block_threads) run_move(const __grid_constant__ CardMove move) {
    const unsigned x = blockIdx.x * block_threads + threadIdx.x;
    if constexpr (what == CardMoving::Put) {
        if (x < move.count) kernels::CardMover{move, CardPlace{x, 0, 0}}.run(what);
    } else {
        const CardPlace place = card_place(move.tiles, x, blockIdx.y);
        if (place.item < move.count && place.tile < move.tiles) kernels::CardMover{move, place}.run(what);
    }
}

template <std::size_t... number>
const CudaWorks& works(std::size_t semantics, bool with_not, std::index_sequence<number...>) {
    static constexpr const CudaWorks& (*all[])(bool) = {cuda_works<number>...};
    return all[semantics](with_not);
}
const CudaWorks& works(std::size_t semantics, bool with_not) {
    return works(semantics, with_not, std::make_index_sequence<semantics_count>());
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
        const CudaLaunch& launch = works(semantics, with_not).launch[static_cast<std::size_t>(work)];
        const CardGrid grid = card_grid(step.items.count, step.tiles);
        const dim3 blocks = launch.trees ? dim3(step.items.count * step.tiles)
                                         : dim3((grid.x + launch.threads - 1) / launch.threads, grid.y);
        launch.kernel<<<blocks, launch.threads, 0, stream_>>>(step);
        check(cudaGetLastError(), "starting a step");
    }
    void move(CardMoving what, const CardMove& move) override {
        using M = CardMoving;
        const CardGrid grid = card_grid(move.count, move.tiles);
        const unsigned threads = what == M::Put ? move.count : grid.x;
        const dim3 blocks((threads + block_threads - 1) / block_threads, what == M::Put ? 1 : grid.y);
        static constexpr void (*kernels[])(CardMove) = {run_move<M::Fill>,   run_move<M::Commit>,  run_move<M::Take>,
                                                        run_move<M::Gather>, run_move<M::Scatter>, run_move<M::Put>,
                                                        run_move<M::Get>,    run_move<M::Clean>,   run_move<M::Spread>,
                                                        run_move<M::Dense>,  run_move<M::Read>};
        kernels[static_cast<std::size_t>(what)]<<<blocks, block_threads, 0, stream_>>>(move);
        check(cudaGetLastError(), "moving values");
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
