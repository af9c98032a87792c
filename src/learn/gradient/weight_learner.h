// Weight optimisation: M softmax vectors over the clauses that the search has found, learned by gradient descent
// through the reasoner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/evaluate/candidate_graph.h"
#include "learn/gradient/sampling.h"
#include "learn/journal/journal.h"
#include "learn/loss/optimiser.h"
#include "learn/task/options.h"
#include "reason/weights.h"

namespace neumann {

struct EpochReport {
    std::uint32_t start = 0;  // which of the random starts, from 0
    std::uint32_t epoch = 0;  // from 1
    std::uint32_t epochs = 0;
    double train_loss = 0;       // mean over the epoch's batches
    double validation_loss = 0;  // of the weights after it; on the training examples if there are no others
    double validation_accuracy = 0;
};

class EpochWatcher {
public:
    virtual ~EpochWatcher() = default;
    virtual void epoch_done(const EpochReport& report) = 0;
};

// The slots of one learned predicate: M vectors over its candidates, given by their places in the graph.
struct SlotGroup {
    std::uint32_t slots = 1;
    std::vector<std::uint32_t> candidates;
};

class WeightLearner {
public:
    // All borrowed. `start` numbers the random start.
    WeightLearner(CandidateGraph& graph, std::vector<SlotGroup> groups, const Dataset& train, const Dataset& validation,
                  const LearnerOptions& options, Journal& journal, const std::string& name, std::uint32_t start,
                  EpochWatcher* watcher);

    void run();  // throws LearningInterrupted; the best weights so far are kept

    // Of the epoch with the least loss on validation.
    std::vector<double> weights() const;  // per candidate of the graph
    // The choice of each slot, given as places in the graph: per group, without repetitions.
    std::vector<std::uint32_t> discretised() const;
    double validation_loss() const { return best_loss_; }
    double validation_accuracy() const { return best_accuracy_; }

private:
    void run_epoch();
    bool finished() const;
    void set_weights();
    std::vector<double> compose(std::span<const double> logits) const;
    void save();
    bool load();

    CandidateGraph& graph_;
    std::vector<SlotGroup> groups_;
    const Dataset& train_;
    const Dataset& validation_;
    const LearnerOptions& options_;
    Journal& journal_;
    std::string step_;
    std::uint32_t start_;
    EpochWatcher* watcher_;
    std::vector<double> train_weights_;
    std::vector<double> validation_weights_;
    std::vector<float> values_;
    Rng rng_;
    std::vector<double> logits_;  // the groups one after the other, in each a row of candidates per slot
    Optimiser optimiser_;
    std::uint32_t epoch_ = 0;
    std::uint32_t best_epoch_ = 0;
    double best_loss_ = 0;
    double best_accuracy_ = 0;
    std::vector<double> best_logits_;
    std::vector<EpochReport> curve_;
};

}  // namespace neumann
