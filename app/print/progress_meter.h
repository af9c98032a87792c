// Shows progress on standard error once something has taken longer than two seconds.
#pragma once

#include <chrono>
#include <mutex>

#include "base/progress.h"

namespace neumann::app {

class ProgressMeter : public Progress {
public:
    ProgressMeter() = default;
    ~ProgressMeter() override { finish(); }
    ProgressMeter(const ProgressMeter&) = delete;
    ProgressMeter& operator=(const ProgressMeter&) = delete;

    void update(std::string_view doing, std::uint64_t done, std::uint64_t total) override;
    void finish();  // clears the line

private:
    using Clock = std::chrono::steady_clock;
    std::mutex mutex_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_ = start_;
    bool on_screen_ = false;
};

}  // namespace neumann::app
