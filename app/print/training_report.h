// Report of training: progress messages, and data for curves.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <neumann/train.h>

#include "cli/train_output.h"
#include "interrupt.h"

namespace neumann::app {

// Before anything is learned: throws FileError for names that cannot be written to, UsageError for curves that are not
// SVG. Empty names are none.
void require_outputs(const std::vector<std::filesystem::path>& files, const std::string& curves);

class TrainingReport : public TrainingListener {
public:
    // A time limit of 0 is none. Quiet: nothing on standard error except the changing line of a terminal.
    TrainingReport(bool quiet, double time_limit);

    void stage(const std::string& text) override;
    void step(std::uint64_t done, std::uint64_t total, double loss) override;
    void measured(std::uint64_t step, const std::vector<std::pair<std::string, double>>& values) override;
    bool stop() override;

    void finish() { clear(); }
    // Loss and accuracy over the steps, as SVG. Throws FileError.
    void draw(const std::string& title, const std::string& path) const;

private:
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    void status(const std::string& text);  // on a terminal: until the next one
    void clear();

    bool quiet_;
    bool terminal_;
    bool shown_ = false;
    double time_limit_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point told_ = begin_;
    Clock::time_point first_step_at_ = begin_;
    Clock::time_point measured_at_ = begin_;
    std::uint64_t first_step_ = 0;
    std::uint64_t measured_step_ = 0;
    double loss_sum_ = 0;
    std::uint64_t loss_count_ = 0;
    std::vector<TrainingMeasurement> measurements_;
    std::optional<InterruptGuard> guard_;  // from the first step on: before it there is nothing to keep
};

}  // namespace neumann::app
