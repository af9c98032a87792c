// neumann learn clauses: the clauses of a predicate from labelled examples.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <neumann/learn.h>
#include <neumann/semantics.h>

#include "cli/files.h"
#include "cli/learn_output.h"
#include "command.h"
#include "commands/learn_commands.h"
#include "options/learn_options.h"
#include "options/picture_options.h"
#include "options/reasoning_options.h"
#include "print/timed_meter.h"

namespace neumann::app {
namespace {

constexpr int exit_nothing_found = 1;

constexpr const char* clauses_examples = R"help(Examples:
  neumann learn clauses closeby.nm --train train.jsonl --val val.jsonl
  neumann learn clauses delete.nm --train train.jsonl --test test.jsonl --out learned.nm --report report.html
  neumann reason learned.nm --examples test.jsonl
  neumann learn clauses closeby.nm --train train.jsonl --val val.jsonl --enough 0.95
  neumann learn clauses hans.nm --train train.jsonl --positive 1              class 1 against all others
  neumann learn clauses sort.nm --given is_sorted.learned.nm --train sort.jsonl
  neumann learn clauses big.nm --train big.jsonl --out big.learned.nm --resume    continues after a crash
  neumann learn clauses closeby.nm --images closeby                           images in closeby/train, …
  neumann learn clauses --popper trains/ --test more_exs.pl --out learned.nm  bias.pl, bk.pl, exs.pl
  neumann learn clauses --aleph trains/train --out learned.nm                 train.b, train.f and train.n
  neumann learn clauses --popper noisy/ --score mdl                           a price for each literal, for wrong labels

The program declares what to learn: learn, modeh, modeb, initial, label (docs/language.md). Clauses that it has for a
learned predicate are left out. An example is a line {"atoms": {"p(a)": 0.9}, "label": 1} or, for many labelled atoms
of one world, {"atoms": {…}, "targets": {"q(a)": 1, "q(b)": 0}}. docs/learning.md explains how it works.)help";

constexpr const char* gradient_group = "Search by gradients";
constexpr const char* weights_group = "Weights, after the search by gradients";

struct ClausesCommand : LearnSettings {
    bool popper = false;
    bool aleph = false;
    std::string images;  // a folder with train, val and test in it
    PictureOptions pictures;
    std::string algorithm{default_algorithm};
    std::string score = "literals";
    bool proof = false;
    std::string search = "gradient";
    std::string optimiser = "rmsprop";
    std::string semantics{default_semantics_name};
    std::string steps = "auto";
    std::string threshold = "auto";
    std::string report;
    std::string checkpoint;
    std::uint64_t work_limit = 0;  // 0: the default
    const CLI::Option* trials = nullptr;

