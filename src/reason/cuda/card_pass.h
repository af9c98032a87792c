// A forward pass on a card: what was kept of it, in the card's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "reason/cuda/card_device.h"
#include "reason/kernels/kernel.h"
#include "reason/pass.h"

namespace neumann {

// One at a time asks a card for something.
std::mutex& card_mutex();

// Rounds of a phase that is updated more than once.
struct CardRounds {
    std::uint32_t rounds = 1;
    std::vector<std::uint32_t> by_example;  // empty: all alike
    CardMemory lane_rounds;                 // the same on the card
    // States 1, 2, … before the last round: rows of the phase's atoms.
    std::vector<CardMemory> kept;
};

class CardPass final : public PassState {
public:
    explicit CardPass(CardDevice& card) : device(card) {}

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
    // The same into an array in the card's memory; what is in none of its columns becomes 0.
    void get(float* from, std::span<const std::uint32_t> atoms, const DeviceRows& to) const;

    CardDevice& device;
    std::uint32_t tiles = 0;
    CardMemory memory;
    CardMemory values;  // the examples' own, as they were sent
    CardMemory list;    // of atoms that all examples have numbers for
    std::vector<std::uint32_t> sent_list;
    float* initial = nullptr;
    float* final = nullptr;
    float* weight = nullptr;
    std::vector<float> sent_weights;  // what `weight` holds
    float* partial = nullptr;
    float* staged = nullptr;
    std::vector<float*> states;       // direct: after each step; of those kept, else the last two
    std::vector<float*> held_states;  // likewise, of semantics that keep state; the first one is before any step
    std::vector<CardRounds> phases;   // one per phase of the schedule
    // The steps and the way back, noted when they are taken for the second time in this memory.
    struct Noted {
        std::unique_ptr<CardRecording> recording;
        std::uint32_t times = 0;
        std::uint64_t what = 0;  // memory, sizes and what is wanted
    };
    std::uint64_t noted_for = 0;  // the reasoner whose steps these are
    Noted steps_noted;
    mutable Noted back_noted;

private:
    std::vector<float> tile_of(const float* from, std::size_t count, std::size_t example) const;

    mutable CardMemory asked_;
    mutable CardMemory answers_;
    mutable CardMemory sent_;
};

}  // namespace neumann
