// Gradient search as a learning algorithm; and every other learner that works on graphs of candidates.
#pragma once

#include <memory>

#include "learn/algorithm/algorithm.h"
#include "learn/gradient/lesson_learner.h"

namespace neumann {

std::unique_ptr<LearningAlgorithm> make_gradient_algorithm();

// What a learner of one lesson is made of. Borrowed but the name.
struct LearnerParts {
    LearningProblem& problem;
    Refiner& refiner;
    const Dataset& train;
    const Dataset& validation;  // may be `train`
    const LearnerOptions& options;
    Journal& journal;
    std::string name;  // tells its steps in the journal from those of others
    LearnWatcher* watcher;
    const std::atomic<bool>* stop;
};

// An algorithm whose learner of a lesson comes from `make`.
using LearnerFactory = std::unique_ptr<LessonLearner> (*)(const LearnerParts& parts);
std::unique_ptr<LearningAlgorithm> make_graph_algorithm(std::string_view name, std::string_view summary,
                                                        AlgorithmLaws laws, LearnerFactory make);

}  // namespace neumann
