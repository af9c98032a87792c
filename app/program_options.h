// The options that every command about a program takes, and the way from them to a program or a compiled one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/diagnostics.h"
#include "ground/saved.h"
#include "syntax/load.h"

namespace neumann::app {

// How a program is read and what is said about it.
struct ReadingOptions {
    LoadOptions load;
    std::vector<std::string> no_warn;
    std::size_t max_errors = 20;

    void add_to(CLI::App& command);
    Diagnostics make_diagnostics() const;
    // Prints to standard error.
    void show(const Diagnostics& diagnostics, const SourceSet& sources) const;
};

// How it is grounded.
struct GroundingOptions {
    GroundOptions ground;
    std::vector<std::string> queries;

    void add_to(CLI::App& command);

private:
    friend LoadedProgram compile_program(const std::filesystem::path&, const ReadingOptions&, const GroundingOptions&, bool);
    std::vector<const CLI::Option*> given_;  // those that make no sense for a graph that is grounded already
};

// From a file, a folder or a saved graph. Prints what is wrong and throws CommandFailed.
LoadedProgram compile_program(const std::filesystem::path& path, const ReadingOptions& reading, const GroundingOptions& grounding,
                              bool with_levels);

}  // namespace neumann::app
