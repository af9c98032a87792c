#include "print/training_report.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>

#include "cli/files.h"
#include "cli/text.h"
#include "interrupt.h"
#include "options/limit_options.h"
#include "options/output_files.h"

namespace neumann::app {
namespace {

constexpr double seconds_between = 0.2;  // between updates on a terminal

}  // namespace

void require_outputs(const std::vector<std::filesystem::path>& files, const std::string& curves) {
    for (const std::filesystem::path& path : files)
        if (!path.empty()) AtomicFile probe(path);
    if (curves.empty()) return;
    require_svg_name(curves);
    AtomicFile probe(curves);
}

TrainingReport::TrainingReport(bool quiet, double time_limit)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), time_limit_(time_limit) {}

void TrainingReport::status(const std::string& text) {
    if (!terminal_) return;
    const auto now = Clock::now();
    if (shown_ && std::chrono::duration<double>(now - told_).count() < seconds_between) return;
    told_ = now;
    shown_ = true;
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
}

void TrainingReport::clear() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
    shown_ = false;
}

void TrainingReport::stage(const std::string& text) { status(text); }

void TrainingReport::step(std::uint64_t done, std::uint64_t total, double loss) {
    if (!guard_) {
        guard_.emplace();
        leave_time_to_work();
    }
    if (first_step_ == 0) {
        first_step_ = done;
        first_step_at_ = measured_at_ = Clock::now();
        measured_step_ = done;
    }
    if (std::isfinite(loss)) {
        loss_sum_ += loss;
        ++loss_count_;
    }
    const double spent = std::chrono::duration<double>(Clock::now() - first_step_at_).count();
    const auto taken = static_cast<double>(done - first_step_);
    const double left = taken > 0 ? spent / taken * static_cast<double>(total - done) : 0;
    status(fmt::format("step {} of {}, loss {:.4f}, {:.1f} steps/s, {:.0f} s left", done, total, loss,
                       spent > 0 ? taken / spent : 0, left));
}

void TrainingReport::measured(std::uint64_t step, const std::vector<std::pair<std::string, double>>& values) {
    const double loss =
        loss_count_ > 0 ? loss_sum_ / static_cast<double>(loss_count_) : std::numeric_limits<double>::quiet_NaN();
    loss_sum_ = 0;
    loss_count_ = 0;
    measurements_.push_back({step, loss, values});
    clear();
    if (quiet_) return;
    const double spent = std::chrono::duration<double>(Clock::now() - measured_at_).count();
    std::string text = fmt::format("step {:>6}  {:>5.0f} s", step, seconds());
    if (std::isfinite(loss))
        text += fmt::format("  {:.1f} steps/s  loss {:.4f}", static_cast<double>(step - measured_step_) / spent, loss);
    measured_at_ = Clock::now();
    measured_step_ = step;
    for (const auto& [name, value] : values) text += fmt::format("  {} {:.4f}", name, value);
    fmt::print(stderr, "{}\n", text);
}

bool TrainingReport::stop() { return InterruptGuard::requested() || (time_limit_ > 0 && seconds() >= time_limit_); }

void TrainingReport::draw(const std::string& title, const std::string& path) const {
    const std::string summary =
        measurements_.empty() ? std::string()
                              : fmt::format("{} in {:.0f} s", counted(measurements_.back().step, "step"), seconds());
    write_file(path, training_curves_svg(title, summary, measurements_));
}

}  // namespace neumann::app
