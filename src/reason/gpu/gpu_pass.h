// Forward pass on a GPU: its stored values, in the GPU's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "reason/gpu/gpu_device.h"
#include "reason/kernels/kernel.h"
#include "reason/pass.h"

namespace neumann {

// One at a time asks a GPU for something.
std::mutex& gpu_mutex();

// Rounds of a phase that is updated more than once.
struct GpuRounds {
    std::uint32_t rounds = 1;
    std::vector<std::uint32_t> by_example;  // empty: all alike
    GpuMemory lane_rounds;                  // the same on the GPU
    // States 1, 2, … before the last round: rows of the phase's atoms.
    std::vector<GpuMemory> kept;
};

class GpuPass final : public PassState {
public:
    explicit GpuPass(GpuDevice& gpu) : device(gpu) {}

    void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const override;
    void write_outputs(std::span<const std::uint32_t> atoms, const DeviceRows& to) const override;
    void read_values(std::size_t example, const NumberSpan& to) const override;
    void read_initials(std::size_t example, const NumberSpan& to) const override;
    void gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                const NumberSpan& to) const override;
    std::uint32_t steps(std::size_t example) const override { return plan->schedule.count_steps(rounds(example)); }
    std::vector<std::uint32_t> rounds(std::size_t example) const override;
    void read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const override;
    std::size_t bytes() const override;

    std::size_t rows() const { return std::size_t{plan->graph.atom_count()} + 1; }
    std::size_t array_bytes() const { return tiles * rows() * tile_width * sizeof(float); }
    // The numbers of some atoms for each example of some rows of atoms. The caller holds the lock.
    std::vector<float> get(float* from, std::span<const std::uint32_t> atoms) const;
    // The same into an array in the GPU's memory; atoms without a column become 0.
    void get(float* from, std::span<const std::uint32_t> atoms, const DeviceRows& to) const;

    GpuDevice& device;
    std::uint32_t tiles = 0;
    GpuMemory memory;
    GpuMemory values;  // the examples' own, as they were sent
    GpuMemory list;    // of atoms that all examples have numbers for
    std::vector<std::uint32_t> sent_list;
    float* initial = nullptr;
    float* final = nullptr;
    float* weight = nullptr;
    std::vector<float> sent_weights;  // the contents of `weight`
    float* partial = nullptr;
    float* staged = nullptr;
    std::vector<float*> states;       // direct: after each step; of those kept, else the last two
    std::vector<float*> held_states;  // likewise, of semantics that keep state; the first one is before any step
    std::vector<GpuRounds> phases;    // one per phase of the schedule
    // The steps and the way back, noted when they are taken for the second time in this memory.
    struct Noted {
        std::unique_ptr<GpuRecording> recording;
        std::uint32_t times = 0;
        std::uint64_t what = 0;  // memory, sizes and wanted results
    };
    std::uint64_t noted_for = 0;  // the reasoner whose steps these are
    Noted steps_noted;
    mutable Noted back_noted;

private:
    std::vector<float> tile_of(const float* from, std::size_t count, std::size_t example) const;

    mutable GpuMemory asked_;
    mutable GpuMemory answers_;
    mutable GpuMemory sent_;
};

}  // namespace neumann
