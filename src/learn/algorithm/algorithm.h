// Learning algorithm: from one lesson of a task to clauses. Each is a descriptor with laws in the registry
// (learn/run/algorithms.cpp); callers ask the laws, never the name.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/learn.h>

#include "base/diagnostics.h"
#include "ground/ground.h"
#include "learn/evaluate/judge.h"
#include "learn/evaluate/program_evaluator.h"
#include "learn/journal/journal.h"
#include "learn/readers/loaded_task.h"
#include "learn/task/lessons.h"
#include "learn/task/options.h"

namespace neumann {

struct AlgorithmLaws {
    bool needs_crisp = false;      // inputs and labels that are 0 or 1; others count as true from one half on
    bool needs_gradients = false;  // a reasoning graph with gradients, so the background must be grounded
    bool invents = false;          // may define predicates of its own
    bool proves = false;           // may prove that no shorter program is right
    bool published = false;        // is there for comparison: never chosen unless named
};

// A lesson of a task, and all that an algorithm may use. Borrowed.
struct LessonContext {
    LoadedTask& task;
    const Lesson& lesson;
    std::string name;              // "lesson 1": tells the lesson's steps in the journal from those of others
    const ExampleSet& train;       // with the labels of this lesson alone
    const ExampleSet& validation;  // empty: there is none
    ProgramEvaluator& evaluator;
    const LearnerOptions& options;
    const GroundOptions& grounding;
    Journal& journal;
    LearnProgress& progress;
    const std::atomic<bool>* stop;
    Diagnostics& diagnostics;  // of declarations that the algorithm cannot work with
};

struct LessonResult {
    std::string refused;          // why the algorithm cannot learn this; else empty
    std::vector<Clause> clauses;  // with their weights, in the vocabulary of the task's program
    Verdict verdict;              // of the discrete program: wrong labels of training and validation, description length
    double soft_accuracy = 0;     // before the program was made discrete
    LearnSearch search;           // what it took
    bool interrupted = false;     // it was stopped, with the best program so far
    std::vector<WrongLabels> wrong_labels;
    std::optional<std::vector<LearnLimit>> limits;  // declarations that stand in the way; none: not looked for
    // The values of labelled atoms by number of the pool, where the algorithm computes them itself.
    std::vector<float> values;

    bool is_right() const { return verdict.errors == 0 && !clauses.empty(); }
    bool better_than(const LessonResult& other) const {
        if (clauses.empty() || other.clauses.empty()) return other.clauses.empty() && !clauses.empty();
        return verdict.better_than(other.verdict);
    }
};

class LearningAlgorithm {
public:
    LearningAlgorithm(std::string_view name, std::string_view summary, AlgorithmLaws laws)
        : name(name), summary(summary), laws(laws) {}
    virtual ~LearningAlgorithm() = default;
    LearningAlgorithm(const LearningAlgorithm&) = delete;
    LearningAlgorithm& operator=(const LearningAlgorithm&) = delete;

    // Throws LearnError, GroundingLimit, FileError.
    virtual LessonResult learn(LessonContext& context) const = 0;

    const std::string_view name;  // as options have it
    const std::string_view summary;
    const AlgorithmLaws laws;
};

}  // namespace neumann
