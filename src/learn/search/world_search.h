// The clauses of one predicate from labelled worlds, by trying everything small.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <neumann/learn_options.h>

#include "ground/ground.h"
#include "learn/evaluate/work.h"
#include "learn/task/examples.h"
#include "logic/program.h"
#include "reason/reason_options.h"

namespace neumann {

struct WorldSearchOptions {
    SearchBounds bounds;
    std::optional<std::uint32_t> program_size;  // replaces the number of clauses of `learn`
    search::Limits limits;
    ReasonOptions reasoning;
    GroundOptions grounding;
    std::function<void(const std::string& text)> tell = {};  // what is going on, a line each
};

struct WorldSearchOutcome {
    std::string reason;                              // why it could not be tried; else empty
    std::vector<std::string> clauses;                // as text
    std::vector<std::string> written;                // as programs have them
    std::vector<std::vector<std::string>> invented;  // predicates: name, types of the arguments
    std::vector<double> weights;
    double size = 0;               // of all clauses
    std::uint64_t candidates = 0;  // clauses and programs that were evaluated
    // Labels that it was searched with: true and false positives, true and false negatives.
    std::vector<std::uint64_t> counts;
    bool right = false;  // on those labels
    search::Ended ended = search::Ended::Proven;  // of several searches the one that ended worst
    std::uint64_t work = 0;
    double seconds = 0;

    bool is_cut_off() const { return search::is_cut_off(ended); }
};

// `targets` and `train` are those of one lesson.
WorldSearchOutcome search_worlds(const Program& program, const std::vector<LearnTarget>& targets, const AtomPool& pool,
                                 const ExampleSet& train, const WorldSearchOptions& options);

}  // namespace neumann
