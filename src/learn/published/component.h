// Component of the published learning algorithms: a shared library that only experiments build, loaded on first use.
//
// Its sources are in experiments/algorithms. Objects of the learning stage cross the border by reference, so both sides
// must be compiled with the same headers.
#pragma once

#include <memory>

#include "learn/gradient/lesson_learner.h"

namespace neumann {

class PublishedComponent {
public:
    virtual ~PublishedComponent() = default;
    // By the algorithm of the options. Throws LearnError for unsupported combinations.
    virtual std::unique_ptr<LessonLearner> make_learner(LessonRequest request) = 0;
};

extern const char* const published_version;  // the project's, and a digest of all headers

// The functions of the shared library, with C linkage.
using PublishedVersionFunction = const char*();  // neumann_published_version: published_version as it was built with
using PublishedComponentFunction = PublishedComponent*();  // neumann_published_component: lives as long as the process

// Searched in $NEUMANN_PUBLISHED_LIBRARY (a file), beside the command, and in lib/neumann. Throws ComponentError, with
// build instructions, if there is none.
PublishedComponent& published_component();

}  // namespace neumann
