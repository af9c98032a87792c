// The component that runs works on a GPU by CUDA: a shared library of its own (reason/gpu/component.h).
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "reason/gpu/component.h"
#include "reason/gpu/cuda_works.h"
#include "reason/gpu/gpu_device.h"
#include "reason/gpu/gpu_error.h"
#include "reason/gpu/version.h"
#include "reason/semantics/registry.h"

namespace neumann {
namespace {

constexpr unsigned block_threads = 128;

void check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    const char* advice = code == cudaErrorMemoryAllocation     ? "; end what else uses the GPU, or take smaller batches"
                         : code == cudaErrorInsufficientDriver ? "; install NVIDIA's driver, or a newer one"
                         : code == cudaErrorNoDevice           ? "; nvidia-smi shows what is there"
                                                               : "";
    throw GpuError(std::string("CUDA, ") + what + ": " + cudaGetErrorString(code) + advice);
}

template <GpuMoving what>
__global__ void __launch_bounds__(block_threads) run_move(const __grid_constant__ GpuMove move) {
    const unsigned x = blockIdx.x * block_threads + threadIdx.x;
    if constexpr (what == GpuMoving::Put) {
        if (x < move.count) kernels::GpuMover{move, GpuPlace{x, 0, 0}}.run(what);
    } else {
        const GpuPlace place = gpu_place(move.tiles, x, blockIdx.y);
        if (place.item < move.count && place.tile < move.tiles) kernels::GpuMover{move, place}.run(what);
    }
}

template <GpuCircuitWork work>
__global__ void __launch_bounds__(block_threads) run_circuit_work(const __grid_constant__ GpuCircuit circuit) {
    const std::uint64_t thread = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x;
    const auto item = static_cast<std::uint32_t>(thread / circuit.stride);
    if (item < circuit.count)
        kernels::run_gpu_circuit<work>(circuit, item, static_cast<std::uint32_t>(thread % circuit.stride));
}

template <std::size_t... number>
const CudaWorks& works(std::size_t semantics, bool with_not, std::index_sequence<number...>) {
    static constexpr const CudaWorks& (*all[])(bool) = {cuda_works<number>...};
    return all[semantics](with_not);
}
const CudaWorks& works(std::size_t semantics, bool with_not) {
    return works(semantics, with_not, std::make_index_sequence<semantics_count>());
}

// Freed memory, kept for requests of the same size: learners make a reasoner for every few batches, and CUDA takes
// longer to allocate than these to run. Kernels run in one order, so earlier uses have ended by then.
class MemoryPool {
public:
    using Take = cudaError_t (*)(void**, std::size_t);
    using Give = cudaError_t (*)(void*);
    MemoryPool(Take take, Give give, const char* what, std::size_t most)
        : take_(take), give_(give), what_(what), most_(most) {}

    void* allocate(std::size_t bytes) {
        const std::size_t size = rounded(bytes);
        const std::scoped_lock lock(mutex_);
        void* memory = nullptr;
        if (std::vector<void*>& fitting = spare_[size]; !fitting.empty()) {
            memory = fitting.back();
            fitting.pop_back();
            held_ -= size;
        } else if (take_(&memory, size) != cudaSuccess) {
            cudaGetLastError();  // forgets it
            clear();
            check(take_(&memory, size), what_);
        }
        size_[memory] = size;
        return memory;
    }
    void release(void* memory) noexcept {
        const std::scoped_lock lock(mutex_);
        const std::size_t size = size_.at(memory);
        size_.erase(memory);
        spare_[size].push_back(memory);
        held_ += size;
        if (held_ > most_) clear();
    }
    std::size_t held() const {
        const std::scoped_lock lock(mutex_);
        return held_;
    }

private:
    // Rounds to one of four sizes between powers of two; large sizes like CUDA.
    static std::size_t rounded(std::size_t bytes) {
        constexpr std::size_t largest = std::size_t{2} << 20;
        std::size_t step = 256;
        while (step * 8 < bytes && step < largest) step *= 2;
        return (bytes + step - 1) / step * step;
    }
    void clear() noexcept {
        for (auto& [size, all] : spare_) {
            for (void* memory : all) give_(memory);
            all.clear();
        }
        held_ = 0;
    }

