// neumann learn: the clauses of a predicate from examples.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

#include "analyse/analyse.h"
#include "base/whole_file.h"
#include "command.h"
#include "ground/limit.h"
#include "interrupt.h"
#include "learn/learn_error.h"
#include "logic/print.h"
#include "options/example_options.h"
#include "options/learn_options.h"
#include "print/learn_output.h"
#include "print/learn_report.h"
#include "print/progress_meter.h"
#include "runtime/image_examples.h"
#include "runtime/labelled_examples.h"
#include "runtime/wrong_labels.h"

namespace neumann::app {
namespace {

constexpr const char* examples_text = R"help(Examples:
  neumann learn closeby/program.nm --train closeby/train/examples.jsonl --val closeby/val/examples.jsonl
  neumann learn delete.nm --train train.jsonl --val val.jsonl --test test.jsonl --out learned.nm --report learned
  neumann reason learned.nm --examples test.jsonl
  neumann learn hans/program.nm --train hans/train/examples.jsonl --positive 1     class 1 against all others
  neumann learn sort.nm --given is_sorted.learned.nm --train sort.jsonl            one lesson after the other
  neumann learn big.nm --train big.jsonl --out big.learned.nm --time-limit 600     stops with the best so far
  neumann learn big.nm --train big.jsonl --out big.learned.nm --resume             goes on after a crash
  neumann learn closeby.nm --images closeby                                        from pictures in closeby/train, …
  neumann learn closeby.nm --train pictures/train --val pictures/val               with folders true and false in them

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

struct LearnCommand : LearnSettings {
    void run();

private:
    void load(LearningInput& input, Diagnostics& diagnostics) const;
    ExampleSet read_set(const std::string& argument, LearningInput& input) const;
    void take_given(Program& program, Diagnostics& diagnostics) const;
    std::string fingerprint(const LearningInput& input) const;
    void judge(LearningInput& input, const ExampleSet& test_set, LearnResult& result, Diagnostics& diagnostics) const;
};

// From a file of examples, or from images.
ExampleSet LearnCommand::read_set(const std::string& argument, LearningInput& input) const {
    if (argument.empty()) return {};
    if (!names_pictures(argument)) return read_labelled_examples(argument, input.program, input.pool, positive);
    if (!quiet) fmt::print(stderr, "looking at the pictures of {}\n", argument);
    ImageExamples images(input.program.signature, {argument}, {.look = pictures, .ask = {}});
    ProgressMeter meter;
    const InterruptGuard guard;
    ExampleSet set = read_labelled_examples(images, input.program, input.pool, positive, [&](std::size_t done) {
        meter.update("looking at pictures", done, images.total());
        if (!InterruptGuard::requested()) return;
        meter.finish();
        fmt::print(stderr, "stopped while looking at pictures; {}\n",
                   images.keeps() ? "what was seen so far is kept for the next time"
                                  : "nothing of what was seen is kept");
        throw CommandFailed{exit_bad_input};
    });
    meter.finish();
    finish_examples(images);
    return set;
}

// Clauses of predicates that other programs have learned.
void LearnCommand::take_given(Program& program, Diagnostics& diagnostics) const {
    for (const std::string& file : given) {
        const Program other = load_program(file, {}, diagnostics);
        if (diagnostics.has_errors()) {
            reading.show(diagnostics, *other.sources);
            throw CommandFailed();
        }
        std::string text;
        for (const Clause& clause : other.clauses) {
            const PredicateDecl& learned = other.signature.predicate(clause.head.predicate);
            const bool was_learned =
                std::ranges::find(other.learn, clause.head.predicate, &LearnTarget::predicate) != other.learn.end();
            const PredicateId here = program.signature.find_predicate(learned.name, learned.args.size());
            if (!was_learned || here.is_none()) continue;
            // What is given replaces what the program says.
            std::erase_if(program.clauses, [&](const Clause& own) { return own.head.predicate == here; });
            std::erase_if(program.learn, [&](const LearnTarget& target) { return target.predicate == here; });
            text += print_clause(other, clause) + "\n";
        }
        if (text.empty()) {
            throw UsageError(
                fmt::format("--given {}: it has no clauses of learned predicates that {} knows", file, path.string()));
        }
        add_clauses(program, file, std::move(text), diagnostics);
    }
}

void LearnCommand::load(LearningInput& input, Diagnostics& diagnostics) const {
    reading.require_fitting(path);
    if (is_saved_graph(path)) throw UsageError("a saved graph has nothing left to learn; give the program's text");
    Program& program = input.program;
    program = load_program(path, reading.load, diagnostics);
    if (program.vocabulary_complete) {
        const std::size_t all = program.clauses.size();
        std::erase_if(program.clauses, [&](const Clause& clause) {
            return std::ranges::find(program.learn, clause.head.predicate, &LearnTarget::predicate) !=
                   program.learn.end();
        });
        if (program.clauses.size() < all && !quiet)
            fmt::print(stderr, "note: {} of what is to be learned left out\n",
                       all - program.clauses.size() == 1 ? "1 clause"
                                                         : fmt::format("{} clauses", all - program.clauses.size()));
        take_given(program, diagnostics);
        analyse(program, {}, diagnostics);
    }
    reading.show(diagnostics, *program.sources);
    if (diagnostics.has_errors()) throw CommandFailed();
    if (program.learn.empty()) {
        throw UsageError(
            fmt::format("{} does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1", path.string()));
    }
}

// Everything that the outcome depends on.
std::string LearnCommand::fingerprint(const LearningInput& input) const {
    std::string all = print_program(input.program);
    for (const ExampleSet* set : {&input.train, &input.validation})
        if (!set->empty()) all += fmt::format("\n{:016x}", digest(*set, input.program, input.pool));
    all += "\n" + text();
    return fmt::format("{:016x}", XXH3_64bits(all.data(), all.size()));
}

void LearnCommand::judge(LearningInput& input, const ExampleSet& test_set, LearnResult& result,
                         Diagnostics& diagnostics) const {
    const auto values = [&](const ExampleSet& set) {
        return run_program(input.program, input.pool, set, learn.reasoning, ground, diagnostics);
    };
    const ProgramRun on_train = values(input.train);
    if (!input.validation.empty()) {
        const ProgramRun on_validation = values(input.validation);
        if (threshold == "auto") result.threshold = on_validation.best_threshold();
        result.validation_accuracy = on_validation.accuracy(result.threshold);
    }
    result.train_accuracy = on_train.accuracy(result.threshold);
    if (test_set.empty()) return;
    const ProgramRun on_test = values(test_set);
    result.test_accuracy = on_test.accuracy(result.threshold);
    std::vector<std::uint32_t> atoms;
    for (const LabelledExample& example : test_set.examples) {
        for (const Example::Target& target : example.targets) atoms.push_back(target.atom);
    }
    result.wrong_in_test = list_wrong_labels(test_set, on_test.values, result.threshold, [&](std::size_t t) {
        return print_atom(input.program.signature, input.program.terms, input.pool.predicate(atoms[t]),
                          input.pool.args(atoms[t]));
    });
}

void LearnCommand::run() {
    read();
    Diagnostics diagnostics = reading.make_diagnostics();
    LearningInput input;
    load(input, diagnostics);
    try {
        input.train = read_set(train, input);
        input.validation = read_set(validation, input);
        const ExampleSet test_set = read_set(test, input);
        Journal journal(journal_file(), fingerprint(input));
        const bool resumed = resume && journal.resume();
        std::error_code ignored;
        if (!resume && std::filesystem::exists(journal_file(), ignored))
            throw UsageError(
                fmt::format("'{}' is what a run that was not finished has left: go on with --resume, or remove "
                            "it to begin anew",
                            journal_file().string()));
        if (resume && !resumed && !quiet) fmt::print(stderr, "note: nothing to resume, starting anew\n");
        const InterruptGuard guard;
        const Alarm alarm(time_limit);
        LearnReport watcher(quiet, time_limit, journal);
        std::optional<LearnedProgram> learned =
            learn_program(input, learn, ground, journal, &watcher, &InterruptGuard::requested(), diagnostics);
        watcher.finish();
        if (!learned) {
            reading.show(diagnostics, *input.program.sources);
            throw CommandFailed();
        }
        LearnResult result;
        result.learned = std::move(*learned);
        result.program_file = path.string();
        result.seed = learn.seed;
        result.timed_out = alarm.rang();
        result.resumable = !journal_file().empty();
        if (threshold != "auto") result.threshold = std::stod(threshold);
        judge(input, test_set, result, diagnostics);
        result.seconds = watcher.seconds();
        if (!output.empty()) write_file(output, program_text(result));
        if (!report.empty()) write_report(report, result, watcher);
        // A run that was stopped can go on; one that is done need not.
        if (!result.learned.interrupted) journal.remove();
        if (!quiet) fmt::print(stderr, "{}\n", effort_text(result));
        fmt::print("{}", json ? result_json(result, watcher) + "\n" : result_text(result, watcher));
    } catch (const GroundingLimit& limit) {
        diagnostics.report(codes::memory_limit, limit.span(), limit.what(), limit.advice());
        reading.show(diagnostics, *input.program.sources);
        throw CommandFailed();
    }
}

}  // namespace

void add_learn_command(CLI::App& app) {
    auto options = std::make_shared<LearnCommand>();
    CLI::App* command = app.add_subcommand("learn", "learn clauses from labelled examples");
    options->add_to(*command);
    command->footer(examples_text);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
