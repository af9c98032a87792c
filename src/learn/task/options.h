// Options of a learner: those of <neumann/learn_options.h>, and the engine options of its graphs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <neumann/learn_options.h>

#include "reason/reason_options.h"

namespace neumann {

struct LearnerOptions {
    std::string algorithm = "gradient";
    std::uint64_t seed = 1;
    SearchOptions search;
    WeightOptions weights;
    std::optional<std::uint32_t> program_size;  // replaces the number of clauses of `learn`
    bool simplify = true;                       // drop clauses and goals that make no difference
    std::optional<double> enough;               // see LearnOptions
    bool complete_depth = false;                // single clauses: prove that none within the bounds is better
    std::uint64_t most_judged = 20'000;         // clauses, for that proof
    std::uint64_t search_work = 1'000'000'000;  // that the search may do
    ScoreKind score = ScoreKind::Literals;      // by which it compares programs
    std::uint32_t parts = 0;                    // see LearnOptions
    bool prefer = true;                         // see LearnOptions
    double search_seconds = std::numeric_limits<double>::infinity();  // after which it is stopped
    ReasonOptions learning;   // how the graph is run while clauses are searched and weighed
    ReasonOptions reasoning;  // … and when a program is judged

    LearnerOptions() { learning.semantics = semantics_named(learning_semantics_name); }
};

// Every option that can change the result, with its value, a line each: the input of a journal's fingerprint.
std::string describe(const LearnerOptions& options);

}  // namespace neumann
