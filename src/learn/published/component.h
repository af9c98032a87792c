// Component of the published learning algorithms: a shared library that only experiments build, loaded on first use.
//
// Its sources are in experiments/algorithms. Objects of the learning stage cross the border by reference, so both sides
// must be compiled with the same headers.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "learn/gradient/lesson_learner.h"

namespace neumann {

// A lesson, as a learner gets it. All borrowed but the name; watcher and stop may be null.
struct LessonRequest {
    LearningProblem& problem;
    Refiner& refiner;
    const Dataset& train;
    const Dataset& validation;
    const LearnerOptions& options;
    Journal& journal;
    std::string name;
    LearnWatcher* watcher;
    const std::atomic<bool>* stop;
};

class PublishedComponent {
public:
    virtual ~PublishedComponent() = default;
    // By the algorithm of the options. Throws LearnError for what it cannot be combined with.
    virtual std::unique_ptr<LessonLearner> make_learner(LessonRequest request) = 0;
};

extern const char* const published_version;  // the project's, and a digest of all headers

// What the shared library defines, with C linkage.
using PublishedVersionFunction = const char*();  // neumann_published_version: published_version as it was built with
using PublishedComponentFunction = PublishedComponent*();  // neumann_published_component: lives as long as the process

// Looked for in $NEUMANN_PUBLISHED_LIBRARY (a file), beside the command, and in lib/neumann. Throws ComponentError,
// saying how to build it, where there is none.
PublishedComponent& published_component();

}  // namespace neumann
