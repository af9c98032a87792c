// Conversion of diagnostics to the type of the public headers.
#pragma once

#include <string>
#include <vector>

#include <neumann/model.h>

#include "base/diagnostics.h"
#include "syntax/load.h"

namespace neumann {

std::vector<Problem> problems_of(const Diagnostics& diagnostics, const SourceSet& sources);

// Empty, or ended by a line break.
std::string rendered(const Diagnostics& diagnostics, const SourceSet& sources, const ModelOptions& options);

std::string without_last_break(std::string text);

Error error_of(const Diagnostics& diagnostics, const SourceSet& sources, const ModelOptions& options);

// Without the warnings that are not wanted. Throws std::invalid_argument for one that does not exist.
Diagnostics make_diagnostics(const ModelOptions& options);

LoadOptions load_options(const ModelOptions& options);

}  // namespace neumann
