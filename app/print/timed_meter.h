// Progress of learning with a time limit that starts after all input has been read.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cli/files.h"
#include "interrupt.h"
#include "options/limit_options.h"
#include "print/learn_meter.h"

namespace neumann::app {

// Requests a stop when the time is up.
class Alarm {
public:
    explicit Alarm(double seconds);
    ~Alarm();
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    bool rang() const { return rang_; }

private:
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable done_;
    bool over_ = false;
    std::atomic<bool> rang_{false};
};

class TimedMeter : public LearnMeter {
public:
    // `output`: checked again once all inputs are known, before the work; empty: none.
    TimedMeter(bool quiet, double time_limit, std::string output)
        : LearnMeter(quiet, time_limit), time_limit_(time_limit), output_(std::move(output)) {}

    // From here on an interrupt is delayed: detections and learned clauses are kept.
    void looking_begins(const std::string& images) override {
        if (!guard_) guard_.emplace();
        LearnMeter::looking_begins(images);
    }
    void learning_begins() override {
        if (!output_.empty()) AtomicFile probe{std::filesystem::path(output_)};
        if (!guard_) guard_.emplace();
        leave_time_to_work();
        alarm_.emplace(time_limit_);
    }
    bool timed_out() const { return alarm_ && alarm_->rang(); }

private:
    double time_limit_;
    std::string output_;
    std::optional<InterruptGuard> guard_;
    std::optional<Alarm> alarm_;
};

}  // namespace neumann::app
