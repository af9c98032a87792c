// The file format of compiled programs (.nmg): saving and loading.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "ground/compiled_program.h"

namespace neumann {

void save_compiled(const CompiledProgram& compiled, const GraphLevels& levels,
                   const std::filesystem::path& path);  // throws FileError

// The arrays of the graph stay in the file. Throws FileError, or DamagedFile for anything that is not as save_compiled
// writes it.
LoadedProgram load_compiled(const std::filesystem::path& path);
LoadedProgram load_compiled(std::span<const std::byte> file, std::shared_ptr<const void> owner);

}  // namespace neumann
