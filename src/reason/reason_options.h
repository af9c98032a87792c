// How a graph is reasoned with: semantics, steps, and what may be used for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reason/semantics.h"

namespace neumann {

struct ReasonOptions {
    Semantics semantics = default_semantics();
    double gamma = default_gamma;
    std::optional<std::uint32_t> steps;  // absent: automatic
    unsigned threads = 1;
    std::string kernel;  // tile engine; empty: the fastest this machine has
    // For what is kept between a forward and a backward pass. With less, more is computed again.
    std::uint64_t memory_budget = std::uint64_t{1} << 30;
    // For everything, where an engine can say beforehand that it needs more; 0: most of what the machine has.
    std::uint64_t memory_limit = 0;
};

}  // namespace neumann
