// Rules for output files, the same for all commands: no output is an input, no two outputs are one file, and unwritable
// outputs are reported before any work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace neumann::app {

struct NamedPath {
    std::string option;  // how the user named it: --out, PROGRAM
    std::filesystem::path path;
};

struct OutputFiles {
    std::vector<NamedPath> files;
    std::vector<NamedPath> folders;  // made where there is none
    std::vector<NamedPath> inputs;   // files and folders
};

// The input and output files in the options of a parsed command, including default outputs beside others.
OutputFiles output_files(const CLI::App& command);

// Throws UsageError. Files that are the same through links count as the same.
void require_safe_outputs(const OutputFiles& all);

// Throws UsageError for the name of a drawing that does not end in .svg.
void require_svg_name(const std::filesystem::path& path);

}  // namespace neumann::app