    void add_to(CLI::App& app);
    void run();

private:
    void add_sources(CLI::App& app);
    void add_bias(CLI::App& app);
    void add_gradients(CLI::App& app);
    void add_reasoning(CLI::App& app);
    void read_all();
    void take_images();
    void require_fitting() const;
    void probe_outputs() const;
    std::filesystem::path journal_file() const;  // empty: none
};

void ClausesCommand::add_sources(CLI::App& app) {
    app.add_option("--val", task.validation, "validation examples: they decide at which depth to stop (--enough)")
        ->type_name("FILE|DIR")
        ->group(learn_from_group);
    app.add_option("--enough", options.enough,
                   "take the program of the first depth (goals in a clause) that gets this share of the validation "
                   "labels right")
        ->type_name("P")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->default_str("auto: the best validation accuracy of a depth, less its standard error")
        ->group(bias_group);
    app.add_option("--images", images, "images: a folder with train, and optionally val and test")
        ->type_name("DIR")
        ->group(learn_from_group);
    app.add_option("--positive", task.positive, "labels are numbers of classes: this one is positive")
        ->type_name("N")
        ->group(learn_from_group);
    app.add_option("--given", task.given, "program learned before, to take over its learned clauses")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->group(learn_from_group);
    app.add_flag("--popper", popper,
                 "PROGRAM is a folder of Popper: bias.pl, bk.pl, exs.pl; --test reads a file like exs.pl, or a folder "
                 "with bk.pl and exs.pl")
        ->group(learn_from_group);
    app.add_flag("--ignore-constraints", task.ignore_constraints,
                 "go on without those rules of bias.pl, or directives of Aleph, that are not understood")
        ->group(learn_from_group);
    app.add_flag("--aleph", aleph, "PROGRAM is a stem of Aleph: PROGRAM.b, .f and .n, or one file with sections")
        ->group(learn_from_group)
        ->excludes("--popper");
}

void ClausesCommand::add_bias(CLI::App& app) {
    SearchBounds& bounds = options.search.bounds;
    add_number(app, bias_group, "--max-body", bounds.max_body, "goals in a clause", 0, 100);
    add_number(app, bias_group, "--max-vars", bounds.max_variables, "variables in a clause", 1, 100);
    add_number(app, bias_group, "--max-depth", bounds.max_depth, "nested functors in a term of a clause", 0, 100);
    app.add_option("--program-size", options.program_size, "clauses of each learned predicate")
        ->type_name("M")
        ->check(CLI::Range(1, 1000).description(""))
        ->default_str("from its learn directive")
        ->group(bias_group);
    std::vector<std::string> names;
    std::vector<std::string> each;
    std::vector<std::string_view> published;
    for (const LearnAlgorithmInfo& one : learn_algorithms()) {
        names.emplace_back(one.name);
        if (one.published) {
            published.push_back(one.name);
        } else {
            each.push_back(fmt::format("{}: {}", one.name, one.summary));
        }
    }
    each.push_back(
        fmt::format("{}: published algorithms, with their component (docs/learning.md)", fmt::join(published, ", ")));
    const std::span<const std::string_view> scores = score_names();
    app.add_option("--score", score,
                   "how the exhaustive search compares programs\n"
                   "literals: a right program, else the fewest literals and wrong labels together\n"
                   "training: wrong labels; f1: precision and recall\n"
                   "mdl, mml: description and message length, for noisy labels")
        ->type_name("NAME")
        ->check(CLI::IsMember(std::vector<std::string>(scores.begin(), scores.end())).description(""))
        ->capture_default_str()
        ->group(bias_group);
    app.add_option(
           "--cv", options.parts,
           "choose the score by cross-validation; the training labels are divided into these parts (--popper, --aleph)")
        ->type_name("PARTS")
        ->check(CLI::Range(2, 100).description(""))
        ->excludes("--score")
        ->group(bias_group);
    app.add_flag("--proof", proof, "list the clauses that the exhaustive search has ruled out, by the reason")
        ->group(output_group);
    app.add_flag("!--no-prefer", options.prefer,
                 "of programs that are equally good on labels, the first one that was found")
        ->group(bias_group);
    app.add_option("--algorithm", algorithm, fmt::format("{}", fmt::join(each, "\n")))
        ->type_name("NAME")
        ->check(CLI::IsMember(names).description(""))
        ->capture_default_str()
        ->group(bias_group);
}

void ClausesCommand::add_gradients(CLI::App& app) {
    SearchOptions& how = options.search;
    const auto number = [&](const char* group, const char* name, auto& value, const char* help, auto least, auto most) {
        return add_number(app, group, name, value, help, least, most);
    };
    trials = app.add_option("--trials", how.trials, "rounds of refining clauses")
                 ->type_name("N")
                 ->check(CLI::Range(0, 1000))
                 ->default_str("5, then 3 more until a program is right")
                 ->group(gradient_group);
    number(gradient_group, "--samples", how.samples, "clauses to refine in each round", 1, 100000);
    number(gradient_group, "--reserves", how.reserves, "further clauses that get weights, as a multiple of --samples",
           0, 1000);
    number(gradient_group, "--beta", how.beta, "factor of scores against chance", 0.0, 1e6);
    app.add_option("--uniform-weight", how.uniform_weight, "weight of every clause while scoring")
        ->type_name("W")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->default_str("chosen so that positive examples score about 0.5")
        ->group(gradient_group);
    number(gradient_group, "--negative-rounds", how.negative_rounds, "rounds over which the share of negatives grows",
           0, 1000);
    app.add_flag("--with-replacement", how.with_replacement, "sample clauses with replacement")->group(gradient_group);
    number(gradient_group, "--min-body", how.min_body, "goals of a clause to be weighed, with --algorithm neumann-code",
           0, 100);
    app.add_option("--search", search, "score all clauses at once by gradients, or one by one")
        ->check(CLI::IsMember({"gradient", "beam"}))
        ->capture_default_str()
        ->group(gradient_group);
    WeightOptions& weights = options.weights;
    number(weights_group, "--epochs", weights.epochs, "passes over the examples at most", 0, 1000000);
    number(weights_group, "--batch", weights.batch, "examples in a batch", 1, 1000000);
    number(weights_group, "--lr", weights.optimiser.rate, "learning rate", 0.0, 1e6);
    app.add_option("--optimiser", optimiser, "method of gradient descent")
        ->check(CLI::IsMember({"rmsprop", "adam", "sgd"}))
        ->capture_default_str()
        ->group(weights_group);
    number(weights_group, "--patience", weights.patience, "epochs without a better loss before it stops", 1, 1000000);
    number(weights_group, "--restarts", weights.restarts, "further random starts, as long as the program is not right",
           0, 1000);
}

void ClausesCommand::add_reasoning(CLI::App& app) {
    std::vector<std::string> of_learning = semantics_names(true);
    of_learning.emplace_back("paper");
    app.add_option("--learning-semantics", options.learning_semantics,
                   "semantics for scoring clauses; paper or softor with --algorithm neumann")
        ->check(CLI::IsMember(of_learning))
        ->default_str(std::string(learning_semantics_name))
        ->group(reasoning_group);
    app.add_option("--semantics", semantics, "semantics for the final scores, as in neumann reason")
        ->check(CLI::IsMember(semantics_names(true)))
        ->capture_default_str()
        ->group(reasoning_group);
    add_gamma_and_steps(app, options.gamma, steps);
    app.add_option("--threshold", threshold, "an atom counts as true from this value upwards")
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
        ->default_str("auto: 0.5, or the best on the validation examples")
        ->group(reasoning_group);
}

void ClausesCommand::add_to(CLI::App& app) {
    add_task(app, LearnGoal::Clauses, "a program file, or a folder of the original with --modes",
             "labelled examples to learn from: JSON Lines, or images in a folder or a list",
             "random seed: the same seed gives the same program, on any number of threads");
    add_sources(app);
    add_bias(app);
    add_output(app, "write the program with its learned clauses here; NAME.pl as Prolog text");
    app.add_option("--report", report,
                   "write a report: NAME.html, or a folder with metrics.json, rounds.csv, epochs.csv, curves.svg")
        ->type_name("FILE|DIR")
        ->group(output_group);
    app.add_option("--work-limit", work_limit,
                   "limit on the counted work of the exhaustive search, the same on any machine (500M, 2G)")
        ->type_name("WORK")
        ->default_str("about a minute of one core; a sixth of it where gradients may follow")
        ->check(CLI::PositiveNumber.description(""))
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, std::uint64_t>{{"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}},
            CLI::AsNumberWithUnit::CASE_SENSITIVE, "WORK"))
        ->group(limits_group);
    app.add_option("--checkpoint", checkpoint, "journal of the run; default: FILE.journal beside --out")
        ->type_name("FILE")
        ->group(limits_group);
    app.add_flag("--resume", options.resume, "continue a run that was killed or stopped")->group(limits_group);
    add_gradients(app);
    add_reasoning(app);
    pictures.add_to(app, "Images", "--picture-batch");
    app.footer(clauses_examples);
}

void ClausesCommand::take_images() {
    if (images.empty()) return;
    if (!task.train.empty())
        throw UsageError("--train and --images both name the training examples: leave one of them out");
    std::error_code ignored;
    const std::filesystem::path folder = images;
    for (const auto& [part, name] :
         {std::pair(&task.train, "train"), std::pair(&task.validation, "val"), std::pair(&task.test, "test")}) {
        if (part->empty() && std::filesystem::is_directory(folder / name, ignored)) *part = (folder / name).string();
    }
    if (task.train.empty()) throw UsageError(fmt::format("--images {}: there is no folder 'train' in it", images));
}

// Options of reading that the task's files replace.
void ClausesCommand::require_fitting() const {
    const std::string with = popper ? "--popper" : "--aleph";
    refuse_with(*command, with,
                {"--train", "--images", "--positive", "--given", "--network", "--device", "--cache", "--no-cache",
                 "--picture-batch", "--term-depth", "--repeats", "--distinct", "--table", "--clauses", "--modes",
                 "--max-body", "--max-vars", "--max-depth", "--program-size"});
}

void ClausesCommand::probe_outputs() const {
    if (!options.journal.empty()) AtomicFile probe(options.journal);
    if (report.empty()) return;
    const std::filesystem::path place = report;
    if (place.extension() == ".html") {
        AtomicFile probe(place);
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(place, error);
    if (error) throw FileError(fmt::format("cannot make the folder {}: {}", report, error.message()));
    AtomicFile probe(place / "metrics.json");
}

std::filesystem::path ClausesCommand::journal_file() const {
    if (!checkpoint.empty()) return checkpoint;
    std::error_code ignored;
    const bool device = std::filesystem::exists(output, ignored) && !std::filesystem::is_regular_file(output, ignored);
    return output.empty() || device ? std::filesystem::path() : std::filesystem::path(output + ".journal");
}

void ClausesCommand::read_all() {
    if (popper || aleph) {
        require_fitting();
        task.format = popper ? TaskFormat::Popper : TaskFormat::Aleph;
    } else {
        if (options.parts > 0) throw UsageError("--cv needs --popper or --aleph");
        if (task.ignore_constraints) throw UsageError("--ignore-constraints needs --popper or --aleph");
        take_images();
        if (task.train.empty()) throw UsageError("there is nothing to learn from: give --train, or --images");
    }
    read();
    pictures.device.threads = task.reading.threads;
    task.look = pictures;
    if (options.enough && task.validation.empty())
        throw UsageError("--enough is a share of the validation labels: give --val, or --images with a folder val");
    options.engine = engine_on(pictures.device.device, !images.empty());
    options.algorithm = algorithm;
    options.score = *find_score(score);
    for (const std::string_view name : find_algorithm(algorithm)->without_effect)
        refuse_with(*command, fmt::format("--algorithm {}", algorithm), {fmt::format("--{}", name).c_str()});
    options.search.kind = search == "beam" ? SearchKind::Beam : SearchKind::Gradient;
    options.weights.optimiser.kind = *find_optimiser(optimiser);
    options.semantics = semantics;
    if (work_limit > 0) options.work_limit = work_limit;
    options.steps = parse_steps(steps);
    if (threshold != "auto") options.threshold = std::stod(threshold);
    if (trials->count() > 0) options.search.more_trials = 0;  // as many as were asked for
    options.require_program = !output.empty() && std::filesystem::path(output).extension() != ".pl";
    options.journal = journal_file();
    probe_outputs();
    if (options.resume && options.journal.empty())
        throw UsageError("--resume needs to know where the run was recorded: give --out or --checkpoint as before");
}

void ClausesCommand::run() {
    read_all();
    TimedMeter meter(quiet, options.time_limit, output);
    LearnResult result;
    try {
        result = learn(task, options, &meter, &InterruptGuard::requested());
    } catch (...) {
        meter.finish();
        throw;
    }
    meter.finish();
    const LearnOrigin origin{task.program.string(), options.seed, meter.timed_out(), !options.journal.empty(), proof};
    if (!output.empty()) write_file(output, program_text(result, origin));
    if (!report.empty()) write_report(report, result, origin);
    // A run that was stopped can go on; one that is done need not.
    std::error_code ignored;
    if (!result.interrupted && !options.journal.empty()) std::filesystem::remove(options.journal, ignored);
    if (!quiet) fmt::print(stderr, "{}\n", effort_text(result));
    fmt::print("{}", json ? result_json(result, origin) + "\n" : result_text(result, origin));
    if (!result.clauses.empty()) return;
    std::fflush(stdout);
    throw CommandFailed{exit_nothing_found};
}

}  // namespace

void add_clauses_command(CLI::App& learn) {
    auto options = std::make_shared<ClausesCommand>();
    CLI::App* const command =
        learn.add_subcommand("clauses", "learn the clauses of a predicate from labelled examples");
    options->add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
