// Options that the commands of learning share: examples, output, limits and how the program is read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <neumann/learn.h>

#include "options/program_options.h"

namespace neumann::app {

// Sections of their help.
inline constexpr const char* learn_from_group = "What to learn from";
inline constexpr const char* bias_group = "Bias: what clauses may be made of";
inline constexpr const char* limits_group = "Limits";
inline constexpr const char* output_group = "Output";
inline constexpr const char* reasoning_group = "Reasoning";

struct LearnSettings {
    LearningTask task;
    LearnOptions options;
    ReadingOptions reading;
    GroundingLimits limits;
    std::string output;
    bool json = false;
    bool quiet = false;

    void add_task(CLI::App& app, LearnGoal goal, const char* program, const char* train, const char* seed);
    void add_output(CLI::App& app, const char* output_help);
    // Into `task` and `options`. Throws UsageError, and FileError for outputs that cannot be written.
    void read();

    const CLI::App* command = nullptr;
};

// Gradient descent of weights and probabilities.
struct DescentOptions {
    std::string optimiser = "adam";
    const CLI::Option* rate = nullptr;
    const CLI::Option* optimiser_option = nullptr;

    void add_to(CLI::App& command, ParameterSearch& search);
    void put_into(ParameterSearch& search) const;
};

template <class Value, class Bound>
CLI::Option* add_number(CLI::App& command, const char* group, const char* name, Value& value, const char* help,
                        Bound least, Bound most) {
    return command.add_option(name, value, help)
        ->type_name("N")
        ->check(CLI::Range(least, most).description(""))
        ->capture_default_str()
        ->group(group);
}

// Throws UsageError for --OPTION that was given and has no effect with `with`.
void refuse_with(const CLI::App& command, const std::string& with, const std::vector<const char*>& options);

}  // namespace neumann::app
