// Program evaluator: the values that a whole program gives to the labelled atoms of any set of examples.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <neumann/examples.h>

#include "base/diagnostics.h"
#include "ground/ground.h"
#include "learn/task/examples.h"
#include "logic/program.h"
#include "reason/reason_options.h"

namespace neumann {

// The values of all targets of a set, in order, and their labels.
struct LabelledValues {
    std::vector<float> values;
    std::vector<bool> positive;

    BinaryScore counts(double threshold) const;
    double accuracy(double threshold) const { return counts(threshold).accuracy(); }
    // The threshold that gets the most targets right: one half if that is as good as any, else halfway between two
    // values.
    double best_threshold() const;
};

// Of a set's targets, from values by number of the pool.
LabelledValues values_of(const ExampleSet& set, std::span<const float> by_atom);

// A program is grounded once for all sets together, and stays until another one is asked for.
class ProgramEvaluator {
public:
    // All borrowed but the options; `sets` may be empty ones. Clauses of `program` from now on are learned ones.
    ProgramEvaluator(const Program& program, const AtomPool& pool, std::vector<const ExampleSet*> sets,
                     const ReasonOptions& reasoning, const GroundOptions& grounding);

    // One for each set. The program has the clauses that it was made with, and learned ones after them; learned
    // predicates without clauses are false. Throws GroundingLimit.
    std::span<const LabelledValues> evaluate(const Program& program, Diagnostics& diagnostics);

private:
    std::string learned(const Program& program) const;

    std::size_t background_;  // clauses
    const AtomPool& pool_;
    std::vector<const ExampleSet*> sets_;
    ReasonOptions reasoning_;
    GroundOptions grounding_;
    std::string evaluated_;  // the learned clauses of the last program
    std::vector<LabelledValues> values_;
};

}  // namespace neumann
