// Candidate graph: a reasoning graph of the background and some candidates, for runs over examples with changing
// weights.
//
// Atoms that no input of an example can reach have the same value in all examples: they are computed once for each
// setting of the weights (the fixed part), and atoms that depend on inputs are computed from there (the open part). Of
// relations between lists, all of which are fixed, that leaves next to nothing to do for each example.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "learn/evaluate/dataset.h"
#include "learn/evaluate/problem.h"
#include "reason/reasoner.h"

namespace neumann {

struct GraphRunOptions {
    ReasonOptions reasoning;
    // Of parts with cycles, where `reasoning` leaves it open. (The automatic number of steps is that of the shortest
    // derivations, and while clauses are searched one that holds of everything makes them all short.)
    std::optional<std::uint32_t> cyclic_steps;
    const std::atomic<bool>* stop = nullptr;  // set from anywhere, a running pass throws LearningInterrupted
};

class CandidateGraph {
public:
    // `asked` are the atoms whose values matter.
    CandidateGraph(const LearningProblem& problem, std::vector<std::uint32_t> candidates,
                   const std::vector<bool>& asked, const GraphRunOptions& options);

    std::span<const std::uint32_t> candidates() const { return candidates_; }
    void set_weights(std::span<const double> weights);  // of the candidates, in [0,1]

    // The values of all targets, or of those of some examples (the others stay as they are).
    void predict(const Dataset& data, std::vector<float>& values);
    void predict(const Dataset& data, std::span<const std::uint32_t> examples, std::vector<float>& values);

    struct Gradient {
        double loss = 0;
        std::vector<double> by_weight;  // per candidate
    };
    // Of Σ weight·loss over the targets of the given examples.
    Gradient gradient(const Dataset& data, std::span<const std::uint32_t> examples, std::span<const double> weights,
                      const CrossEntropy& loss);

    // Distinguishes candidates that behave differently on some example: the sum of gradients at all examples, each
    // times pseudo-random numbers of that example's.
    using Fingerprint = std::array<double, 2>;
    // The same, positive and negative targets apart, with fingerprints (of both together).
    struct SplitGradient {
        Gradient positive;
        Gradient negative;
        std::vector<Fingerprint> fingerprint;  // per candidate
    };
    SplitGradient split_gradient(const Dataset& data, std::span<const std::uint32_t> examples,
                                 std::span<const double> weights, const CrossEntropy& loss);

private:
    // Sums over examples: gradients by weights in the open part, and by the values that the fixed part hands over.
    struct Sums {
        std::vector<double> by_weight;  // per candidate
        std::vector<double> by_given;   // per atom handed over
    };
    void find_parts(const LearningProblem& problem, ReasoningGraph graph, const std::vector<bool>& asked,
                    const GraphRunOptions& options);
    void compute_fixed_part();
    void forward(const Dataset& data, std::span<const std::uint32_t> examples, Keep keep);
    // Goes back from the targets of the examples of the last pass, all of them or those of one label.
    double backward(const Dataset& data, std::span<const std::uint32_t> examples, std::span<const double> weights,
                    const CrossEntropy& loss, std::optional<bool> only, std::span<const GradientSums> sums);
    Sums no_sums() const;
    GradientSums added_to(Sums& sums, std::span<const double> factors = {}) const;
    std::vector<double> through_fixed_part(const Sums& sums);
    std::uint32_t open_number(std::uint32_t atom) const;

    std::vector<std::uint32_t> candidates_;
    std::uint32_t first_clause_ = 0;  // clauses before it are the background's
    const std::atomic<bool>* stop_;
    std::vector<double> weights_;  // of all clauses

    std::unique_ptr<GraphReasoner> fixed_;  // null: no candidate has an instance in it
    std::unique_ptr<GraphReasoner> open_;
    // Atoms handed over: their numbers in the fixed part, and in the open part, where nothing derives them.
    std::vector<std::uint32_t> given_in_fixed_;
    std::vector<std::uint32_t> given_in_open_;
    std::vector<std::uint32_t> open_number_;  // of the problem's atoms
    std::vector<float> open_initial_;
    bool fixed_is_stale_ = true;
    Pass fixed_pass_;
    InputBatch::Builder inputs_;
    InputBatch::Builder by_result_;
    Pass pass_;
    // Of the last pass, the examples of all targets one after the other: atoms of the open part, and all values.
    std::vector<std::uint32_t> asked_examples_;
    std::vector<std::uint32_t> asked_atoms_;
    std::vector<float> values_;
};

std::vector<std::uint32_t> all_examples(const Dataset& data);

}  // namespace neumann
