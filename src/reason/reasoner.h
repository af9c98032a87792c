// Reasoner: an engine bound to a graph, a semantics and a schedule. It runs batches of examples forwards to values
// and backwards to gradients. Weights are an argument of each pass: any number of passes with different weights may be
// under way, and go backwards in any order.
//
// An example's results depend on that example alone, to the last bit: not on its neighbours in the batch, its place
// among them, the number of threads, or how much memory is there. All functions may be called from several threads at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "graph/graph.h"
#include "graph/levels.h"
#include "reason/engines.h"
#include "reason/input_batch.h"
#include "reason/pass.h"
#include "reason/reason_error.h"
#include "reason/reason_options.h"

namespace neumann {

struct ForwardOptions {
    Keep keep = Keep::Results;
    // The initial values of atoms that an example does not set, one per atom in [0,1]. Empty: those of the graph's
    // facts.
    std::span<const float> initial = {};
};

// Gradients summed over the examples, in their order, in double precision; added to the arrays.
struct GradientSums {
    std::span<const double> factors = {};  // one per example, by which its gradients are multiplied; empty: 1
    std::uint32_t first_clause = 0;
    std::span<double> by_clause = {};  // by the weights of first_clause and those after it
    std::span<const std::uint32_t> atoms = {};
    std::span<double> by_atom = {};  // by the initial values of these atoms
};

// The wanted results of a backward pass, and their destinations; empty ones are not computed.
struct GradientRequest {
    std::span<const std::uint32_t> inputs = {};
    NumberSpan by_input = {};                        // by the initial values of `inputs`: a row of them per example
    const DeviceRows* by_input_on_device = nullptr;  // the same into the memory of a GPU, in its place
    NumberSpan by_atom = {};                         // by the initial values of all atoms: likewise
    NumberSpan by_clause = {};                       // by the weights: a row of them per example
    std::span<const GradientSums> sums = {};
};

class GraphReasoner {
public:
    GraphReasoner(const GraphReasoner&) = delete;
    GraphReasoner& operator=(const GraphReasoner&) = delete;
    virtual ~GraphReasoner() = default;

    const EngineInfo& engine() const { return engine_; }  // its capabilities
    const ReasonOptions& options() const { return plan_->options; }
    const ReasoningGraph& graph() const { return plan_->graph; }
    const Schedule& schedule() const { return plan_->schedule; }
    std::span<const double> own_weights() const { return plan_->graph.weight.span(); }  // the graph's

    void require_weights(std::span<const double> weights) const;  // throws ReasonError if forward() would not take them

    // "graph engine, avx2 kernel"
    virtual std::string description() const = 0;
    virtual std::size_t bytes() const = 0;  // beside the graph and the passes

    // Values in [0,1] for existing atoms, of which the last of several for one atom counts; one weight per clause, in
    // [0,1]; else ReasonError, and `reuse` is left as it was. Its memory is used again.
    Pass forward(const InputBatch& inputs, std::span<const double> weights, const ForwardOptions& options = {},
                 Pass&& reuse = {}) const;

    // From the gradient of a loss by the final values (numbers for one atom add up) to those by initial values and
    // weights. Needs a pass of this reasoner that kept the data for it, and an engine that has gradients.
    void backward(const Pass& pass, const InputBatch& seeds, const GradientRequest& wanted) const;

protected:
    // Throws ReasonError for contradictory options. `levels` are only used if the steps are automatic; null: they are
    // computed.
    GraphReasoner(const EngineInfo& engine, ReasoningGraph graph, const ReasonOptions& options,
                  const GraphLevels* levels);

    const std::shared_ptr<const ReasonPlan>& plan() const { return plan_; }

private:
    void require_memory(std::size_t examples, Keep keep) const;
    void check_device(const InputBatch& batch) const;

    // All arguments have been checked, and `state` is one that make_state() made, whose common part has been set.
    virtual std::unique_ptr<PassState> make_state() const = 0;
    virtual void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const = 0;
    // The memory of a forward and a backward pass beside the graph, as far as known beforehand. 0: the engine has its
    // own limit.
    virtual std::uint64_t bytes_needed(std::size_t examples, Keep keep) const = 0;
    virtual void differentiate(const PassState& state, const InputBatch& seeds,
                               const GradientRequest& wanted) const = 0;

    const EngineInfo& engine_;
    std::uint64_t number_;  // no other reasoner's
    std::shared_ptr<const ReasonPlan> plan_;
};

}  // namespace neumann
