// Learning from a program and examples: lesson by lesson, to the program that is printed.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/learn.h>

#include "base/diagnostics.h"
#include "learn/gradient/lesson_learner.h"
#include "learn/task/lessons.h"
#include "logic/program.h"

namespace neumann {

struct LearningInput {
    Program program;  // analysed, without clauses of what is to be learned
    // The same before analysis, which puts clauses in the place of aggregates; none: there are no aggregates.
    std::optional<Program> written = {};
    AtomPool pool;
    ExampleSet train;
    ExampleSet validation;  // empty: there is none
};

class LessonWatcher : public LearnWatcher {
public:
    // What the search that needs no gradients is at, a line each.
    virtual void searching(const std::string& /*text*/) {}
    // What the numbers of candidates in all that follows belong to.
    virtual void lesson_begins(std::size_t lesson, std::size_t lessons, LearningProblem& problem, Refiner& refiner) = 0;
    virtual void lesson_ends(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                             const ExampleSet& validation) = 0;
};

struct LearnedProgram {
    std::vector<LearnedClause> clauses;
    std::string text;  // the whole program with its learned clauses
    double soft_accuracy = 0;
    std::uint32_t rounds = 0;
    std::uint64_t clauses_scored = 0;
    std::uint64_t errors = 0;  // labels that the discrete program gets wrong in training and validation
    bool interrupted = false;
    std::string search_ended;
    std::uint64_t search_work = 0;
    LearnAlgorithm algorithm = LearnAlgorithm::Gradient;   // that found the clauses of the last lesson
    std::optional<BinaryScore> search_counts;              // of training, where the search found them
    std::optional<std::vector<WrongLabels>> wrong_labels;  // where the search found them: of training and validation
};

// Throws LearnError, GroundingLimit, FileError; reports what is wrong with the declarations, and then returns nothing.
std::optional<LearnedProgram> learn_program(LearningInput& input, const LearnerOptions& options,
                                            const GroundOptions& grounding, Journal& journal, LessonWatcher* watcher,
                                            const std::atomic<bool>* stop, Diagnostics& diagnostics);

// The values that a program gives to the targets of examples, in their order, and the examples in its numbers. The
// program's text is read anew: what is judged is what is written.
struct ProgramRun {
    std::vector<float> values;
    std::vector<bool> positive;

    BinaryScore counts(double threshold) const;
    double accuracy(double threshold) const { return counts(threshold).accuracy(); }
    // The threshold that gets the most targets right: one half if that is as good as any, else halfway between two
    // values.
    double best_threshold() const;
};
ProgramRun run_program(const Program& program, const AtomPool& pool, const ExampleSet& set,
                       const ReasonOptions& reasoning, const GroundOptions& grounding, Diagnostics& diagnostics);

}  // namespace neumann
