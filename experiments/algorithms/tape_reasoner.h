// A published reasoner at work on examples: values of their labels by weights, and gradients of a loss by these.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/reasoner_equations.h"
#include "learn/evaluate/dataset.h"
#include "learn/evaluate/problem.h"

namespace neumann {

// Binary cross-entropy as it is usually computed: no logarithm below −100, no slope above 1e12.
struct PlainCrossEntropy {
    static double loss(double p, bool positive);
    static double slope(double p, bool positive);
};

class TapeReasoner {
public:
    // Of the background and these candidates; `asked` are the atoms whose values matter. Once `stop` is set, a pass
    // throws LearningInterrupted.
    TapeReasoner(const LearningProblem& problem, std::span<const std::uint32_t> candidates,
                 const std::vector<bool>& asked, ReasonerTask task, const std::atomic<bool>* stop);

    std::size_t learned_weights() const { return learned_; }

    // The values of all targets, or of those of some examples (the others stay as they are), by the learned weights.
    // Where a number of one example makes a difference to others, so do batches: those of so many examples.
    void predict(const Dataset& data, std::span<const double> weights, std::size_t batch, std::vector<float>& values);
    void predict(const Dataset& data, std::span<const std::uint32_t> examples, std::span<const double> weights,
                 std::vector<float>& values);

    struct Gradient {
        double loss = 0;                // mean over the labels of the batch
        std::vector<double> by_weight;  // of that
    };
    // Of those labels of the batch that count.
    Gradient gradient(const Dataset& data, std::span<const std::uint32_t> batch, const std::vector<bool>& counts,
                      std::span<const double> weights);

private:
    void forward(const Dataset& data, std::span<const std::uint32_t> examples, std::span<const double> weights);
    double value_of(const Dataset& data, std::size_t target, std::size_t example) const;

    WrittenReasoner written_;
    std::size_t learned_;
    std::vector<double> parameters_;  // the background's weights in their place
    const std::atomic<bool>* stop_;
};

}  // namespace neumann
