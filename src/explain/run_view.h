// View of one example of a forward pass.
#pragma once

#include <cstdint>
#include <span>

#include "reason/reasoner.h"

namespace neumann {

struct RunView {
    const GraphReasoner& reasoner;
    std::span<const double> weights;  // per clause
    std::span<const float> values;    // per atom
    std::span<const float> initials;  // per atom

    double value(std::uint32_t atom) const { return static_cast<double>(values[atom]); }
    double initial(std::uint32_t atom) const { return static_cast<double>(initials[atom]); }
};

}  // namespace neumann
