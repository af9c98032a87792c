// Extensions of predicates in labelled worlds: atoms given by examples, the program's facts, and the consequences of
// its clauses.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "ground/ground.h"
#include "learn/task/examples.h"
#include "logic/program.h"
#include "reason/reason_options.h"

namespace neumann {

// The atoms of one predicate that hold: arguments, row after row.
struct Extension {
    std::vector<TermId> shared;         // in every world
    std::size_t shared_count = 0;       // rows
    std::vector<TermId> own;            // in the world of the same row of `worlds`
    std::vector<std::uint32_t> worlds;  // numbers of examples

    bool empty() const { return shared_count == 0 && worlds.empty(); }
};

struct Worlds {
    std::vector<Extension> extensions;  // per predicate of the program; only the requested ones
    bool crisp = true;                  // all values were 0 or 1
    // The program's, with constants computed on the way.
    Signature signature;
    TermTable terms;
};

// Borrows all but the program, which may have clauses of its own.
struct WorldQuestion {
    Program program;
    const AtomPool& pool;
    const ExampleSet& examples;
    std::vector<bool> wanted;  // per predicate
    ReasonOptions reasoning;
    GroundOptions grounding;
    const std::atomic<bool>* stop = nullptr;
};

// An atom counts as true from the probability one half. Throws GroundingLimit, IdOverflow, LearningInterrupted.
Worlds find_worlds(WorldQuestion question, Diagnostics& diagnostics);

}  // namespace neumann
