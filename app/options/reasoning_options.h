// The options that say how values are computed, for every command that reasons.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <neumann/reasoner.h>
#include <neumann/semantics.h>

#include "options/program_options.h"

namespace neumann::app {

std::vector<std::string> semantics_names(bool for_learning);  // of all, or of those that something is learned with

struct ReasoningOptions {
    std::string semantics{default_semantics_name};
    double gamma = default_gamma;
    std::string steps = "auto";
    std::string kernel;

    void add_to(CLI::App& command);

    // Unless it is said, that of ProbLog's programs is exact: their probabilities mean nothing else.
    void settle_semantics(const std::filesystem::path& program);
    // Throws UsageError. May change how the program is grounded: some semantics give values to what cannot be derived.
    ReasonerOptions resolve(const std::filesystem::path& program, GroundingOptions& grounding) const;

    // "softor semantics, gamma 0.01"; once it has been resolved.
    std::string description() const;

private:
    const CLI::Option* semantics_option_ = nullptr;
};

}  // namespace neumann::app
