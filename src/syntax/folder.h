// Folder format of the original: one file per kind of declaration.
#pragma once

#include <filesystem>

#include "syntax/load.h"

namespace neumann::syntax {

void load_folder(const std::filesystem::path& folder, const LoadOptions& options, Program& program,
                 Diagnostics& diagnostics);

}  // namespace neumann::syntax
