// A GPU that is none: the works of a GPU, thread by thread on the processor. Threads of a launch run in an
// order of their own, so that a work which depended on it would be found out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reason/flush_to_zero.h"
#include "reason/gpu/gpu_device.h"
#include "reason/gpu/gpu_error.h"

namespace neumann {

class EmulatedGpu final : public GpuDevice {
public:
    using Function = void (*)(const EmulatedGpu&, const GpuStep&);
    struct Works {
        std::array<Function, static_cast<std::size_t>(GpuWork::Count)> function;
        GpuSemanticsFacts facts;
    };

    std::string name() const override { return "emulated"; }
    std::uint64_t free_bytes() const override { return memory; }
    GpuSemanticsFacts facts(std::size_t semantics, bool with_not) const override {
        return works(semantics, with_not).facts;
    }
    void* allocate(std::size_t bytes) override {
        count_call();
        auto* const block = static_cast<unsigned char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
        std::fill_n(block, bytes, static_cast<unsigned char>(0xff));  // no number
        return block;
    }
    void release(void* block) noexcept override { std::free(block); }
    void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
    void release_pinned(void* block) noexcept override { std::free(block); }
    void upload(void* to, const void* from, std::size_t bytes) override {
        do_now([=] { std::memcpy(to, from, bytes); });
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        count_call();
        std::memcpy(to, from, bytes);
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        do_now([=] { std::memcpy(to, from, bytes); });
    }
    void clear(void* block, std::size_t bytes) override {
        do_now([=] { std::memset(block, 0, bytes); });
    }
    void launch(std::size_t semantics, bool with_not, GpuWork work, const GpuStep& step) override {
        const Function function = works(semantics, with_not).function[static_cast<std::size_t>(work)];
        do_now([=, this] { function(*this, step); });
    }
    void move(GpuMoving what, const GpuMove& move) override {
        do_now([=, this] {
            const auto run = [&](const GpuPlace& place) { kernels::GpuMover{move, place}.run(what); };
            if (what != GpuMoving::Put) {
                each_place(move.count, move.tiles, run);
            } else {
                for (std::uint32_t i = 0; i < move.count; ++i) run({i, 0, 0});
            }
        });
    }
    void run_circuit(GpuCircuitWork work, const GpuCircuit& circuit) override {
        do_now([=, this] {
            each_work<0>(work, [&](const auto& run) {
                const std::uint64_t all = std::uint64_t{circuit.count} * circuit.stride;
                for (std::uint64_t i = 0; i < all; ++i) {
                    const std::uint64_t thread = backwards ? all - 1 - i : i;
                    run(circuit, static_cast<std::uint32_t>(thread / circuit.stride),
                        static_cast<std::uint32_t>(thread % circuit.stride));
                }
            });
        });
    }
    void follow(void*) override {}
    void wait() override { count_call(); }
    void begin_recording() override { notes_ = std::make_unique<Notes>(); }
    std::unique_ptr<GpuRecording> end_recording() override { return std::move(notes_); }

    template <class Run>
    void each_place(std::uint32_t items, std::uint32_t tiles, const Run& run) const {
        const GpuGrid grid = gpu_grid(items, tiles);
        each_number(std::uint64_t{grid.x} * grid.y, [&](std::uint64_t thread) {
            const GpuPlace place = gpu_place(tiles, static_cast<std::uint32_t>(thread % grid.x),
                                             static_cast<std::uint32_t>(thread / grid.x));
            if (place.item < items && place.tile < tiles) run(place);
        });
    }
    template <class Run>
    void each_number(std::uint64_t all, const Run& run) const {
        const FlushToZero flush;
        for (std::uint64_t i = 0; i < all; ++i) run(backwards ? all - 1 - i : i);
    }

    std::uint64_t memory = std::uint64_t{1} << 30;
    bool backwards = false;  // the order of threads
    // From so many calls on, it is not there any more; absent: it stays. Counted down.
    std::optional<std::uint64_t> calls_left;

private:
    void count_call() {
        if (calls_left && *calls_left == 0) throw GpuError("CUDA, running steps: the emulated GPU is gone");
        if (calls_left) --*calls_left;
    }
    struct Notes final : GpuRecording {
        void run() override {
            for (const auto& one : all) one();
        }
        std::vector<std::function<void()>> all;
    };

    template <std::size_t number, class Use>
    static void each_work(GpuCircuitWork work, const Use& use) {
        constexpr auto here = static_cast<GpuCircuitWork>(number);
        if (work == here) return use(kernels::run_gpu_circuit<here>);
        if constexpr (number + 1 < static_cast<std::size_t>(GpuCircuitWork::Count)) each_work<number + 1>(work, use);
    }
    template <class Work>
    void do_now(Work work) {
        count_call();
        if (notes_ != nullptr) {
            notes_->all.push_back(work);
        } else {
            work();
        }
    }
    static const Works& works(std::size_t semantics, bool with_not);

    std::unique_ptr<Notes> notes_;
};

}  // namespace neumann
