// Explanation under construction: the run that it is about, and its parts so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <neumann/explanation.h>
#include <neumann/types.h>

#include "explain/explainer.h"
#include "explain/run_view.h"

namespace neumann {

struct Explainer::Found {
    Explanation& explanation;
    std::size_t example;
    std::uint32_t atom;
    RunView run;
    std::span<float> values;               // of the run, with those of negations behind them
    std::span<const float> initial;        // with the negations behind it, as the values of the run
    std::vector<std::uint32_t> rounds;     // per phase, where they count
    std::vector<AtomValue> given;          // the inputs of the example
    std::vector<std::uint32_t> in_proofs;  // atoms, of all proofs; no negations
    std::vector<std::uint32_t> inputs;     // the atoms of explanation.inputs
    std::vector<double> parts;             // of the proofs, where the value is made of them
};

}  // namespace neumann
