#include "print/progress_meter.h"

#include <unistd.h>

#include <fmt/format.h>

#include "cli/text.h"

namespace neumann::app {
namespace {

using namespace std::chrono_literals;
constexpr auto quiet_time = 2s;

}  // namespace

void ProgressMeter::update(std::string_view doing, std::uint64_t done, std::uint64_t total) {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (now - start_ < quiet_time || (on_screen_ && now - shown_ < terminal_interval)) return;
    const bool terminal = isatty(STDERR_FILENO) == 1;
    if (on_screen_ && !terminal && now - shown_ < log_interval) return;
    shown_ = now;
    on_screen_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const std::string amount = total > 0  ? fmt::format(" {}/{}", with_separators(done), with_separators(total))
                               : done > 0 ? " " + with_separators(done)
                                          : "";
    fmt::print(stderr, "{}{}{} … {:.0f} s{}", terminal ? "\r\033[K" : "", doing, amount, seconds, terminal ? "" : "\n");
    std::fflush(stderr);
}

void ProgressMeter::finish() {
    const std::lock_guard lock(mutex_);
    if (on_screen_ && isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\033[K");
    on_screen_ = false;
}

}  // namespace neumann::app
