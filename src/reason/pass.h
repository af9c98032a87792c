// Result of a forward pass. Its representation is private to the engine: it may lie in tiles, in double precision or on
// another device, so results are read many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "reason/device_rows.h"
#include "reason/number_span.h"
#include "reason/reason_options.h"
#include "reason/schedule.h"

namespace neumann {

struct EngineInfo;

// The data that the passes of a reasoner share with it.
struct ReasonPlan {
    ReasoningGraph graph;
    ReasonOptions options;
    Schedule schedule;
};

enum class Keep {
    Results,   // initial and final values
    Backward,  // the data for a backward pass, within the memory budget
    History,   // the values after every step
    HistoryAndBackward,
};
constexpr bool keeps_backward(Keep keep) { return keep == Keep::Backward || keep == Keep::HistoryAndBackward; }
constexpr bool keeps_history(Keep keep) { return keep == Keep::History || keep == Keep::HistoryAndBackward; }

// Where an exact value lies.
struct ValueBounds {
    double low = 0;
    double high = 1;
};

// The stored values of a pass, and access to them. The caller has checked examples, atoms and sizes.
class PassState {
public:
    PassState() = default;
    PassState(const PassState&) = delete;
    PassState& operator=(const PassState&) = delete;
    virtual ~PassState() = default;

    // The final values of some atoms, example by example; of single ones; of all atoms of one example, with its initial
    // values.
    virtual void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const = 0;
    virtual void write_outputs(std::span<const std::uint32_t> atoms, const DeviceRows& to) const;  // else ReasonError
    virtual void read_values(std::size_t example, const NumberSpan& to) const = 0;
    virtual void read_initials(std::size_t example, const NumberSpan& to) const = 0;
    virtual void gather(std::span<const std::uint32_t> examples, std::span<const std::uint32_t> atoms,
                        const NumberSpan& to) const = 0;
    // Throws ReasonError unless the engine estimates.
    virtual ValueBounds bounds(std::uint32_t atom, std::size_t example) const;
    virtual std::uint32_t steps(std::size_t example) const = 0;
    virtual std::vector<std::uint32_t> rounds(std::size_t example) const = 0;
    virtual void read_history(std::size_t example, std::span<const std::uint32_t> atoms,
                              const NumberSpan& to) const = 0;
    virtual std::size_t bytes() const = 0;

    // Set by GraphReasoner::forward.
    const EngineInfo* engine = nullptr;
    std::uint64_t reasoner = 0;  // its number
    std::shared_ptr<const ReasonPlan> plan;
    std::vector<double> weights;
    std::size_t examples = 0;
    Keep kept = Keep::Results;
};

// May be read from several threads at once, and outlives its reasoner. Functions throw ReasonError for examples and
// atoms that do not exist, and for arrays of another size.
class Pass {
public:
    Pass() = default;  // of no examples

    std::size_t examples() const { return state_ ? state_->examples : 0; }
    std::span<const double> weights() const;  // it was computed with, one per clause

    // The final values of some atoms, in the order in which they are asked for: a row of atoms.size() per example.
    void outputs(std::span<const std::uint32_t> atoms, NumberSpan to) const;
    // The same into the memory of a GPU, of an engine that has it.
    void outputs(std::span<const std::uint32_t> atoms, const DeviceRows& to) const;
    // Single ones: that of atoms[i] in examples[i].
    void gather(std::span<const std::uint32_t> examples, std::span<const std::uint32_t> atoms, NumberSpan to) const;
    // Of all atoms of one example.
    void values(std::size_t example, NumberSpan to) const;
    void initials(std::size_t example, NumberSpan to) const;
    // One number; many are had faster together.
    float value(std::uint32_t atom, std::size_t example) const;

    // Of an engine that estimates: where the exact value lies.
    ValueBounds bounds(std::uint32_t atom, std::size_t example) const;

    std::uint32_t steps(std::size_t example) const;
    // How often each phase of the schedule was updated for an example.
    std::vector<std::uint32_t> rounds(std::size_t example) const;
    // The values of some atoms at every step: steps + 1 rows of atoms.size(), initial values first. Needs
    // Keep::History.
    void history(std::size_t example, std::span<const std::uint32_t> atoms, NumberSpan to) const;
    template <class Number>
    std::vector<std::vector<Number>> history(std::size_t example, std::span<const std::uint32_t> atoms) const;

    std::size_t bytes() const { return state_ ? state_->bytes() : 0; }

private:
    friend class GraphReasoner;
    const PassState& checked(std::size_t example) const;
    void require_atoms(std::span<const std::uint32_t> atoms) const;

    std::unique_ptr<PassState> state_;  // null: no examples
};

template <class Number>
std::vector<std::vector<Number>> Pass::history(std::size_t example, std::span<const std::uint32_t> atoms) const {
    const std::size_t rows = std::size_t{checked(example).steps(example)} + 1;
    std::vector<Number> all(rows * atoms.size());
    history(example, atoms, all);
    std::vector<std::vector<Number>> result(rows, std::vector<Number>(atoms.size()));
    for (std::size_t i = 0; i < all.size(); ++i) result[i / atoms.size()][i % atoms.size()] = all[i];
    return result;
}

}  // namespace neumann
