// Runner of passes on a GPU, forwards and backwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "reason/gpu/gpu_device.h"
#include "reason/gpu/gpu_pass.h"
#include "reason/gpu/gpu_plan.h"
#include "reason/pass.h"
#include "reason/reason_options.h"

namespace neumann {

// Memory in pieces of one block; counted first, then taken.
class GpuBlock {
public:
    explicit GpuBlock(unsigned char* base) : base_(base) {}  // null: only counts
    template <class T>
    T* take(std::size_t count) {
        T* const result = base_ == nullptr ? nullptr : static_cast<T*>(static_cast<void*>(base_ + used_));
        used_ += (count * sizeof(T) + 255) / 256 * 256;
        return result;
    }
    std::size_t used() const { return used_; }

private:
    unsigned char* base_;
    std::size_t used_ = 0;
};

class GpuRunner {
public:
    GpuRunner(GpuDevice& device, const ReasonPlan& plan, GpuCuts cuts = {});  // borrows the first two

    GpuDevice& device() const { return device_; }
    std::size_t bytes() const { return graph_memory_.bytes() + work_.bytes(); }
    // Of a pass and of the way back, as far as it is known.
    std::uint64_t bytes_needed(std::size_t examples, Keep keep) const;

    // Allocates the memory of a pass; if there is not enough, the error states how many examples would fit.
    void prepare(GpuPass& pass);
    // Initial values: those of atoms, and single ones.
    void fill(GpuPass& pass, std::span<const float> base, std::span<const GpuValue> values);
    // Or a row of numbers for each example, of atoms that are all different.
    void fill(GpuPass& pass, std::span<const float> base, std::span<const std::uint32_t> atoms,
              std::span<const float> rows);
    // Numbers in the GPU's memory, copied into rows of atoms; several numbers of one atom are added. `checked`: throws
    // ReasonError if a number is no probability, once all are there.
    void put(const GpuPass& pass, std::span<const std::uint32_t> atoms, const DeviceRows& rows, float* to,
             bool checked);
    void forward(GpuPass& pass, std::span<const double> weights);

    struct Gradients {
        float* initial = nullptr;  // rows of atoms
        float* weights = nullptr;  // rows of clauses
    };
    // `seeds` are single gradients of final values, or put by `put_seeds` into rows of atoms that are 0.
    Gradients backward(const GpuPass& pass, std::span<const GpuValue> seeds, bool weights_wanted,
                       const std::function<void(float*)>& put_seeds = {});

private:
    struct Work {  // of the way back
        unsigned char* totals = nullptr;
        float* results = nullptr;
        float* gradient = nullptr;
        float* incoming = nullptr;
        float* initial_gradient = nullptr;
        float* weight_gradient = nullptr;
        float* conjunction_gradient = nullptr;
        float* weight_part = nullptr;
        float* state_gradient = nullptr;
        float* before = nullptr;
        float* after = nullptr;
    };

    bool direct() const { return !plan_.schedule.automatic && plan_.schedule.phases.size() == 1; }
    std::size_t row_bytes() const { return (std::size_t{plan_.graph.atom_count()} + 1) * tile_width * sizeof(float); }
    void lay_out(GpuBlock& block, std::uint32_t tiles, Keep keep, GpuPass* pass) const;
    void lay_out(GpuBlock& block, std::uint32_t tiles, Work& work) const;
    void require_room(std::size_t examples, Keep keep, std::size_t have) const;
    GpuStep step_of(const GpuPass& pass) const;
    GpuItems items(const GpuRange& range) const;
    void launch(GpuStep& step, GpuWork work, const GpuRange& range) const;
    void move(GpuMoving what, GpuMove move) const;  // moves that are not of rows of atoms run on the GPU only
    std::uint32_t tiles_of_slice(std::uint32_t tiles) const;
    void launch_levels(GpuStep& step, GpuWork work, const GpuSums& plan) const;
    GpuMove move_of(const GpuPass& pass) const;
    GpuMove move_rows(const GpuPass& pass, std::span<const std::uint32_t> atoms, std::span<const std::uint32_t> columns,
                      const DeviceRows& rows);
    void copy_rows(const GpuPass& pass, const std::uint32_t* atoms, std::size_t count, float* from, float* to) const;
    const std::uint32_t* atoms_of(const Phase& phase) const { return schedule_atoms_ + phase.begin; }

    void update(GpuStep& step, const GpuPhasePlan& phase) const;
    void run_direct(const GpuPass& pass) const;
    void run_staged(GpuPass& pass) const;
    void run_rounds(GpuPass& pass, std::uint32_t number) const;  // of a phase
    void find_rounds(GpuPass& pass) const;
    void back_through(GpuStep& step, const GpuPass& pass, std::uint32_t number, std::uint32_t round,
                      bool weights_wanted) const;
    void back_direct(GpuStep& step, const GpuPass& pass, bool weights_wanted) const;
    void back_staged(GpuStep& step, const GpuPass& pass, bool weights_wanted) const;
    void fill(GpuPass& pass, std::span<const float> base);
    void put(const GpuPass& pass, std::span<const GpuValue> values, GpuMemory& piece, float* to);
    void send(void* to, const void* from, std::size_t bytes);
    // Takes the steps, or repeats them as they were noted.
    void take(GpuPass::Noted& noted, std::uint64_t what, const std::function<void()>& steps) const;

    GpuDevice& device_;
    const ReasonPlan& plan_;
    std::size_t semantics_;
    bool with_not_;
    GpuSemanticsFacts facts_;
    GpuPlan cut_;
    GpuMemory graph_memory_;
    GpuMemory staging_[2];  // pinned: one is filled while the other is on its way
    bool is_under_way_[2] = {false, false};
    unsigned next_staging_ = 0;
    std::vector<float> sent_base_;  // the contents of `base_`
    GpuMemory work_;
    GpuMemory seeds_;
    GpuMemory lists_;  // of atoms and their columns
    // In graph_memory_.
    GraphView view_{};
    const GpuConjunction* packed_ = nullptr;
    const std::uint32_t* head_ = nullptr;
    const GpuItem* items_ = nullptr;
    const GpuRun* runs_ = nullptr;
    const GpuUse* uses_ = nullptr;
    const std::uint32_t* members_ = nullptr;
    const std::uint32_t* fixed_ = nullptr;
    const std::uint32_t* schedule_atoms_ = nullptr;
    float* base_ = nullptr;
    // Tiles that run backwards together: the values of conjunctions are stored for these alone.
    struct Slice {
        std::uint32_t begin = 0;
        std::uint32_t count = 0;  // 0: all
    };
    mutable Slice slice_;
    Work back_;                     // in work_
    std::uint64_t generation_ = 0;  // of memory that was taken
};

}  // namespace neumann
