#include "options/program_options.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include <neumann/check.h>

#include "cli/text.h"
#include "command.h"
#include "options/threads_option.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

namespace fs = std::filesystem;

std::string check_bytes(std::string& text) {
    const std::optional<std::uint64_t> bytes = parse_bytes(text);
    if (!bytes) return fmt::format("'{}' is no size; write 512M, 4G or a number of bytes", text);
    return *bytes == 0 ? fmt::format("'{}' leaves no memory; leave it out for no limit of your own", text)
                       : std::string();
}

// A whole number within bounds, without CLI11's own description of them in the help.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool good =
                error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
            return good ? std::string()
                        : fmt::format("expected a whole number from {} to {}, not '{}'", least, most, text);
        },
        "");
}

void refuse_given(const std::vector<const CLI::Option*>& options, const fs::path& path, std::string_view why) {
    for (const CLI::Option* option : options) {
        if (option->count() > 0)
            throw UsageError(fmt::format("{} does not apply to {}: {}", option->get_name(), path.string(), why));
    }
}

}  // namespace

std::optional<std::uint32_t> parse_steps(const std::string& text) {
    if (text == "auto") return std::nullopt;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::uint32_t most = 10'000'000;
    if (error != std::errc() || end != text.data() + text.size() || value > most)
        throw UsageError(fmt::format("--steps: expected a number of steps up to {}, or auto, not '{}'", most, text));
    return value;
}

