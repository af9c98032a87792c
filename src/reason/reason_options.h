// Options of reasoning: semantics, steps, and limits of resources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <neumann/types.h>

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
    // For the values kept between a forward and a backward pass. With less, more values are computed again.
    std::uint64_t memory_budget = std::uint64_t{1} << 30;
    // For the graph and a pass: a larger one is refused before its memory is allocated. 0: no limit, but for the tensor
    // engine most of the machine's memory.
    std::uint64_t memory_limit = 0;
    ProgressFunction progress = {};  // tile engine: called now and then with the number of finished steps
};

}  // namespace neumann
