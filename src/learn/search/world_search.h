// Exhaustive search in labelled worlds: the clauses of one predicate from a program and its examples.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <neumann/learn_options.h>

#include "ground/ground.h"
#include "learn/bias/search_task.h"
#include "learn/task/examples.h"
#include "logic/program.h"
#include "reason/reason_options.h"

namespace neumann {

struct WorldSearchOptions {
    SearchBounds bounds;
    std::optional<std::uint32_t> program_size;  // replaces the number of clauses of `learn`
    search::Limits limits;
    ScoreKind score = ScoreKind::Literals;
    bool prefer = true;
    ReasonOptions reasoning;
    GroundOptions grounding;
    std::function<void(const std::string& text)> tell = {};  // progress messages, a line each
};

struct WorldSearchOutcome {
    std::string reason;                           // why it could not be tried; else empty
    std::optional<SearchTask> task;               // that the program was found for; none: there is no program
    search::SearchResult found;                   // recursive clauses last
    std::vector<double> weights;                  // of its clauses: 1, or their precision where labels are left wrong
    std::uint64_t candidates = 0;                 // clauses and programs that were evaluated, in all attempts
    Worlds worlds;                                // whose vocabulary the task has
    search::Ended ended = search::Ended::Proven;  // of several searches the one that ended worst
    std::uint64_t work = 0;
    double seconds = 0;

    bool is_cut_off() const { return search::is_cut_off(ended); }
};

// `targets` and `train` are those of one lesson.
WorldSearchOutcome search_worlds(const Program& program, const std::vector<LearnTarget>& targets, const AtomPool& pool,
                                 const ExampleSet& train, const WorldSearchOptions& options);

}  // namespace neumann