void ReadingOptions::add_to(CLI::App& command) {
    const std::string folders = "Folders of the original";
    for_folders_.push_back(
        command.add_option("--clauses", clauses_file, "the file of the folder that holds the clauses")
            ->type_name("FILE")
            ->default_str("clauses.txt")
            ->group(folders));
    for_folders_.push_back(
        command
            .add_option("--modes", modes_file,
                        "add the directives of this file; with learning directives, the search starts at the clauses")
            ->type_name("FILE")
            ->group(folders));
    for_texts_.push_back(
        command
            .add_option("--term-depth", term_depth,
                        "depth of nested functors in a term; replaces the program's own bounds (folders: 3)")
            ->type_name("N")
            ->check(whole_number(0, 1'000'000)));
    for_texts_.push_back(
        command
            .add_option_function<std::string>(
                "--repeats", [this](const std::string& value) { allow_repeats = value == "allow"; },
                "whether lists may hold an element twice; replaces the program's own (folders: forbid)")
            ->check(CLI::IsMember({"allow", "forbid"})));
    for_texts_.push_back(command
                             .add_option("--distinct", distinct,
                                         "predicates whose arguments must all differ; replaces the program's own")
                             ->type_name("none|all|P,..."));
    for_texts_.push_back(command
                             .add_option("--table", tables,
                                         "also read facts from a table, as :- facts(…) does: \"edge/2, 'edges.csv'\"; "
                                         "repeatable")
                             ->type_name("TABLE")
                             ->allow_extra_args(false));
    command.add_option("--no-warn", no_warn, "switch off a warning by its name, or all; repeatable")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--max-errors", max_errors, "most errors to print; 0 for all")
        ->type_name("N")
        ->check(whole_number(0, 1'000'000'000))
        ->default_str("20");
}

void ReadingOptions::require_fitting(const fs::path& path) const {
    std::error_code error;
    const bool saved = Model::is_saved(path);
    if (saved) refuse_given(for_texts_, path, "a saved graph is read and grounded already");
    if (saved || !fs::is_directory(path, error))
        refuse_given(for_folders_, path, "it is about folders of the original, and this is none");
}

void ReadingOptions::require_warnings() const {
    std::vector<std::string> known = warning_codes();
    known.insert(known.begin(), "all");
    for (const std::string& name : no_warn) {
        if (std::ranges::find(known, name) == known.end())
            throw UsageError(
                fmt::format("--no-warn: there is no warning called '{}'; {}", name, did_you_mean_or_list(name, known)));
    }
}

void ReadingOptions::put_into(ModelOptions& options) const {
    require_warnings();
    options.clauses_file = clauses_file;
    options.modes_file = modes_file;
    options.term_depth = term_depth;
    options.allow_repeats = allow_repeats;
    options.distinct = distinct;
    options.tables = tables;
    options.no_warnings = no_warn;
    options.max_errors = max_errors;
    options.colours = isatty(STDERR_FILENO) == 1;
}

CLI::Option* add_memory_limit(CLI::App& command, std::uint64_t& bytes, const std::string& what) {
    return command
        .add_option_function<std::string>(
            "--memory-limit", [&bytes](const std::string& text) { bytes = *parse_bytes(text); }, what)
        ->type_name("SIZE")
        ->check(CLI::Validator(check_bytes, ""));
}

std::vector<const CLI::Option*> GroundingLimits::add_to(CLI::App& command) {
    const CLI::Option* const memory =
        add_memory_limit(command, memory_limit,
                         "stop before using more memory than this (512M, 4G); default: four fifths of the free memory");
    const CLI::Option* const numbers =
        command
            .add_option("--max-numbers", most_new_numbers,
                        "most new numbers from arithmetic and aggregates, beyond the program's own")
            ->type_name("N")
            ->check(whole_number(0, 1'000'000'000))
            ->capture_default_str();
    return {memory, numbers};
}

void GroundingLimits::put_into(ModelOptions& options) const {
    options.memory_limit = memory_limit;
    options.most_new_numbers = most_new_numbers;
}

void GroundingOptions::add_to(CLI::App& command, bool ask_saved_graphs) {
    const std::map<std::string, Grounding> modes = {{"full", Grounding::Full}, {"relevant", Grounding::Relevant}};
    const std::map<std::string, Facts> fates = {{"keep", Facts::Keep}, {"evaluate", Facts::Evaluate}};
    mode_option_ =
        command
            .add_option_function<std::string>(
                "--mode", [this, modes](const std::string& name) { mode = modes.at(name); },
                "full: every typed atom and substitution; relevant: atoms that facts and neural predicates reach and queries need")
            ->check(CLI::IsMember({"full", "relevant"}))
            ->default_str("relevant");
    given_.push_back(mode_option_);
    given_.push_back(command
                         .add_option_function<std::string>(
                             "--facts", [this, fates](const std::string& name) { facts = fates.at(name); },
                             "keep facts in the graph, or evaluate away atoms that are 1 for all weights and inputs")
                         ->check(CLI::IsMember({"keep", "evaluate"}))
                         ->default_str("keep"));
    given_.push_back(command
                         .add_option_function<std::string>(
                             "--demand", [this](const std::string& text) { demand = text == "on"; },
                             "ground only the atoms that queries with known arguments reach; the answers are the same")
                         ->check(CLI::IsMember({"on", "off"}))
                         ->default_str("on"));
    const CLI::Option* query =
        command
            .add_option(
                "--query", queries,
                "atom, or goals such as \"p(X), X > 3\", to query; replaces the program's own queries; repeatable")
            ->type_name("ATOM")
            ->allow_extra_args(false);
    if (!ask_saved_graphs) given_.push_back(query);
    for (const CLI::Option* limit : limits.add_to(command)) given_.push_back(limit);
    add_threads_option(command, threads);
}

void GroundingOptions::put_into(ModelOptions& options) const {
    options.queries = queries;
    options.queries_from = queries_from;
    options.inputs = inputs;
    options.grounding = mode;
    options.facts = facts;
    options.demand = demand;
    limits.put_into(options);
    options.threads = threads;
}

void GroundingOptions::require_fitting(const fs::path& path) const {
    if (Model::is_saved(path)) refuse_given(given_, path, "a saved graph is grounded already");
}

Model open_model(const fs::path& path, const ReadingOptions& reading, const GroundingOptions& grounding) {
    ModelOptions options;
    reading.put_into(options);
    grounding.put_into(options);
    reading.require_fitting(path);
    grounding.require_fitting(path);
    ProgressMeter meter;
    options.progress = meter.function();
    try {
        Model model = Model::open(path, options);
        meter.finish();
        if (!model.warnings().empty()) fmt::print(stderr, "{}\n", model.warnings());
        return model;
    } catch (...) {
        meter.finish();
        throw;
    }
}

}  // namespace neumann::app
