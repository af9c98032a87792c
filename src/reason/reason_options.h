// How a graph is reasoned with: semantics, steps, and what may be used for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <neumann/progress.h>

#include "reason/semantics.h"

namespace neumann {

struct ReasonOptions {
    std::string engine = "tile";  // where no one is named: reason/engines.h has them
    Semantics semantics = default_semantics();
    double gamma = default_gamma;
    std::optional<std::uint32_t> steps;  // absent: automatic
    unsigned threads = 1;
    // Tile engine: edges of all tiles and steps below which starting threads takes longer than it saves.
    std::size_t parallel_from = std::size_t{1} << 19;
    std::string kernel;  // tile engine; empty: the fastest this machine has
    // For what is kept between a forward and a backward pass. With less, more is computed again.
    std::uint64_t memory_budget = std::uint64_t{1} << 30;
    // For the graph and a pass: what needs more is refused before it is allocated. 0: no limit, but for the tensor
    // engine most of what the machine has.
    std::uint64_t memory_limit = 0;
    ProgressFunction progress = {};  // tile engine: told now and then how far the steps of a pass have come
};

}  // namespace neumann
