// compile() for a text in memory instead of a file.
#pragma once

#include <string>

#include "model/compile.h"

namespace neumann {

bool compile_text(std::string name, std::string text, const CompileOptions& options, Diagnostics& diagnostics,
                  LoadedProgram& result);

}  // namespace neumann
