// Training of relation weights from generated scenes: logistic regression on one feature, a convex problem that takes a
// few steps of Newton's method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <neumann/train.h>

#include "base/progress.h"
#include "datasets/relation_samples.h"
#include "valuation/predicates.h"

namespace neumann {

struct PredicateTraining {
    PredicateWeights weights;
    std::vector<TrainedPredicate> predicates;
};

// Throws std::invalid_argument for options that leave nothing to learn from. `progress` may be null.
PredicateTraining train_predicates(const PredicateTrainingOptions& options, Progress* progress = nullptr);

// The best logistic function for these samples. Throws std::invalid_argument where all are alike.
LogisticFunction fit_logistic(std::span<const RelationSample> samples, double ridge);

}  // namespace neumann
