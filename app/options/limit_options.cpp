#include "options/limit_options.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <neumann/limited_run.h>

#include "cli/files.h"
#include "cli/text.h"
#include "command.h"
#include "options/program_options.h"

namespace neumann::app {
namespace {

// Of a server each request has limits of its own; the other one has nothing to do.
constexpr std::array<std::string_view, 2> without = {"page", "completion"};

constexpr double time_for_results = 10;  // for writing the best result, a checkpoint, a report

std::optional<LimitedRun>& limits() {
    static std::optional<LimitedRun> all;
    return all;
}

template <class Value, class Read>
Value limit_in(const CLI::App& command, const char* name, Value otherwise, Read&& read) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    return option == nullptr || option->count() == 0 ? otherwise : read(option->results().back());
}

// From the thread that watches: the command's own is in the middle of something, and may hold any lock.
[[noreturn]] void end_run(const RunLimitOptions& options, LimitKind kind) {
    remove_unfinished_files();
    if (::ftrylockfile(stdout) == 0) std::fflush(stdout);  // what has been printed is good
    const std::string text = limit_text(kind, options) + "\n";
    (void)!::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(exit_bad_input);
}

}  // namespace

void add_limits(CLI::App& app) {
    for (CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) add_limits(*command);
    const bool leaf = app.get_subcommands([](const CLI::App*) { return true; }).empty();
    for (const std::string_view name : without)
        if (!leaf || app.get_name() == name) return;
    if (app.get_option_no_throw("--time-limit") == nullptr) {
        static const std::string text = "end after this time; default: none";
        app.add_option("--time-limit", text)->type_name("SECONDS")->check(CLI::Range(0.0, 1e9).description(""));
    }
    if (app.get_option_no_throw("--memory-limit") == nullptr) {
        static std::uint64_t read_later = 0;
        add_memory_limit(app, read_later,
                         "end before using more memory than this (512M, 4G); default: four fifths of the free memory");
    }
}

void begin_limits(const CLI::App& command) {
    if (!command.get_subcommands().empty()) return begin_limits(*command.get_subcommands().front());
    for (const std::string_view name : without)
        if (command.get_name() == name) return;
    RunLimitOptions options;
    options.seconds = limit_in(command, "--time-limit", 0.0, [](const std::string& text) { return std::stod(text); });
    options.bytes = limit_in(command, "--memory-limit", std::uint64_t{0},
                             [](const std::string& text) { return parse_bytes(text).value_or(0); });
    if (options.bytes == 0) options.bytes = default_memory_limit();
    const RunLimitOptions plain = options;
    options.overrun = [plain](LimitKind kind) { end_run(plain, kind); };
    limits().emplace(std::move(options));
}

void end_limits() { limits().reset(); }

void leave_time_to_work() {
    if (limits()) limits()->leave_time_to_work(time_for_results);
}

}  // namespace neumann::app
