// Conversion of the public reasoner's options to those of the engines.
#pragma once

#include <neumann/reasoner.h>

#include "reason/reason_options.h"

namespace neumann {

// Throws std::invalid_argument for a semantics that does not exist.
ReasonOptions reason_options(const ReasonerOptions& options);

}  // namespace neumann
