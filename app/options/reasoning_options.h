// Options of the computation of values, for every command that reasons.
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

std::vector<std::string> semantics_names(bool for_learning);  // of all, or of those for learning

struct ReasoningOptions {
    std::string semantics{default_semantics_name};
    double gamma = default_gamma;
    std::string steps = "auto";
    std::string kernel;

    void add_to(CLI::App& command);

    // The default for ProbLog programs is exact: their probabilities have no other meaning.
    void settle_semantics(const std::filesystem::path& program);
    // Throws UsageError. May change the grounding: some semantics give values to underivable atoms.
    ReasonerOptions resolve(const std::filesystem::path& program, GroundingOptions& grounding) const;

    // "softor semantics, gamma 0.01"; once it has been resolved.
    std::string description() const;

private:
    const CLI::Option* semantics_option_ = nullptr;
};

}  // namespace neumann::app
