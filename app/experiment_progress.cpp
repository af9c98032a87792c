#include "experiment_progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "draw/terminal_text.h"
#include "experiment_numbers.h"

namespace neumann::app {
namespace {

constexpr std::size_t status_columns = 110;

}  // namespace

ExperimentProgress::ExperimentProgress(std::string experiment, std::vector<std::string> steps, bool quiet)
    : experiment_(std::move(experiment)), steps_(std::move(steps)), quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0), done_(steps_.size()) {}

ExperimentProgress::~ExperimentProgress() { clear(); }

void ExperimentProgress::clear() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
    shown_ = false;
}

void ExperimentProgress::begins(std::size_t step, const std::string& values) {
    current_ = step;
    values_ = values;
    waits(0);
}

// Each step that is left is expected to take as long as those of its name have on average.
std::string ExperimentProgress::remaining(double seconds_so_far) const {
    double seconds = 0;
    bool all_known = true;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (done_[i]) continue;
        const auto found = times_.find(steps_[i]);
        if (found == times_.end()) {
            all_known = false;
            continue;
        }
        const double mean = found->second.seconds / static_cast<double>(found->second.count);
        seconds += i == current_ ? std::max(mean - seconds_so_far, 0.0) : mean;
    }
    if (seconds < 1) return {};
    return fmt::format(", {} {} left", all_known ? "about" : "more than", format_duration(seconds));
}

void ExperimentProgress::waits(double seconds) {
    if (!terminal_ || quiet_) return;
    const std::string text =
        fmt::format("{}: step {} of {}: {}{}{} … {}{}", experiment_, current_ + 1, steps_.size(), steps_[current_],
                    values_.empty() ? "" : ", ", values_, format_duration(seconds), remaining(seconds));
    fmt::print(stderr, "\r\x1b[K{}", cut_to(one_line(text), status_columns));
    std::fflush(stderr);
    shown_ = true;
}

void ExperimentProgress::took(std::size_t step, double seconds) {
    done_[step] = true;
    Times& times = times_[steps_[step]];
    times.seconds += seconds;
    ++times.count;
}

void ExperimentProgress::ends(const std::string& how) {
    if (quiet_) return;
    clear();
    fmt::print(stderr, "{}: step {} of {}: {}{}{}: {}{}\n", experiment_, current_ + 1, steps_.size(), steps_[current_],
               values_.empty() ? "" : ", ", values_, how, remaining(0));
}

}  // namespace neumann::app
