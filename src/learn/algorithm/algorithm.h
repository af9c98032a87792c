// Learning algorithm: from one lesson of a task to clauses. Each is a descriptor with laws in the registry
// (learn/run/algorithms.cpp); "auto" asks the laws, never the name.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/learn.h>

#include "base/diagnostics.h"
#include "ground/ground.h"
#include "learn/algorithm/run_progress.h"
#include "learn/evaluate/judge.h"
#include "learn/evaluate/program_evaluator.h"
#include "learn/journal/journal.h"
#include "learn/readers/loaded_task.h"
#include "learn/task/lessons.h"
#include "learn/task/options.h"

namespace neumann {

// How many rounds an algorithm makes for clauses of a given depth.
enum class RoundsOfDepth : std::uint8_t {
    Free,     // as many as its options allow, within the bound on goals; it sees training labels only
    OneMore,  // one more than goals; validation examples are its own business
    None,     // it knows no depths
};

struct AlgorithmLaws {
    bool needs_crisp = false;      // inputs and labels that are 0 or 1; others count as true from one half on
    bool needs_gradients = false;  // a reasoning graph with gradients, so the background must be grounded
    bool invents = false;          // may define predicates of its own
    bool proves = false;           // may prove that no shorter program is right
    RoundsOfDepth rounds_of_depth = RoundsOfDepth::Free;
};

// A lesson of a task, and all that an algorithm may use. Borrowed.
struct LessonContext {
    LoadedTask& task;
    const Lesson& lesson;
    std::size_t number;            // from 0
    std::size_t count;             // of lessons
    std::string name;              // distinguishes the lesson's steps from others in the journal
    const ExampleSet& train;       // with the labels of this lesson alone
    const ExampleSet& validation;  // empty: there is none
    ProgramEvaluator& evaluator;
    const LearnerOptions& options;
    const GroundOptions& grounding;
    Journal& journal;
    RunProgress& progress;
    const std::atomic<bool>* stop;
    Diagnostics& diagnostics;  // of declarations that the algorithm cannot work with
};

struct LessonResult {
    std::string refused;          // why the algorithm cannot learn this; else empty
    std::vector<Clause> clauses;  // with their weights, in the vocabulary of the task's program
    Verdict verdict;           // of the discrete program: wrong labels of training and validation, description length
    double soft_accuracy = 0;  // before the program was made discrete
    LearnSearch search;        // statistics of the search
    bool interrupted = false;  // it was stopped, with the best program so far
    std::vector<WrongLabels> wrong_labels;
    std::optional<std::vector<LearnLimit>> limits;  // declarations that prevent a better program; none: not searched
    std::optional<BinaryScore> counts;              // of training labels, by the algorithm itself
    // The values of labelled atoms by number of the pool, where the algorithm computes them itself.
    std::vector<float> values;
    bool complete_depth = false;  // no other program within the bounds gets more training labels right
    // Other single clauses with as many goals that get enough training labels right.
    std::vector<Clause> alternatives;

    // If it was learned by depth.
    double train_accuracy = 0;
    std::optional<double> validation_accuracy;
    double enough = 0;     // the share of validation labels at which a depth is taken
    bool reached = false;  // that share was given, and so many are right
    std::vector<LearnDepth> depths;
    std::vector<LearnRival> rivals;
    std::size_t rivals_found = 0;
    std::vector<std::string> equals;  // programs of as many literals that get the same training labels right
    std::vector<std::string> notes;   // for the user
    std::vector<std::string> proof;   // what the search has ruled out, a line each

    // Whether no other algorithm needs to be tried.
    bool is_right() const { return reached || (verdict.errors == 0 && !clauses.empty()); }
    bool better_than(const LessonResult& other) const {
        if (clauses.empty() || other.clauses.empty()) return other.clauses.empty() && !clauses.empty();
        if (reached != other.reached) return reached;
        return verdict.better_than(other.verdict);
    }
};

class LearningAlgorithm {
public:
    LearningAlgorithm(LearnAlgorithmInfo about, AlgorithmLaws what_holds) : info(std::move(about)), laws(what_holds) {}
    virtual ~LearningAlgorithm() = default;
    LearningAlgorithm(const LearningAlgorithm&) = delete;
    LearningAlgorithm& operator=(const LearningAlgorithm&) = delete;

    // Throws LearnError, GroundingLimit, FileError.
    virtual LessonResult learn(LessonContext& context) const = 0;

    const LearnAlgorithmInfo info;
    const AlgorithmLaws laws;
};

}  // namespace neumann
