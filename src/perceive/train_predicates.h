// Learns the weights of relations from generated scenes: logistic regression on one feature, which has one best answer
// and takes a few steps of Newton's method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "datasets/relation_samples.h"
#include "valuation/predicates.h"

namespace neumann {

struct PredicateTrainingOptions {
    std::uint64_t seed = 1;
    std::size_t samples = 20'000;       // to learn from, for each relation
    std::size_t test_samples = 10'000;  // fresh ones
    double noise = 0.004;               // of measured centres, as shares of the picture; without it slopes have no end
    double ridge = 1e-6;  // times half the squared weight of the standardised feature, beside the mean loss
};

struct TrainedPredicate {
    std::string name;  // flat.closeby
    double weight = 0;
    double bias = 0;
    double threshold = 0;  // of the feature, where the probability is ½
    double train_accuracy = 0;
    double test_accuracy = 0;   // on fresh samples of the same kind, many of them near the threshold
    double scene_accuracy = 0;  // on fresh samples from generated scenes alone
    std::size_t samples = 0;    // learned from
};

struct PredicateTraining {
    PredicateWeights weights;
    std::vector<TrainedPredicate> predicates;
};

// Throws std::invalid_argument for options that leave nothing to learn from. `progress` may be null.
PredicateTraining train_predicates(const PredicateTrainingOptions& options, Progress* progress = nullptr);

// The best logistic function for these samples. Throws std::invalid_argument where all are alike.
LogisticFunction fit_logistic(std::span<const RelationSample> samples, double ridge);

}  // namespace neumann