    Take take_;
    Give give_;
    const char* what_;
    std::size_t most_;
    mutable std::mutex mutex_;
    std::size_t held_ = 0;
    std::map<std::size_t, std::vector<void*>> spare_;
    std::map<void*, std::size_t> size_;
};

cudaError_t take_memory(void** to, std::size_t bytes) { return cudaMalloc(to, bytes); }
cudaError_t take_pinned(void** to, std::size_t bytes) { return cudaMallocHost(to, bytes); }

class CudaRecording final : public GpuRecording {
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

class CudaDevice final : public GpuDevice {
public:
    CudaDevice() {
        check(cudaSetDevice(0), "choosing a GPU");
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
        check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event");
    }
    std::string name() const override {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, 0), "asking for the GPU");
        return properties.name;
    }
    std::uint64_t free_bytes() const override {
        std::size_t free = 0;
        std::size_t all = 0;
        check(cudaMemGetInfo(&free, &all), "asking for free memory");
        return free + memory_.held();
    }
    GpuSemanticsFacts facts(std::size_t semantics, bool with_not) const override {
        return works(semantics, with_not).facts;
    }
    void* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
    void release(void* memory) noexcept override { memory_.release(memory); }
    void* allocate_pinned(std::size_t bytes) override { return pinned_.allocate(bytes); }
    void release_pinned(void* memory) noexcept override {
        cudaStreamSynchronize(stream_);  // copies from it may be under way
        pinned_.release(memory);
    }
    void upload(void* to, const void* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "copying to the GPU");
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying from the GPU");
        wait();
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "copying on the GPU");
    }
    void clear(void* memory, std::size_t bytes) override {
        check(cudaMemsetAsync(memory, 0, bytes, stream_), "clearing memory of the GPU");
    }
    void launch(std::size_t semantics, bool with_not, GpuWork work, const GpuStep& step) override {
        const CudaLaunch& launch = works(semantics, with_not).launch[static_cast<std::size_t>(work)];
        const GpuGrid grid = gpu_grid(step.items.count, step.tiles);
        const dim3 blocks = launch.trees ? dim3(step.items.count * step.tiles)
                                         : dim3((grid.x + launch.threads - 1) / launch.threads, grid.y);
        launch.kernel<<<blocks, launch.threads, 0, stream_>>>(step);
        check(cudaGetLastError(), "starting a step");
    }
    void move(GpuMoving what, const GpuMove& move) override {
        using M = GpuMoving;
        const GpuGrid grid = gpu_grid(move.count, move.tiles);
        const unsigned threads = what == M::Put ? move.count : grid.x;
        const dim3 blocks((threads + block_threads - 1) / block_threads, what == M::Put ? 1 : grid.y);
        static constexpr void (*kernels[])(GpuMove) = {
            run_move<M::Fill>, run_move<M::Commit>,  run_move<M::Take>,   run_move<M::Gather>, run_move<M::Scatter>,
            run_move<M::Put>,  run_move<M::Get>,     run_move<M::Clean>,  run_move<M::Spread>, run_move<M::Dense>,
            run_move<M::Read>, run_move<M::PutRows>, run_move<M::GetRows>};
        kernels[static_cast<std::size_t>(what)]<<<blocks, block_threads, 0, stream_>>>(move);
        check(cudaGetLastError(), "moving values");
    }
    void run_circuit(GpuCircuitWork work, const GpuCircuit& circuit) override {
        using W = GpuCircuitWork;
        static constexpr void (*kernels[])(GpuCircuit) = {
            run_circuit_work<W::Ways>,    run_circuit_work<W::Constants>, run_circuit_work<W::Forward>,
            run_circuit_work<W::Answers>, run_circuit_work<W::Backward>,  run_circuit_work<W::WayParts>,
            run_circuit_work<W::WaySums>, run_circuit_work<W::Parameters>};
        const std::uint64_t threads = std::uint64_t{circuit.count} * circuit.stride;
        const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
        kernels[static_cast<std::size_t>(work)]<<<blocks, block_threads, 0, stream_>>>(circuit);
        check(cudaGetLastError(), "running a circuit");
    }
    void follow(void* stream) override {
        check(cudaEventRecord(event_, static_cast<cudaStream_t>(stream)), "waiting for a stream");
        check(cudaStreamWaitEvent(stream_, event_, 0), "waiting for a stream");
    }
    void wait() override { check(cudaStreamSynchronize(stream_), "running steps"); }
    void begin_recording() override {
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "noting steps");
    }
    std::unique_ptr<GpuRecording> end_recording() override {
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_, &graph), "noting steps");
        return std::make_unique<CudaRecording>(graph, stream_);
    }

private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t event_ = nullptr;
    MemoryPool memory_{take_memory, cudaFree, "allocating memory of the GPU", std::size_t{2} << 30};
    MemoryPool pinned_{take_pinned, cudaFreeHost, "allocating pinned memory", std::size_t{256} << 20};
};

std::string failure;

}  // namespace
}  // namespace neumann

extern "C" {
const char* neumann_gpu_version() { return neumann::gpu_version; }

// Null without a GPU: neumann_gpu_failure() has the reason.
neumann::GpuDevice* neumann_gpu_device() {
    try {
        int count = 0;
        neumann::check(cudaGetDeviceCount(&count), "looking for a GPU");
        if (count == 0) throw neumann::GpuError("CUDA finds no GPU");
        static auto* const device = new neumann::CudaDevice;  // never destroyed: its memory may still be in use
        return device;
    } catch (const std::exception& error) {
        neumann::failure = error.what();
        return nullptr;
    }
}
const char* neumann_gpu_failure() { return neumann::failure.c_str(); }
}
