// One example of a forward pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reason/graph_reasoner.h"

namespace neumann {

struct RunView {
    const GraphReasoner& reasoner;
    const ForwardPass& run;
    std::size_t example = 0;

    double value(std::uint32_t atom) const { return static_cast<double>(run.value(atom, example)); }
    double initial(std::uint32_t atom) const { return static_cast<double>(run.initial(atom, example)); }

    // Of all atoms, side by side: in the pass they stand between those of other examples.
    std::vector<float> values() const {
        std::vector<float> result(reasoner.graph().atom_count());
        for (std::uint32_t a = 0; a < result.size(); ++a) result[a] = run.value(a, example);
        return result;
    }
    std::vector<float> initials() const {
        std::vector<float> result(reasoner.graph().atom_count());
        for (std::uint32_t a = 0; a < result.size(); ++a) result[a] = run.initial(a, example);
        return result;
    }
};

}  // namespace neumann
