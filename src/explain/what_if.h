// Counterfactual evaluation: the explained value under changed inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <neumann/explanation.h>

#include "explain/near_misses.h"
#include "explain/run_view.h"
#include "ground/compiled_program.h"
#include "reason/reasoner.h"

namespace neumann {

// Collects such examples and runs them together.
class WhatIf {
public:
    // Borrows all; `inputs` are those of the given example, `initial` all its initial values.
    WhatIf(const CompiledProgram& compiled, std::span<const AtomValue> inputs, std::span<const float> initial,
           std::uint32_t atom)
        : compiled_(compiled), inputs_(inputs), initial_(initial), atom_(atom) {}

    struct Change {
        std::uint32_t atom;
        double value;
    };
    // Returns its number. A more probable value lowers its alternatives: no object turns red and stays blue.
    std::size_t add(std::span<const Change> changes);
    std::size_t add(Change change) { return add(std::span(&change, 1)); }

    // All that were added since the last time.
    void run(const GraphReasoner& reasoner, std::span<const double> weights);
    double value(std::size_t number) const { return values_[number]; }
    double initial(std::uint32_t atom) const { return static_cast<double>(initial_[atom]); }

private:
    const CompiledProgram& compiled_;
    std::span<const AtomValue> inputs_;
    std::span<const float> initial_;
    std::uint32_t atom_;
    InputBatch::Builder added_;
    std::vector<double> values_;
};

// The value after repairing the failures of near misses, all of one and one by one; and the least sufficient change of
// the first. `misses` are those that `why_not` reports.
void try_repairs(WhatIf& what_if, const RunView& run, const PositiveGraph& positive, std::span<const Miss> misses,
                 const Explanation& explanation, WhyNot& why_not);

}  // namespace neumann
