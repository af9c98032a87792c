// What is asked of a compiled program: from the texts of options to atoms of the graph.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "options/program_options.h"
#include "runtime/atom_names.h"

namespace neumann::app {

// Prints what is wrong with them and throws CommandFailed; UsageError for a saved graph that was pruned for others.
std::vector<AtomNames::QueryAtoms> asked_queries(const std::vector<std::string>& texts, const char* option,
                                                 AtomNames& names, const CompiledProgram& compiled,
                                                 const std::filesystem::path& path, const ReadingOptions& reading);

}  // namespace neumann::app
