// Progress meter on standard error for work of more than two seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

#include <neumann/types.h>

namespace neumann::app {

// How often a line of progress changes: on a terminal, and where lines cannot be overwritten.
inline constexpr std::chrono::milliseconds terminal_interval(100);
inline constexpr std::chrono::seconds log_interval(10);

class ProgressMeter {
public:
    ProgressMeter() = default;
    ~ProgressMeter() { finish(); }
    ProgressMeter(const ProgressMeter&) = delete;
    ProgressMeter& operator=(const ProgressMeter&) = delete;

    void update(std::string_view doing, std::uint64_t done, std::uint64_t total);
    ProgressFunction function() {  // borrows the meter
        return [this](std::string_view doing, std::uint64_t done, std::uint64_t total) { update(doing, done, total); };
    }
    void finish();  // clears the line

private:
    using Clock = std::chrono::steady_clock;
    std::mutex mutex_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_ = start_;
    bool on_screen_ = false;
};

}  // namespace neumann::app
