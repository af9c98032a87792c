#include "options/threads_option.h"

#include <charconv>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace neumann::app {

namespace {

constexpr unsigned most_threads = 1024;

}  // namespace

CLI::Option* add_threads_option(CLI::App& command, unsigned& threads) {
    threads = 0;
    return command.add_option("--threads", threads, "threads to use, 0: all cores; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Validator(
            [](std::string& text) {
                unsigned value = 0;
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
                const bool good = error == std::errc() && end == text.data() + text.size() && value <= most_threads;
                return good ? std::string()
                            : fmt::format("expected a whole number from 0 to {}, not '{}'", most_threads, text);
            },
            ""))
        ->default_str("all cores");
}

}  // namespace neumann::app
