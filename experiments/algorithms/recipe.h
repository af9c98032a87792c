// What tells the published learning algorithms apart, each as a recipe: the same steps with other ingredients.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/reasoner_equations.h"
#include "learn/task/options.h"

namespace neumann {

// How candidates come about.
enum class ClauseSource : std::uint8_t {
    SampleThenRefine,  // Algorithm 3: score, sample with replacement, refine what was sampled
    RefineThenSample,  // the public code: sample, refine, score; never a score twice
    Beam,              // from each start: refine, score each by itself, keep the best
    Templates,         // all clauses of at most two goals
};

enum class ClauseScore : std::uint8_t {
    Gradient,  // −∂L/∂w of all candidates at once, positives and a growing share of negatives
    GradientOfPositives,
    Loss,               // −L of each candidate by itself, on the same labels as Gradient
    LossOfPositives,    // ∂ILP-ST
    ValuesOfPositives,  // αILP: their sum
    None,
};

struct PublishedRecipe {
    PublishedReasoner reasoner = PublishedReasoner::Neumann;
    ClauseSource source = ClauseSource::SampleThenRefine;
    ClauseScore score = ClauseScore::Gradient;
    double beta = 1;                // what mean gradients are multiplied by
    double uniform_weight = 0.5;    // of all candidates while gradients score them; the text does not say which
    double alike_within = 0;        // beam: of scores that differ by less, only the first stays
    std::size_t most_examples = 0;  // beam: positives that scores are about, of the validation set; 0: all of training
    std::size_t most_clauses = 0;   // beam: that are refined from one start; 0: no limit
    bool leaves_out_idle = false;   // beam: a clause with a variable that only one goal has is refined, not weighed
    bool composes = true;           // one weight per clause from all slots; else the reasoner has slots
    bool gradients_add_up = false;  // they are never set back to 0 between steps of the optimiser
};

PublishedRecipe recipe_of(const LearnerOptions& options);

}  // namespace neumann
