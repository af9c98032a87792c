// Options of every command about a program, and the way from them to a program or a compiled one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <neumann/model.h>

namespace neumann::app {

// Options of reading a program and of its diagnostics.
struct ReadingOptions {
    std::string clauses_file = ModelOptions().clauses_file;
    std::string modes_file;
    std::optional<std::uint32_t> term_depth;
    std::optional<bool> allow_repeats;
    std::optional<std::string> distinct;
    std::vector<std::string> tables;
    std::vector<std::string> no_warn;
    std::size_t max_errors = 20;

    void add_to(CLI::App& command);
    // Throws UsageError for options without effect on this kind of program.
    void require_fitting(const std::filesystem::path& path) const;
    void put_into(ModelOptions& options) const;  // throws UsageError

private:
    void require_warnings() const;

    std::vector<const CLI::Option*> for_folders_;
    std::vector<const CLI::Option*> for_texts_;  // files and folders, but not saved graphs
};

// Where grounding stops: the options --memory-limit and --max-numbers.
struct GroundingLimits {
    std::uint64_t memory_limit = 0;
    std::uint64_t most_new_numbers = ModelOptions().most_new_numbers;

    std::vector<const CLI::Option*> add_to(CLI::App& command);
    void put_into(ModelOptions& options) const;
};

// How it is grounded.
struct GroundingOptions {
    Grounding mode = Grounding::Relevant;
    bool demand = true;
    Facts facts = Facts::Keep;
    GroundingLimits limits;
    unsigned threads = 0;  // as many as the machine has
    std::vector<std::string> queries;
    std::string queries_from = "--query";  // the option that gave them
    std::vector<std::string> inputs;       // predicates that get values from examples, beside neural ones

    // With `ask_saved_graphs`, queries may also be asked of a graph that is grounded already.
    void add_to(CLI::App& command, bool ask_saved_graphs = false);
    bool mode_given() const { return mode_option_->count() > 0; }
    void put_into(ModelOptions& options) const;
    // Throws UsageError for options without effect on a graph that is grounded already.
    void require_fitting(const std::filesystem::path& path) const;

private:
    std::vector<const CLI::Option*> given_;  // options without effect on a graph that is grounded already
    CLI::Option* mode_option_ = nullptr;
};

// --memory-limit SIZE; `what` is its help text.
CLI::Option* add_memory_limit(CLI::App& command, std::uint64_t& bytes, const std::string& what);

std::optional<std::uint32_t> parse_steps(const std::string& text);  // "auto": none; throws UsageError

// From a file, a folder or a saved graph. Prints warnings; throws UsageError, Error.
Model open_model(const std::filesystem::path& path, const ReadingOptions& reading, const GroundingOptions& grounding);

}  // namespace neumann::app
