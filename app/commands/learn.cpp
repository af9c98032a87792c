// neumann learn: the clauses of a predicate from examples, or the probabilities of a program.
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include <neumann/files.h>
#include <neumann/induce.h>
#include <neumann/learn.h>
#include <neumann/learn_output.h>

#include "command.h"
#include "interrupt.h"
#include "options/learn_options.h"
#include "print/learn_meter.h"

namespace neumann::app {
namespace {

constexpr const char* learn_examples = R"help(Examples:
  neumann learn closeby/program.nm --train closeby/train/examples.jsonl --val closeby/val/examples.jsonl
  neumann learn delete.nm --train train.jsonl --val val.jsonl --test test.jsonl --out learned.nm --report learned
  neumann reason learned.nm --examples test.jsonl
  neumann learn hans/program.nm --train hans/train/examples.jsonl --positive 1     class 1 against all others
  neumann learn sort.nm --given is_sorted.learned.nm --train sort.jsonl            one lesson after the other
  neumann learn big.nm --train big.jsonl --out big.learned.nm --time-limit 600     stops with the best so far
  neumann learn big.nm --train big.jsonl --out big.learned.nm --resume             goes on after a crash
  neumann learn closeby.nm --images closeby                                        from pictures in closeby/train, …
  neumann learn closeby.nm --train pictures/train --val pictures/val               with folders true and false in them
  neumann learn coins.nm --parameters --train coins.ev --out coins.learned.nm      probabilities: t(_)::heads(c1).
  neumann learn rules.nm --weights-only --train labels.jsonl --out learned.nm      weights: t(_)::p(X) :- q(X).
  neumann learn --popper trains/                                                   a task with bias.pl, bk.pl, exs.pl
  neumann learn --aleph trains/train                                               train.b, train.f and train.n

The program declares what to learn: learn, modeh, modeb, initial, label (docs/language.md). Clauses that it has for a
learned predicate are left out. An example is a line {"atoms": {"p(a)": 0.9}, "label": 1} or, for many labelled atoms
of one world, {"atoms": {…}, "targets": {"q(a)": 1, "q(b)": 0}}. docs/learning.md tells how it works.)help";

// Asks for a stop when the time is up.
class Alarm {
public:
    explicit Alarm(double seconds) {
        if (seconds <= 0) return;
        thread_ = std::thread([this, seconds] {
            std::unique_lock lock(mutex_);
            if (done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; })) return;
            rang_ = true;
            InterruptGuard::requested() = true;
        });
    }
    ~Alarm() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        done_.notify_all();
        if (thread_.joinable()) thread_.join();
    }
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

// The time limit counts from when all has been read.
class TimedMeter : public LearnMeter {
public:
    TimedMeter(bool quiet, double time_limit) : LearnMeter(quiet, time_limit), time_limit_(time_limit) {}

    // From here on an interrupt is waited for: what was seen or learned is kept.
    void looking_begins(const std::string& images) override {
        if (!guard_) guard_.emplace();
        LearnMeter::looking_begins(images);
    }
    void learning_begins() override {
        if (!guard_) guard_.emplace();
        alarm_.emplace(time_limit_);
    }
    bool timed_out() const { return alarm_ && alarm_->rang(); }

private:
    double time_limit_;
    std::optional<InterruptGuard> guard_;
    std::optional<Alarm> alarm_;
};

struct LearnCommand : LearnSettings {
    void run();
    void run_parameters();
    void run_weights();
    void run_task();
};

void LearnCommand::run_weights() {
    read_weights();
    reading.require_fitting(path);
    ProgressMeter meter;
    const InterruptGuard guard;
    std::optional<Alarm> alarm;
    WeightLearningProgress progress;
    progress.message = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
    progress.learning_begins = [&] { alarm.emplace(time_limit); };
    progress.iteration_done = [&](std::uint32_t iteration, double now) {
        if (!quiet) meter.update(fmt::format("learning, loss {:.6f}", now), iteration, weight.search.iterations);
    };
    const WeightLearningResult result = learn_weights(path, weight, progress, &InterruptGuard::requested());
    meter.finish();
    if (!output.empty()) write_file(output, weights_program_text(result, path.string(), weight.seed));
    fmt::print("{}", json ? weights_json(result, weight.seed) + "\n" : weights_text(result));
}

void LearnCommand::run_task() {
    read_task();
    std::optional<InterruptGuard> guard;  // nothing is lost while files are read
    InduceProgress progress;
    progress.learning_begins = [&] { guard.emplace(); };
    if (!quiet) {
        progress.message = [](const std::string& text) { fmt::print(stderr, "note: {}\n", text); };
        progress.improved = [](const InduceResult& best) { fmt::print(stderr, "{}\n", induce_progress_text(best)); };
    }
    const auto run = aleph ? induce_aleph_task : induce_popper_task;
    const InduceResult result = run(path, induce, progress, &InterruptGuard::requested());
    if (!output.empty()) write_file(output, induce_program_text(result, path.string()));
    fmt::print("{}", json ? induce_json(result) + "\n" : induce_text(result));
}

void LearnCommand::run_parameters() {
    read_parameters();
    reading.require_fitting(path);
    ProgressMeter meter;
    if (!quiet) parameter.reading.progress = meter.function();
    const InterruptGuard guard;
    std::optional<Alarm> alarm;
    ParameterProgress progress;
    progress.message = [&](const std::string& text) { fmt::print(stderr, "{}\n", text); };
    progress.learning_begins = [&] { alarm.emplace(time_limit); };
    progress.iteration_done = [&](std::uint32_t iteration, double log_likelihood) {
        if (!quiet)
            meter.update(fmt::format("learning, log-likelihood {:.6g}", log_likelihood), iteration,
                         parameter.search.iterations);
    };
    const ParameterResult result = learn_parameters(path, parameter, progress, &InterruptGuard::requested());
    meter.finish();
    const LearnOrigin origin{path.string(), parameter.seed, alarm && alarm->rang(), false};
    if (!output.empty()) write_file(output, program_text(result, origin));
    fmt::print("{}", json ? parameters_json(result, parameter.seed) + "\n" : result_text(result, origin));
}

void LearnCommand::run() {
    if (popper || aleph) return run_task();
    if (weights_only) return run_weights();
    if (parameters) return run_parameters();
    read();
    reading.require_fitting(path);
    TimedMeter meter(quiet, time_limit);
    LearnResult result;
    try {
        result = neumann::learn(path, learn, &meter, &InterruptGuard::requested());
    } catch (...) {
        meter.finish();
        throw;
    }
    meter.finish();
    const LearnOrigin origin{path.string(), learn.seed, meter.timed_out(), !learn.journal.empty()};
    if (!output.empty()) write_file(output, program_text(result, origin));
    if (!report.empty()) write_report(report, result, origin);
    // A run that was stopped can go on; one that is done need not.
    std::error_code ignored;
    if (!result.interrupted && !learn.journal.empty()) std::filesystem::remove(learn.journal, ignored);
    if (!quiet) fmt::print(stderr, "{}\n", effort_text(result));
    fmt::print("{}", json ? result_json(result, origin) + "\n" : result_text(result, origin));
}

}  // namespace

void add_learn_command(CLI::App& app) {
    auto options = std::make_shared<LearnCommand>();
    CLI::App* command =
        app.add_subcommand("learn", "learn clauses from labelled examples, or probabilities from observations");
    options->add_to(*command);
    command->footer(learn_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
