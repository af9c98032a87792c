// Reference reasoner in scalar double precision, one example at a time, written for comparison: no tiles, nothing
// skipped, every value of every step kept.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "reason/formulas.h"
#include "reason/schedule.h"
#include "reason/semantics.h"

namespace neumann {

struct ReferenceRun {
    std::vector<std::uint32_t> phase_of_step;
    std::vector<std::vector<double>> values;  // steps + 1 times a value per atom
    // Of semantics that keep state: steps + 1 times a value per conjunction.
    std::vector<std::vector<double>> state;
    // The excess that clamping removed, in the order in which the ORs were computed. The derivative is that of the
    // unclamped ORs less these constants.
    std::vector<double> overshoot;

    const std::vector<double>& result() const { return values.back(); }
};

struct ReferenceGradients {
    std::vector<double> weights;  // per clause
    std::vector<double> initial;  // per atom
};

class ReferenceReasoner {
public:
    ReferenceReasoner(ReasoningGraph graph, Semantics semantics, double gamma, Schedule schedule)
        : graph_(std::move(graph)), semantics_(semantics), formulas_(formulas::formulas_of(semantics)), gamma_(gamma),
          schedule_(std::move(schedule)) {}

    // With `frozen`, the overshoot and the steps of that run are used instead of clamping: the function whose
    // derivative backward() computes.
    ReferenceRun forward(std::span<const double> weights, std::span<const double> initial,
                         const ReferenceRun* frozen = nullptr) const;

    ReferenceGradients backward(const ReferenceRun& run, std::span<const double> weights,
                                std::span<const double> initial, std::span<const double> output_gradient) const;

private:
    // The inputs of a step for an atom; valid until the buffer is used again.
    formulas::AtomView read(std::uint32_t atom, std::span<const double> weights, std::span<const double> initial,
                            std::span<const double> before, formulas::AtomBuffer& buffer) const;
    std::size_t state_size() const;
    // That of the conjunctions that derive an atom.
    template <class Numbers>
    auto state_of(Numbers& state, std::uint32_t atom) const {
        const std::size_t count = state.empty() ? 0 : graph_.in_begin[atom + 1] - graph_.in_begin[atom];
        return std::span(state).subspan(state.empty() ? 0 : graph_.in_begin[atom], count);
    }

    ReasoningGraph graph_;
    Semantics semantics_;
    const formulas::AtomFormulas& formulas_;
    double gamma_;
    Schedule schedule_;
};

}  // namespace neumann
