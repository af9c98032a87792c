#include "options/seed_option.h"

#include <charconv>
#include <limits>
#include <system_error>

#include <fmt/format.h>

namespace neumann::app {

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& about) {
    const auto problem = [](const std::string& text) -> std::string {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size()) return {};
        return fmt::format("'{}' is no seed: expected a whole number from 0 to {}", text,
                           std::numeric_limits<std::uint64_t>::max());
    };
    command.add_option("--seed", seed, about)
        ->type_name("S")
        ->default_str(fmt::format("{}", seed))
        ->check(CLI::Validator(problem, ""));
}

}  // namespace neumann::app
