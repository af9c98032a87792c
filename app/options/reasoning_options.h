// The options that say how values are computed, for every command that reasons.
#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include "options/program_options.h"
#include "reason/reason_options.h"

namespace neumann::app {

struct ReasoningOptions {
    std::string semantics{default_semantics_name};
    double gamma = default_gamma;
    std::string steps = "auto";
    std::string kernel;

    void add_to(CLI::App& command);

    // Throws UsageError. May change how the program is grounded: some semantics give values to what cannot be derived.
    ReasonOptions resolve(const std::filesystem::path& program, GroundingOptions& grounding) const;

    // "softor semantics, gamma 0.01"; once it has been resolved.
    std::string description() const;
};

}  // namespace neumann::app
