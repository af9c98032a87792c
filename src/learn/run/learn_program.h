// Learning of clauses: lesson by lesson, algorithm by algorithm, to a learned program.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "learn/algorithm/algorithm.h"

namespace neumann {

struct LearnedProgram {
    std::vector<Clause> clauses;  // with their weights; they are in the task's program, too
    std::string algorithm;        // that found those of the last lesson
    LearnSearch search;           // of all lessons
    double soft_accuracy = 0;     // on validation, before the last lesson's program was made discrete
    std::uint64_t errors = 0;     // labels that the discrete program gets wrong in training and validation
    std::vector<WrongLabels> wrong_labels;
    std::vector<LearnLimit> limits;
    std::vector<LearnDepth> depths;  // of the last lesson
    double enough = 0;
    std::vector<LearnRival> rivals;
    std::size_t rivals_found = 0;
    std::vector<std::string> equals;
    std::vector<std::string> notes;
    std::vector<std::string> proof;
    std::optional<BinaryScore> counts;  // of training labels, where the search found the program
    std::vector<float> values;          // of labelled atoms by number of the pool, where no reasoner computes them
    bool interrupted = false;
};

// Adds the learned clauses to the task's program. Throws LearnError, GroundingLimit, FileError; reports errors in
// the declarations, and then returns nothing.
std::optional<LearnedProgram> learn_program(LoadedTask& task, ProgramEvaluator& evaluator,
                                            const LearnerOptions& options, const GroundOptions& grounding,
                                            Journal& journal, RunProgress& progress, const std::atomic<bool>* stop,
                                            Diagnostics& diagnostics);

// An evaluator of the task's training, validation and test examples, in this order.
ProgramEvaluator evaluator_of(const LoadedTask& task, const LearnerOptions& options, const GroundOptions& grounding);

}  // namespace neumann
