// neumann learn: the clauses of a predicate from examples.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

#include "analyse/analyse.h"
#include "base/atomic_file.h"
#include "base/thread_pool.h"
#include "command.h"
#include "ground/limit.h"
#include "learn/learn_error.h"
#include "learn_output.h"
#include "learn_report.h"
#include "logic/print.h"
#include "model/json_lines.h"
#include "model/labelled_examples.h"
#include "program_options.h"

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

The program declares what to learn: learn, modeh, modeb, initial, label (docs/language.md). Clauses that it has for a
learned predicate are left out. An example is a line {"atoms": {"p(a)": 0.9}, "label": 1} or, for many labelled atoms
of one world, {"atoms": {…}, "targets": {"q(a)": 1, "q(b)": 0}}. docs/learning.md tells how it works.)help";

std::atomic<bool> stop_requested{false};
extern "C" void request_stop(int signal) {
    stop_requested = true;
    std::signal(signal, SIG_DFL);  // the second time at once
}

// Asks for a stop when the time is up.
class Alarm {
public:
    explicit Alarm(double seconds) {
        if (seconds <= 0) return;
        thread_ = std::thread([this, seconds] {
            std::unique_lock lock(mutex_);
            if (done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; })) return;
            rang_ = true;
            stop_requested = true;
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

struct LearnCommand {
    std::filesystem::path path;
    ReadingOptions reading;
    GroundOptions ground;
    std::string train;
    std::string validation;
    std::string test;
    std::vector<std::string> given;
    std::optional<std::int64_t> positive;
    std::string search = "gradient";
    std::string optimiser = "rmsprop";
    std::string learning_semantics = "clausewise";
    std::string semantics = "softor";
    std::string steps = "auto";
    std::string threshold = "auto";
    std::string output;
    std::string report;
    std::string checkpoint;
    bool resume = false;
    bool json = false;
    bool quiet = false;
    double time_limit = 0;
    LearnOptions learn;
    const CLI::Option* trials = nullptr;

    void run();

private:
    void read_options();
    void load(LearningInput& input, Diagnostics& diagnostics) const;
    void take_given(Program& program, Diagnostics& diagnostics) const;
    std::string fingerprint(const Program& program) const;
    std::filesystem::path journal_file() const;
    void judge(LearningInput& input, const ExampleSet& test_set, LearnResult& result, Diagnostics& diagnostics) const;
};

void LearnCommand::read_options() {
    learn.search.kind = search == "beam" ? SearchKind::Beam : SearchKind::Gradient;
    learn.weights.optimiser.kind = *find_optimiser(optimiser);
    learn.learning.semantics = *find_semantics(learning_semantics);
    learn.reasoning.semantics = *find_semantics(semantics);
    learn.reasoning.gamma = learn.learning.gamma;
    learn.learning.steps = parse_steps(steps);
    learn.reasoning.steps = learn.learning.steps;
    learn.learning.threads = learn.reasoning.threads = ground.threads;
    if (trials->count() > 0) learn.search.more_trials = 0;  // as many as were asked for
    // What cannot be written is better known now than after an hour.
    for (const std::filesystem::path& file : {std::filesystem::path(output), journal_file()}) {
        if (!file.empty()) AtomicFile probe(file);
    }
    if (!report.empty()) {
        std::error_code error;
        std::filesystem::create_directories(report, error);
        if (error) throw FileError(fmt::format("cannot make the folder {}: {}", report, error.message()));
        AtomicFile probe(std::filesystem::path(report) / "metrics.json");
    }
    if (resume && journal_file().empty())
        throw UsageError("--resume needs to know where the run was recorded: give --out or --checkpoint as before");
}

std::filesystem::path LearnCommand::journal_file() const {
    if (!checkpoint.empty()) return checkpoint;
    std::error_code ignored;
    const bool device = std::filesystem::exists(output, ignored) && !std::filesystem::is_regular_file(output, ignored);
    return output.empty() || device ? std::filesystem::path() : std::filesystem::path(output + ".journal");
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
            const bool was_learned = std::ranges::find(other.learn, clause.head.predicate, &LearnTarget::predicate) !=
                                     other.learn.end();
            const PredicateId here = program.signature.find_predicate(learned.name, learned.args.size());
            if (!was_learned || here.is_none()) continue;
            // What is given replaces what the program says.
            std::erase_if(program.clauses, [&](const Clause& own) { return own.head.predicate == here; });
            std::erase_if(program.learn, [&](const LearnTarget& target) { return target.predicate == here; });
            text += print_clause(other, clause) + "\n";
        }
        if (text.empty()) {
            throw UsageError(fmt::format("--given {}: it has no clauses of learned predicates that {} knows", file,
                                         path.string()));
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
        throw UsageError(fmt::format(
            "{} does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1", path.string()));
    }
}

// Everything that the outcome depends on.
std::string LearnCommand::fingerprint(const Program& program) const {
    std::string all = print_program(program);
    for (const std::string& file : {train, validation}) {
        if (file.empty()) continue;
        std::ifstream in(file, std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        all += fmt::format("\n{:016x}", XXH3_64bits(text.data(), text.size()));
    }
    const LearnOptions& o = learn;
    all += fmt::format(
        "\n{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", o.seed, search,
        o.search.trials, o.search.more_trials, o.search.samples, o.search.reserves, o.search.with_replacement,
        o.search.beta, o.search.uniform_weight.value_or(-1), o.search.negative_rounds, o.search.bounds.max_body,
        o.search.bounds.max_variables, o.search.bounds.max_depth, o.weights.epochs, o.weights.batch, optimiser,
        o.weights.optimiser.rate, o.weights.patience, o.weights.restarts, o.weights.initial_spread,
        o.weights.loss_floor, o.program_size.value_or(0), o.simplify, learning_semantics, semantics, o.learning.gamma,
        steps, positive.value_or(-1), positive.has_value());
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
    if (!test_set.empty()) result.test_accuracy = values(test_set).accuracy(result.threshold);
}

void LearnCommand::run() {
    read_options();
    Diagnostics diagnostics = reading.make_diagnostics();
    LearningInput input;
    load(input, diagnostics);
    const auto read = [&](const std::string& file) {
        return file.empty() ? ExampleSet() : read_labelled_examples(file, input.program, input.pool, positive);
    };
    try {
        input.train = read(train);
        input.validation = read(validation);
        const ExampleSet test_set = read(test);
        Journal journal(journal_file(), fingerprint(input.program));
        const bool resumed = resume && journal.resume();
        if (resume && !resumed && !quiet) fmt::print(stderr, "note: nothing to resume, starting anew\n");
        stop_requested = false;
        std::signal(SIGINT, request_stop);
        std::signal(SIGTERM, request_stop);
        const Alarm alarm(time_limit);
        LearnReport watcher(quiet, time_limit, journal);
        std::optional<LearnedProgram> learned =
            learn_program(input, learn, ground, journal, &watcher, &stop_requested, diagnostics);
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
        if (threshold != "auto") result.threshold = std::stod(threshold);
        judge(input, test_set, result, diagnostics);
        result.seconds = watcher.seconds();
        if (!output.empty()) write_file(output, program_text(result));
        if (!report.empty()) write_report(report, result, watcher);
        // A run that was stopped can go on; one that is done need not.
        if (!result.learned.interrupted) journal.remove();
        if (!quiet) fmt::print(stderr, "{}\n", effort_text(result));
        fmt::print("{}", json ? result_json(result, watcher) + "\n" : result_text(result, watcher));
    } catch (const ExampleError& error) {
        fmt::print(stderr, "{}\n", error.what());
        throw CommandFailed();
    } catch (const LearnError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        throw CommandFailed();
    } catch (const GroundingLimit& limit) {
        diagnostics.report(codes::memory_limit, limit.span(), limit.what(), limit.advice());
        reading.show(diagnostics, *input.program.sources);
        throw CommandFailed();
    }
}

void add_data_options(CLI::App& command, LearnCommand& options) {
    const std::string group = "Examples";
    const auto file = [&](const char* name, std::string& value, const char* what) {
        return command.add_option(name, value, what)->type_name("FILE")->group(group);
    };
    file("--train", options.train, "labelled examples to learn from, JSON Lines")->required();
    file("--val", options.validation, "to decide when it is good enough; without it the training examples do");
    file("--test", options.test, "looked at once, when the program is there");
    command.add_option("--positive", options.positive, "labels are numbers of classes: this one is positive")
        ->type_name("N")
        ->group(group);
    command.add_option("--given", options.given, "a program learned before; its learned clauses are taken over")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->group(group);
}

void add_search_options(CLI::App& command, LearnCommand& options) {
    const std::string group = "Search";
    SearchOptions& search = options.learn.search;
    options.trials = command.add_option("--trials", search.trials, "rounds of refining clauses")
                         ->type_name("N")
                         ->check(CLI::Range(0, 1000))
                         ->default_str("5, and 3 more if nothing is right by then")
                         ->group(group);
    const auto number = [&](const char* name, auto& value, const char* what, auto least, auto most) {
        return command.add_option(name, value, what)
            ->type_name("N")
            ->check(CLI::Range(least, most).description(""))
            ->capture_default_str()
            ->group(group);
    };
    number("--samples", search.samples, "clauses that are refined in each round", 1, 100000);
    number("--reserves", search.reserves, "times as many that are weighed without being refined", 0, 1000);
    number("--beta", search.beta, "how much scores count against chance", 0.0, 1e6);
    command.add_option("--uniform-weight", search.uniform_weight, "of all clauses while they are scored")
        ->type_name("W")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->default_str("such that positive examples are half believed")
        ->group(group);
    number("--negative-rounds", search.negative_rounds, "over which the share of negatives grows to all", 0, 1000);
    command.add_flag("--with-replacement", search.with_replacement, "sample clauses with replacement")->group(group);
    number("--max-body", search.bounds.max_body, "goals in a clause", 0, 100);
    number("--max-vars", search.bounds.max_variables, "variables in a clause", 1, 100);
    number("--max-depth", search.bounds.max_depth, "nested functors in a term of a clause", 0, 100);
    command.add_option("--program-size", options.learn.program_size, "clauses of each learned predicate")
        ->type_name("M")
        ->check(CLI::Range(1, 1000).description(""))
        ->default_str("as its learn directive says")
        ->group(group);
    command.add_option("--search", options.search, "score all clauses at once by gradients, or one by one")
        ->check(CLI::IsMember({"gradient", "beam"}))
        ->capture_default_str()
        ->group(group);
}

void add_weight_options(CLI::App& command, LearnCommand& options) {
    const std::string group = "Weights";
    WeightOptions& weights = options.learn.weights;
    const auto number = [&](const char* name, auto& value, const char* what, auto least, auto most) {
        return command.add_option(name, value, what)
            ->type_name("N")
            ->check(CLI::Range(least, most).description(""))
            ->capture_default_str()
            ->group(group);
    };
    number("--epochs", weights.epochs, "at most", 0, 1000000);
    number("--batch", weights.batch, "examples in a batch", 1, 1000000);
    number("--lr", weights.optimiser.rate, "learning rate", 0.0, 1e6);
    command.add_option("--optimiser", options.optimiser, "")
        ->check(CLI::IsMember({"rmsprop", "adam", "sgd"}))
        ->capture_default_str()
        ->group(group);
    number("--patience", weights.patience, "epochs without a better loss before it stops", 1, 1000000);
    number("--restarts", weights.restarts, "further random starts, as long as the program is not right", 0, 1000);
}

void add_reasoning_options(CLI::App& command, LearnCommand& options) {
    const std::string group = "Reasoning";
    std::vector<std::string> all;
    for (const SemanticsInfo& one : all_semantics()) {
        if (one.keeps_zero) all.emplace_back(one.name);
    }
    command.add_option("--learning-semantics", options.learning_semantics, "while clauses are scored and weighed")
        ->check(CLI::IsMember(all))
        ->capture_default_str()
        ->group(group);
    command.add_option("--semantics", options.semantics, "when a program is judged, as neumann reason does")
        ->check(CLI::IsMember(all))
        ->capture_default_str()
        ->group(group);
    command.add_option("--gamma", options.learn.learning.gamma, "of softor")
        ->type_name("G")
        ->check(CLI::Range(least_gamma, largest_gamma).description(""))
        ->capture_default_str()
        ->group(group);
    command.add_option("--steps", options.steps, "steps of reasoning")
        ->type_name("T|auto")
        ->capture_default_str()
        ->group(group);
    command.add_option("--threshold", options.threshold, "from which on an atom counts as true")
        ->type_name("P|auto")
        ->check(CLI::Validator(
            [](std::string& text) {
                if (text == "auto") return std::string();
                double value = -1;
                const bool number = CLI::detail::lexical_cast(text, value);
                return number && value >= 0 && value <= 1
                           ? std::string()
                           : fmt::format("expected auto or a number in [0,1], not '{}'", text);
            },
            ""))
        ->default_str("auto: 0.5, or what is best on the validation examples")
        ->group(group);
}

void add_run_options(CLI::App& command, LearnCommand& options) {
    command.add_option("-o,--out", options.output, "write the program with its learned clauses here")->type_name("FILE");
    command.add_option("--report", options.report, "a folder for metrics.json, rounds.csv, epochs.csv and curves.svg")
        ->type_name("DIR");
    command.add_option("--seed", options.learn.seed, "the same seed gives the same program, on any number of threads")
        ->type_name("S")
        ->capture_default_str();
    command.add_option("--time-limit", options.time_limit, "stop after this long with the best program so far")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9).description(""));
    command.add_option("--checkpoint", options.checkpoint, "where the run is recorded; default: FILE.journal beside --out")
        ->type_name("FILE");
    command.add_flag("--resume", options.resume, "go on with a run that was killed or stopped");
    command.add_flag("--json", options.json, "one JSON object instead of text");
    command.add_flag("-q,--quiet", options.quiet, "say nothing while learning");
    options.ground.threads = hardware_threads();
    command.add_option("--threads", options.ground.threads, "threads to use; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 1024).description(""))
        ->default_str("all cores");
}

}  // namespace

void add_learn_command(CLI::App& app) {
    auto options = std::make_shared<LearnCommand>();
    CLI::App* command = app.add_subcommand("learn", "learn clauses from labelled examples");
    command->add_option("program", options->path, "a program file, or a folder of the original with --modes")
        ->type_name("PROGRAM")
        ->required();
    add_data_options(*command, *options);
    add_run_options(*command, *options);
    add_search_options(*command, *options);
    add_weight_options(*command, *options);
    add_reasoning_options(*command, *options);
    options->reading.add_to(*command);
    command->footer(examples_text);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
