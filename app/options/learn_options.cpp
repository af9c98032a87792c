#include "options/learn_options.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <neumann/files.h>

#include "command.h"
#include "options/reasoning_options.h"
#include "options/seed_option.h"
#include "options/threads_option.h"

namespace neumann::app {
namespace {

template <class Value, class Bound>
CLI::Option* add_number(CLI::App& command, const std::string& group, const char* name, Value& value, const char* what,
                        Bound least, Bound most) {
    return command.add_option(name, value, what)
        ->type_name("N")
        ->check(CLI::Range(least, most).description(""))
        ->capture_default_str()
        ->group(group);
}

void add_data_options(CLI::App& command, LearnSettings& options) {
    const std::string group = "Examples";
    const auto file = [&](const char* name, std::string& value, const char* what) {
        return command.add_option(name, value, what)->type_name("FILE|DIR")->group(group);
    };
    file("--train", options.learn.train,
         "labelled examples to learn from: JSON Lines, or pictures in a folder or a list");
    file("--val", options.learn.validation, "to decide when it is good enough; without it the training examples do");
    file("--test", options.learn.test, "looked at once, when the program is there");
    command.add_option("--images", options.images, "pictures: a folder with train, and val and test if there are")
        ->type_name("DIR")
        ->group(group);
    command.add_option("--positive", options.learn.positive, "labels are numbers of classes: this one is positive")
        ->type_name("N")
        ->group(group);
    command.add_option("--given", options.learn.given, "a program learned before; its learned clauses are taken over")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->group(group);
}

void add_search_options(CLI::App& command, LearnSettings& options) {
    const std::string group = "Search";
    SearchOptions& search = options.learn.search;
    options.trials = command.add_option("--trials", search.trials, "rounds of refining clauses")
                         ->type_name("N")
                         ->check(CLI::Range(0, 1000))
                         ->default_str("5, and 3 more if nothing is right by then")
                         ->group(group);
    const auto number = [&](const char* name, auto& value, const char* what, auto least, auto most) {
        add_number(command, group, name, value, what, least, most);
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
    number("--min-body", search.min_body, "goals of a clause to be weighed, with --algorithm neumann-code", 0, 100);
    number("--max-vars", search.bounds.max_variables, "variables in a clause", 1, 100);
    number("--max-depth", search.bounds.max_depth, "nested functors in a term of a clause", 0, 100);
    command.add_option("--program-size", options.learn.program_size, "clauses of each learned predicate")
        ->type_name("M")
        ->check(CLI::Range(1, 1000).description(""))
        ->default_str("as its learn directive says")
        ->group(group);
    std::vector<std::string> names;
    std::vector<std::string> each;
    for (const LearnAlgorithmInfo& one : learn_algorithms()) {
        names.emplace_back(one.name);
        each.push_back(fmt::format("{}: {}", one.name, one.summary));
    }
    command.add_option("--algorithm", options.algorithm, fmt::format("{}", fmt::join(each, "\n")))
        ->type_name("NAME")
        ->check(CLI::IsMember(names).description(""))
        ->capture_default_str()
        ->group(group);
    command.add_option("--search", options.search, "score all clauses at once by gradients, or one by one")
        ->check(CLI::IsMember({"gradient", "beam"}))
        ->capture_default_str()
        ->group(group);
}

void add_weight_options(CLI::App& command, LearnSettings& options) {
    const std::string group = "Weights";
    WeightOptions& weights = options.learn.weights;
    const auto number = [&](const char* name, auto& value, const char* what, auto least, auto most) {
        add_number(command, group, name, value, what, least, most);
    };
    number("--epochs", weights.epochs, "at most", 0, 1000000);
    number("--batch", weights.batch, "examples in a batch", 1, 1000000);
    options.rate = add_number(command, group, "--lr", weights.optimiser.rate,
                              "learning rate; of --method gradient 0.1 unless given", 0.0, 1e6);
    options.optimiser_option =
        command.add_option("--optimiser", options.optimiser, "of --method gradient adam unless given")
            ->check(CLI::IsMember({"rmsprop", "adam", "sgd"}))
            ->capture_default_str()
            ->group(group);
    number("--patience", weights.patience, "epochs without a better loss before it stops", 1, 1000000);
    number("--restarts", weights.restarts, "further random starts, as long as the program is not right", 0, 1000);
}

void add_parameter_options(CLI::App& command, LearnSettings& options) {
    const std::string group = "Probabilities";
    command
        .add_flag("--parameters", options.parameters,
                  "learn the probabilities marked t(_):: or t(0.3):: from what examples observe, not clauses")
        ->group(group);
    command.add_option("--method", options.method, "expectation maximisation, or gradient ascent on the likelihood")
        ->check(CLI::IsMember({"em", "gradient"}))
        ->capture_default_str()
        ->group(group);
    ParameterSearch& search = options.parameter.search;
    command
        .add_flag("--weights-only", options.weights_only,
                  "learn what is marked t(_):: or t(0.3):: from labels, under any --semantics with gradients")
        ->group(group);
    command.add_option("--loss", options.loss, "of --weights-only")
        ->check(CLI::IsMember({"cross-entropy", "squared"}))
        ->capture_default_str()
        ->group(group);
    add_number(command, group, "--iterations", search.iterations, "at most", 0, 100000000);
    add_number(command, group, "--tolerance", search.tolerance,
               "it ends when the log-likelihood of an example grows by less, on average", 0.0, 1e6);
}

void add_reasoning_options(CLI::App& command, LearnSettings& options) {
    const std::string group = "Reasoning";
    const std::vector<std::string> all = semantics_names(true);
    std::vector<std::string> of_learning = all;
    of_learning.emplace_back("paper");
    command
        .add_option("--learning-semantics", options.learn.learning_semantics,
                    "while clauses are scored and weighed; paper or softor with --algorithm neumann")
        ->check(CLI::IsMember(of_learning))
        ->default_str(std::string(learning_semantics_name))
        ->group(group);
    command.add_option("--semantics", options.semantics, "when a program is judged, as neumann reason does")
        ->check(CLI::IsMember(semantics_names(false)))
        ->capture_default_str()
        ->group(group);
    command.add_option("--gamma", options.learn.gamma, "of softor")
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

void add_run_options(CLI::App& command, LearnSettings& options) {
    command.add_option("-o,--out", options.output, "write the program with its learned clauses here")
        ->type_name("FILE");
    command.add_option("--report", options.report, "a folder for metrics.json, rounds.csv, epochs.csv and curves.svg")
        ->type_name("DIR");
    add_seed_option(command, options.learn.seed, "the same seed gives the same program, on any number of threads");
    command.add_option("--time-limit", options.time_limit, "stop after this long with the best program so far")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9).description(""));
    command
        .add_option("--checkpoint", options.checkpoint, "where the run is recorded; default: FILE.journal beside --out")
        ->type_name("FILE");
    command.add_flag("--resume", options.learn.resume, "go on with a run that was killed or stopped");
    command.add_flag("--json", options.json, "one JSON object instead of text");
    command.add_flag("--popper", options.popper,
                     "PROGRAM is a folder with a task of Popper, bias.pl, bk.pl, exs.pl; 60 seconds unless limited");
    command.add_flag("--aleph", options.aleph,
                     "PROGRAM is the stem of a task of Aleph, PROGRAM.b, .f and .n, or one file with sections");
    command.add_flag("-q,--quiet", options.quiet, "say nothing while learning");
    add_threads_option(command, options.learn.reading.threads);
}

}  // namespace

void LearnSettings::add_to(CLI::App& command) {
    learn_command = &command;
    command.add_option("program", path, "a program file, or a folder of the original with --modes")
        ->type_name("PROGRAM")
        ->required();
    add_data_options(command, *this);
    add_run_options(command, *this);
    add_search_options(command, *this);
    add_weight_options(command, *this);
    add_parameter_options(command, *this);
    add_reasoning_options(command, *this);
    pictures.add_to(command, "Pictures", "--picture-batch");
    limits.add_to(command);
    reading.add_to(command);
}

void LearnSettings::take_images() {
    if (images.empty()) return;
    std::error_code ignored;
    const std::filesystem::path folder = images;
    for (const auto& [part, name] :
         {std::pair(&learn.train, "train"), std::pair(&learn.validation, "val"), std::pair(&learn.test, "test")}) {
        if (part->empty() && std::filesystem::is_directory(folder / name, ignored)) *part = (folder / name).string();
    }
    if (learn.train.empty()) throw UsageError(fmt::format("--images {}: there is no folder 'train' in it", images));
}

void LearnSettings::read() {
    if (const auto fitting = semantics_names(true); std::ranges::find(fitting, semantics) == fitting.end())
        throw UsageError(fmt::format("--semantics {}: only --weights-only can learn under it", semantics));
    take_images();
    if (learn.train.empty()) throw UsageError("there is nothing to learn from: give --train, or --images");
    reading.put_into(learn.reading);
    limits.put_into(learn.reading);
    pictures.device.threads = learn.reading.threads;
    learn.look = pictures;
    learn.engine = engine_on(pictures.device.device, !images.empty());
    if (time_limit > 0) learn.time_limit = time_limit;
    learn.search.kind = search == "beam" ? SearchKind::Beam : SearchKind::Gradient;
    learn.weights.optimiser.kind = *find_optimiser(optimiser);
    read_algorithm();
    learn.semantics = semantics;
    learn.steps = parse_steps(steps);
    if (threshold != "auto") learn.threshold = std::stod(threshold);
    if (trials->count() > 0) learn.search.more_trials = 0;  // as many as were asked for
    learn.journal = journal_file();
    // What cannot be written is better known now than after an hour.
    for (const std::filesystem::path& file : {std::filesystem::path(output), learn.journal}) {
        if (!file.empty()) AtomicFile probe(file);
    }
    if (!report.empty()) {
        std::error_code error;
        std::filesystem::create_directories(report, error);
        if (error) throw FileError(fmt::format("cannot make the folder {}: {}", report, error.message()));
        AtomicFile probe(std::filesystem::path(report) / "metrics.json");
    }
    if (learn.resume && learn.journal.empty())
        throw UsageError("--resume needs to know where the run was recorded: give --out or --checkpoint as before");
}

void LearnSettings::read_algorithm() {
    learn.algorithm = *find_algorithm(algorithm);
    for (const std::string_view name : options_without_effect(learn.algorithm)) {
        if (learn_command->get_option(fmt::format("--{}", name))->count() > 0)
            throw UsageError(fmt::format("--{} does nothing with --algorithm {}", name, algorithm));
    }
}

void LearnSettings::read_parameters() {
    if (learn.train.empty()) throw UsageError("there is nothing to learn from: give --train");
    ParameterSearch& how = parameter.search;
    how.method = method == "em" ? ParameterMethod::Em : ParameterMethod::Gradient;
    for (const CLI::Option* option : {rate, optimiser_option})
        if (how.method == ParameterMethod::Em && option->count() > 0)
            throw UsageError(fmt::format("{} does nothing with --method em", option->get_name()));
    if (rate->count() > 0) how.optimiser.rate = learn.weights.optimiser.rate;
    if (optimiser_option->count() > 0) how.optimiser.kind = *find_optimiser(optimiser);
    parameter.train = learn.train;
    parameter.test = learn.test;
    parameter.seed = learn.seed;
    parameter.reading = learn.reading;
    reading.put_into(parameter.reading);
    limits.put_into(parameter.reading);
    if (!output.empty()) AtomicFile probe{std::filesystem::path(output)};
}

void LearnSettings::require_fitting(const std::string& mode, std::vector<std::string> fitting) const {
    fitting.insert(fitting.end(), {"program", mode, "--out", "--time-limit", "--json", "--quiet"});
    for (const CLI::Option* option : learn_command->get_options()) {
        if (option->count() > 0 && std::ranges::find(fitting, option->get_name()) == fitting.end())
            throw UsageError(fmt::format("{} does nothing with {}", option->get_name(), mode));
    }
}

void LearnSettings::read_weights() {
    require_fitting("--weights-only", {"--train", "--test", "--seed", "--threads", "--loss", "--lr", "--optimiser",
                                       "--iterations", "--tolerance", "--semantics", "--gamma", "--steps",
                                       "--memory-limit", "--no-warn", "--max-errors"});
    method = "gradient";
    read_parameters();
    weight.train = parameter.train;
    weight.test = parameter.test;
    weight.search = parameter.search;
    weight.seed = parameter.seed;
    weight.reading = parameter.reading;
    weight.loss = loss == "squared" ? WeightLossKind::Squared : WeightLossKind::CrossEntropy;
    weight.reason.semantics = semantics;
    weight.reason.gamma = learn.gamma;
    weight.reason.steps = parse_steps(steps);
    weight.reason.threads = learn.reading.threads;
    const SemanticsSummary& laws = semantics_summary(semantics);
    if (!laws.keeps_zero) weight.reading.grounding = Grounding::Full;
    if (laws.needs_steps && !weight.reason.steps)
        throw UsageError(fmt::format("--semantics {} needs --steps N", semantics));
}

void LearnSettings::read_task() {
    require_fitting(aleph ? "--aleph" : "--popper", {});
    if (learn_command->get_option("--time-limit")->count() > 0) induce.time_limit = time_limit > 0 ? time_limit : 1e9;
    if (!output.empty()) AtomicFile probe{std::filesystem::path(output)};
}

std::filesystem::path LearnSettings::journal_file() const {
    if (!checkpoint.empty()) return checkpoint;
    std::error_code ignored;
    const bool device = std::filesystem::exists(output, ignored) && !std::filesystem::is_regular_file(output, ignored);
    return output.empty() || device ? std::filesystem::path() : std::filesystem::path(output + ".journal");
}

}  // namespace neumann::app
