#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learn/task/options.h"

namespace neumann {
namespace {

TEST(LearnerOptions, WhateverChangesTheResultIsDescribed) {
    const std::vector<std::function<void(LearnerOptions&)>> changes = {
        [](LearnerOptions& o) { o.seed = 2; },
        [](LearnerOptions& o) { o.search.kind = SearchKind::Beam; },
        [](LearnerOptions& o) { o.search.trials = 6; },
        [](LearnerOptions& o) { o.search.uniform_weight = 0.5; },
        [](LearnerOptions& o) { o.search.uniform_weight = 0.25; },
        [](LearnerOptions& o) { o.search.precise_below = 0.3; },
        [](LearnerOptions& o) { o.search.bounds.max_depth = 4; },
        [](LearnerOptions& o) { o.weights.optimiser.kind = OptimiserKind::Adam; },
        [](LearnerOptions& o) { o.weights.optimiser.rate = 0.1; },
        [](LearnerOptions& o) { o.weights.least_improvement = 1e-5; },
        [](LearnerOptions& o) { o.program_size = 0; },
        [](LearnerOptions& o) { o.simplify = false; },
        [](LearnerOptions& o) { o.score = ScoreKind::Mml; },
        [](LearnerOptions& o) { o.parts = 5; },
        [](LearnerOptions& o) { o.prefer = false; },
        [](LearnerOptions& o) { o.algorithm = "search"; },
        [](LearnerOptions& o) { o.learning.gamma = 0.02; },
        [](LearnerOptions& o) { o.learning.steps = 7; },
        [](LearnerOptions& o) { o.reasoning.gamma = 0.02; },
    };
    std::set<std::string> all = {describe({})};
    for (const auto& change : changes) {
        LearnerOptions options;
        change(options);
        EXPECT_TRUE(all.insert(describe(options)).second) << describe(options);
    }
    LearnerOptions options;
    options.learning.threads = 7;
    EXPECT_EQ(describe(options), describe({})) << "results do not depend on threads";
}

}  // namespace
}  // namespace neumann
