// Engine for the steps of one tile of examples, forwards and backwards. Owns all the memory of a step: nothing is
// allocated inside one. Each worker thread has its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <neumann/types.h>

#include "graph/graph.h"
#include "reason/schedule.h"
#include "reason/semantics.h"
#include "reason/tile/tile_record.h"

namespace neumann {

// The data that all tiles share.
struct TilePlan {
    const ReasoningGraph& graph;
    const Schedule& schedule;
    Semantics semantics = default_semantics();
    float gamma = 0;
    const Kernel* kernel = nullptr;
    // Of conjunctions that may hold before any step: of nothing, or of negations.
    std::vector<std::uint32_t> early_heads;
    std::uint32_t longest_body = 0;
    ProgressFunction progress = {};  // may be empty

    bool keeps_state() const { return info(semantics).keeps_state; }
    bool needs_steps() const { return info(semantics).needs_steps; }
    const KernelStep& step() const {
        return (graph.monotone ? kernel->positive : kernel->with_not)[static_cast<std::size_t>(semantics)];
    }
    GraphView view() const {
        return {graph.in_begin.data(), graph.clause.data(), graph.body_begin.data(), graph.body_codes()};
    }
};

class TileEngine {
public:
    explicit TileEngine(const TilePlan& plan);  // borrows the plan

    struct Keeping {
        std::size_t most = 0;       // states of each phase; 0: none
        bool every = false;         // of more than that none is left out: ReasonError
        bool for_backward = false;  // else it is not enough for backward()
    };
    // From record.initial to record.final. Weights are per clause.
    void forward(TileRecord& record, const float* weights, const Keeping& keeping);

    // Where the gradients of the final values go before backward(): rows of atoms, all 0, and whether each was touched.
    struct Seeds {
        float* rows;
        std::uint8_t* touched;
    };
    Seeds clear_seeds();
    void backward(const TileRecord& record, const float* weights, TileGradients& gradients);

    std::size_t bytes() const;

private:
    struct Segment {  // states between two that were kept
        std::uint32_t begin = 0;
        std::uint32_t end = 0;  // exclusive; begin itself is not in it
        std::vector<RowArray> states;
        std::vector<RowArray> held;
    };

    void run_phase(std::uint32_t phase, std::uint32_t rounds, bool until_stable, PhaseRecord* record,
                   std::size_t max_kept);
    void update(std::span<const std::uint32_t> atoms);
    void commit(std::span<const std::uint32_t> atoms, std::uint32_t round, PhaseRecord* record);
    std::span<const std::uint32_t> next_atoms(const Phase& phase, std::uint64_t phase_edges, bool first);
    void keep(const Phase& phase, std::uint32_t round, PhaseRecord& record, std::size_t max_kept);
    void backward_phase(const TileRecord& record, const Phase& phase, const float* before, const float* after,
                        const float* held_before, const float* held_after, std::uint32_t round,
                        const PhaseRecord* lanes, TileGradients& gradients);
    void recompute(const TileRecord& record, const PhaseRecord& phase, std::uint32_t round);
    // State r of a phase: row i of the result is that of the phase's atom i.
    const float* state(const TileRecord& record, const PhaseRecord& phase, std::uint32_t round);
    const float* held_state(const TileRecord& record, const PhaseRecord& phase, std::uint32_t round);
    std::uint8_t zero_flags(const float* row) const;
    void find_zero_rows(const float* rows);
    void find_zero_rows(const float* rows, std::span<const std::uint32_t> atoms);

    const TilePlan& plan_;
    const float* initial_ = nullptr;  // of the current record
    const float* weights_ = nullptr;
    bool keeps_held_ = false;
    bool keeps_every_ = false;
    float* now_ = nullptr;  // the rows that are being updated: those of the record, or again_
    RowArray again_;        // recomputed states
    RowArray staged_;
    RowArray held_;
    RowArray scratch_;
    std::vector<std::uint8_t> zero_;
    std::vector<std::uint8_t> zero_aside_;
    std::vector<std::uint8_t> status_;
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint32_t> listed_;
    std::vector<std::uint64_t> marked_;  // a bit per atom of the phase
    // Backward.
    RowArray before_;
    RowArray after_;
    RowArray gradient_;
    RowArray incoming_;
    RowArray held_gradient_;
    RowArray held_zero_;
    std::vector<std::uint8_t> touched_;
    std::vector<std::uint8_t> carries_;  // conjunctions of this atom have a gradient from later steps: their state's
    Segment segment_;
};

}  // namespace neumann
