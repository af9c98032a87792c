// The comparison partner: the reasoner of ∂ILP and αILP, which looks bodies up in a dense index tensor
//
//   index[clause][atom][substitution][body place] = number of the body atom
//
// with room for as many substitutions and body places as the largest ground clause needs. Everywhere else it is padded:
// missing body places with an atom that is always true, missing substitutions with one that is always false. Each entry
// is stored and visited, padding included; that is the cost this reasoner is there to show. Forward only, in scalar
// double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/pod_vector.h"
#include "graph/graph.h"
#include "reason/formulas.h"
#include "reason/graph_reasoner.h"
#include "reason/semantics.h"

namespace neumann {

struct TensorOptions {
    Semantics semantics = default_semantics();
    double gamma = default_gamma;
    std::uint32_t steps = 1;
    std::uint64_t memory_limit = std::uint64_t{4} << 30;  // for the tensor and all values
};

// What a graph would need as a tensor. Sizes that 64 bits cannot hold are `too_many`.
struct TensorSize {
    static constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t clauses = 0;
    std::uint64_t atoms = 0;
    std::uint64_t substitutions = 0;  // the most conjunctions that one clause has for one head
    std::uint64_t body_length = 1;    // at least 1, so that padding can be told from a clause without a body
    std::uint64_t index_bytes = 0;
    std::uint64_t total_bytes = 0;   // with the values of a batch, of every step if its history is kept
    std::uint64_t dense_matrix = 0;  // entries of the paper's matrix, atoms × conjunctions
};

TensorSize tensor_size(const ReasoningGraph& graph, const TensorOptions& options, std::size_t examples = 1,
                       bool history = false);

class TensorTooLarge : public ReasonError {
public:
    TensorTooLarge(const TensorSize& size, std::uint64_t limit);
    const TensorSize& size() const { return size_; }

private:
    TensorSize size_;
};

// The outcome of a forward pass.
class TensorRun {
public:
    std::size_t examples() const { return examples_; }
    double value(std::uint32_t atom, std::size_t example) const { return state(kept_ - 1, example)[atom]; }
    // A value per atom after so many steps. Needs a run that kept its history, else ReasonError.
    std::span<const double> history(std::uint32_t step, std::size_t example) const;

private:
    friend class TensorReasoner;
    std::span<const double> state(std::size_t place, std::size_t example) const {
        return std::span(values_).subspan((example * kept_ + place) * atoms_, atoms_);
    }

    std::size_t examples_ = 0;
    std::size_t atoms_ = 0;
    std::size_t kept_ = 1;  // states of an example: the last one, or that of every step
    bool with_history_ = false;
    std::vector<double> values_;  // [example][state][atom]
};

class TensorReasoner {
public:
    // Throws TensorTooLarge before it allocates the tensor; ReasonError for options that make no sense.
    TensorReasoner(ReasoningGraph graph, const TensorOptions& options);

    void set_weights(std::span<const double> weights);  // one per clause, each in [0,1]; throws ReasonError

    // The inputs are those of GraphReasoner::forward. Throws TensorTooLarge if the values of the batch do not fit.
    TensorRun forward(const AtomNumbers& inputs, bool keep_history = false);

private:
    void fill_index();
    void load(std::span<const AtomNumbers::Entry> inputs);
    void step();
    double derive(std::size_t atom);

    ReasoningGraph graph_;
    TensorOptions options_;
    const formulas::AtomFormulas& formulas_;
    TensorSize size_;
    std::vector<double> weights_;
    PodVector<std::uint32_t> index_;
    // Of the example at work.
    std::vector<double> initial_;
    std::vector<double> values_;  // atoms, then the one that is true and the one that is false
    std::vector<double> next_;    // likewise
    PodVector<double> state_;     // of semantics that keep state: [clause][atom][substitution]
    // Of the atom at work.
    formulas::AtomBuffer buffer_;
    std::vector<std::size_t> places_;  // of its conjunctions in state_
    std::vector<double> state_here_;
};

}  // namespace neumann
