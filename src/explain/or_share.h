// Share of one conjunction in an atom's OR.
#pragma once

#include <cstdint>

#include "explain/run_view.h"

namespace neumann {

// The derivative of the head's final value by the conjunction's, as docs/semantics.md has it, at the final values;
// under `paper`, which remembers earlier steps, as if the last step were the only one.
double or_share(const RunView& run, std::uint32_t conjunction);

}  // namespace neumann
