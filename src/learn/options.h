// All that can change what is learned, by name.
#pragma once

#include <cstdint>
#include <optional>

#include "learn/modes.h"
#include "learn/optimiser.h"
#include "reason/graph_reasoner.h"

namespace neumann {

enum class SearchKind {
    Gradient,  // all candidates scored at once by the gradient of the loss
    Beam,      // each candidate scored by itself
};

struct SearchOptions {
    SearchKind kind = SearchKind::Gradient;
    std::uint32_t trials = 5;       // rounds of refinement: N_trial
    std::uint32_t more_trials = 3;  // as many more if a single clause is looked for and none is right by then
    std::uint32_t samples = 10;     // clauses that are refined in each: N_sample
    std::uint32_t reserves = 1;  // times as many are drawn after them, not to be refined but to be weighed in the end
    bool with_replacement = false;
    double beta = 50;                      // how much a score counts against chance
    std::optional<double> uniform_weight;  // of all candidates while they are scored; absent: see score.h
    // The share of negative examples grows from 1/n to all of them over this many rounds.
    std::uint32_t negative_rounds = 5;
    // Steps of reasoning on recursive candidates, unless LearnOptions::learning says how many. Few: a clause shows its
    // worth when it is applied once to what others derive, and what is wrong is not carried on and on.
    std::uint32_t cyclic_steps = 3;
    SearchBounds bounds;
};

struct WeightOptions {
    std::uint32_t epochs = 50;
    std::uint32_t batch = 64;
    OptimiserOptions optimiser;
    std::uint32_t patience = 10;     // epochs without a better loss on validation before learning stops
    std::uint32_t restarts = 1;      // further starts, as long as the program that is read off is not right
    std::uint32_t cyclic_steps = 5;  // see SearchOptions
    double initial_spread = 1;       // logits start uniformly between 0 and this
    double loss_floor = 1e-4;        // ε: the loss is the cross-entropy of ε + (1 − 2ε)·p
};

struct LearnOptions {
    std::uint64_t seed = 1;
    SearchOptions search;
    WeightOptions weights;
    std::optional<std::uint32_t> program_size;  // replaces the number of clauses of `learn`
    bool simplify = true;                       // drop clauses and goals that make no difference
    ReasonOptions learning;                     // how the graph is run while clauses are searched and weighed
    ReasonOptions reasoning;                    // … and when a program is judged

    LearnOptions() { learning.semantics = Semantics::NoisyOr; }
};

}  // namespace neumann
