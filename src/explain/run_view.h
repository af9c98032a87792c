// One example of a forward pass.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reason/graph_reasoner.h"

namespace neumann {

struct RunView {
    const GraphReasoner& reasoner;
    const ForwardPass& run;
    std::size_t example = 0;

    double value(std::uint32_t atom) const { return static_cast<double>(run.value(atom, example)); }
    double initial(std::uint32_t atom) const { return static_cast<double>(run.initial(atom, example)); }
};

}  // namespace neumann
