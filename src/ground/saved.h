// File format of compiled programs (.nmg): saving and loading.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "graph/section_file.h"
#include "ground/compiled_program.h"

namespace neumann {

// `add_more` adds sections of later stages, which `read_more` finds again. Throws FileError.
void save_compiled(const CompiledProgram& compiled, const GraphLevels& levels, const std::filesystem::path& path,
                   const std::function<void(SectionWriter&)>& add_more = {});
using ReadMore = std::function<void(const SectionReader&, const CompiledProgram&)>;

// The arrays of the graph stay in the file. Throws FileError, or DamagedFile for anything that is not as save_compiled
// writes it.
LoadedProgram load_compiled(const std::filesystem::path& path, const ReadMore& read_more = {});
LoadedProgram load_compiled(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                            const ReadMore& read_more = {});

}  // namespace neumann
