// neumann experiment: runs experiments as their files declare them, and writes pages with tables and plots.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/suggest.h"
#include "base/thread_pool.h"
#include "base/whole_file.h"
#include "command.h"
#include "draw/table.h"
#include "experiment_file.h"
#include "experiment_report.h"
#include "experiment_runner.h"
#include "experiment_tables.h"
#include "interrupt.h"

namespace neumann::app {
namespace {

constexpr int exit_not_as_claimed = 1;  // also: a step failed
constexpr int exit_interrupted = 130;   // as shells have it

constexpr const char* examples = R"help(Examples:
  neumann experiment --list                   which there are, and what they show
  neumann experiment sizes                    one of them: docs/results/sizes.md
  neumann experiment all                      all of them; stopped or killed, the same command goes on
  neumann experiment all --quick              small settings, to see that everything works
  neumann experiment sizes --only-report      the page again, from what has run
  neumann experiment sizes --baselines        networks that are compared with, where there is a GPU

Each experiment is a file experiments/NAME.json with its settings, the commands to run and what is shown of them.
Exit code 0 if all claims hold, 1 if one does not or a command failed, 2 for a file that is wrong.)help";

struct ExperimentCommand {
    std::vector<std::string> names;
    std::string results = "results";
    std::string docs;
    std::string experiments = "experiments";
    unsigned threads = hardware_threads();
    bool quick = false, baselines = false, fresh = false, list = false, only_report = false, json = false;

    void run();

private:
    void read_all();
    void print_list() const;
    void add_with_needs(const std::string& name, const std::string& wanted_by, std::vector<std::string>& chosen,
                        std::set<std::string>& open) const;
    std::vector<std::string> in_order() const;
    bool perform(const Experiment& experiment, Json& said) const;  // false: a claim does not hold
    std::filesystem::path page_folder(const Experiment& experiment) const;
    void write_pages(const ExperimentReport& report, Json& said) const;

    std::map<std::string, Experiment> all_;
    std::map<std::string, JsonFileError> wrong_;  // files that disturb only those who want them
};

void ExperimentCommand::read_all() {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(experiments, error)) {
        if (entry.path().extension() != ".json") continue;
        const std::string name = entry.path().stem().string();
        try {
            all_.emplace(name, read_experiment(entry.path(), quick));
        } catch (const JsonFileError& wrong) {
            wrong_.emplace(name, wrong);
        }
    }
    if (error) {
        throw UsageError(
            fmt::format("cannot read the folder {}: {}; run this where the folder is, such as in a checkout "
                        "of neumann, or say --experiments DIR",
                        experiments, error.message()));
    }
}

std::vector<std::string> ExperimentCommand::in_order() const {
    std::vector<std::string> order;
    for (const auto& [name, experiment] : all_) order.push_back(name);
    std::ranges::stable_sort(order, {}, [&](const std::string& name) { return all_.at(name).order; });
    return order;
}

// Behind those that it needs.
void ExperimentCommand::add_with_needs(const std::string& name, const std::string& wanted_by,
                                       std::vector<std::string>& chosen, std::set<std::string>& open) const {
    if (std::ranges::find(chosen, name) != chosen.end()) return;
    if (const auto wrong = wrong_.find(name); wrong != wrong_.end()) throw wrong->second;
    if (!all_.contains(name)) {
        std::vector<std::string> known = in_order();
        known.emplace_back("all");
        throw UsageError(fmt::format("{}there is no experiment '{}' in {}; {}", wanted_by, name, experiments,
                                     did_you_mean_or_list(name, known)));
    }
    if (!open.insert(name).second) throw UsageError(fmt::format("experiment '{}' needs itself", name));
    const std::string file = (std::filesystem::path(experiments) / (name + ".json")).string();
    for (const std::string& other : all_.at(name).needs)
        add_with_needs(other, fmt::format("{}: /needs: ", file), chosen, open);
    chosen.push_back(name);
}

std::filesystem::path ExperimentCommand::page_folder(const Experiment& experiment) const {
    if (!docs.empty()) return docs;
    if (quick) return std::filesystem::path(results) / (experiment.name + ".quick") / "report";
    return "docs/results";
}

// Noticed before hours of work, not after.
void require_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw UsageError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
    if (access(folder.c_str(), W_OK) != 0)
        throw UsageError(fmt::format("cannot write into the folder {}: {}", folder.string(), std::strerror(errno)));
}

void ExperimentCommand::write_pages(const ExperimentReport& report, Json& said) const {
    const std::filesystem::path folder = page_folder(report.experiment);
    said["page"] = write_report(report, folder).string();
    const std::filesystem::path overview = folder / "README.md";
    const std::optional<std::string> old = read_file(overview);
    if (!old) return;
    std::vector<std::string> order = in_order();
    for (const auto& [name, problem] : wrong_) order.push_back(name);  // what they had to say stays
    const std::string page = with_overview(*old, report, order);
    if (page != *old) write_file(overview, page);
}

Json to_json(const FinishedTable& table) {
    Json cells = Json::object();
    for (std::size_t r = 0; r < table.rows.size(); ++r)
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            cells[table.rows[r]][table.columns[c]] = table.cells[r][c].text;
    Json claims = Json::array();
    for (const CheckedClaim& claim : table.claims) {
        claims.push_back({{"claim", claim.text}, {"holds", claim.holds}});
        if (!claim.holds) claims.back()["found"] = claim.problem;
    }
    return {{"title", table.title}, {"cells", cells}, {"claims", claims}};
}

bool ExperimentCommand::perform(const Experiment& experiment, Json& said) const {
    RunnerOptions options;
    options.folders = {results, std::filesystem::absolute(experiments).lexically_normal().parent_path(),
                       std::filesystem::read_symlink("/proc/self/exe").string(), threads};
    if (!std::filesystem::path(experiments).has_filename())  // written with / at the end
        options.folders.root = options.folders.root.parent_path();
    options.baselines = std::filesystem::path(experiments) / "baselines";
    options.run_baselines = baselines;
    options.fresh = fresh;
    options.only_collect = only_report;
    const RunOutcome outcome = run_experiment(experiment, options);
    if (only_report && outcome.reused == 0)
        throw StepFailed(fmt::format("{}: nothing of it has run in {}, so its page stays as it is", experiment.name,
                                     options.folders.work(experiment.name, quick).string()));
    if (outcome.missing > 0)
        fmt::print(stderr, "warning: {}: {} of {} have not run yet; the page is made of the others\n", experiment.name,
                   outcome.missing, counted(outcome.missing + outcome.reused, "command"));
    said["experiment"] = experiment.name;
    said["quick"] = quick;
    said["ran"] = outcome.ran;
    said["reused"] = outcome.reused;
    if (baselines) {
        if (!json) fmt::print("{}: baselines done; --only-report shows them\n", experiment.name);
        return true;
    }
    const Placeholders placeholders = run_placeholders(experiment, options.folders);
    ExperimentReport report{experiment, outcome.results, placeholders, {}};
    bool all_hold = true;
    for (const TableDeclaration& table : experiment.tables) {
        report.tables.push_back(finish_table(table, experiment, outcome.results, placeholders));
        said["tables"].push_back(to_json(report.tables.back()));
        for (const CheckedClaim& claim : report.tables.back().claims) {
            all_hold = all_hold && claim.holds;
            if (!claim.holds)
                fmt::print(stderr, "{}: does not hold: {}; found {}\n", experiment.name, claim.text, claim.problem);
        }
    }
    write_pages(report, said);
    if (!json) {
        fmt::print("{}: {}, {} from before: {}\n", experiment.name, counted(outcome.ran, "run"), outcome.reused,
                   said["page"].get<std::string>());
        std::fflush(stdout);  // the next one may take an hour
    }
    return all_hold;
}

void ExperimentCommand::print_list() const {
    Table table({{"name", Table::Align::Left}, {"paper", Table::Align::Left}, {"title", Table::Align::Left}});
    for (const std::string& name : in_order()) table.add_row({name, all_.at(name).paper, all_.at(name).title});
    fmt::print("{}", table.text());
    if (!wrong_.empty()) throw wrong_.begin()->second;
}

void ExperimentCommand::run() {
    if (names.empty() && !list) throw UsageError("which experiment? --list shows them, all runs all of them");
    if (only_report && fresh) throw UsageError("--only-report runs nothing, so there is nothing for --fresh");
    if (only_report && baselines) throw UsageError("--only-report runs nothing, so there is nothing for --baselines");
    read_all();
    if (list) return print_list();
    std::vector<std::string> chosen;
    for (const std::string& name : names) {
        if (name == "all" && !wrong_.empty()) throw wrong_.begin()->second;
        std::set<std::string> open;
        for (const std::string& one : name == "all" ? in_order() : std::vector{name})
            add_with_needs(one, "", chosen, open);
    }
    if (!only_report) require_folder(results);
    for (const std::string& name : chosen)
        if (!quick || !docs.empty()) require_folder(page_folder(all_.at(name)));
    const InterruptGuard guard;
    bool good = true;
    Json said = Json::array();
    for (const std::string& name : chosen) {
        Json& one = said.emplace_back(Json::object());
        try {
            good = perform(all_.at(name), one) && good;
        } catch (const StepFailed& failed) {
            fmt::print(stderr, "error: {}\n", failed.what());
            one["experiment"] = name;
            one["error"] = failed.what();
            good = false;
        } catch (const RunStopped& stopped) {
            fmt::print(stderr, "{}; the same command goes on from there\n", stopped.what());
            throw CommandFailed{exit_interrupted};
        }
    }
    if (json) fmt::print("{}\n", said.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (!good) throw CommandFailed{exit_not_as_claimed};
}

}  // namespace

void add_experiment_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("experiment", "run experiments and write their tables and plots");
    const auto options = std::make_shared<ExperimentCommand>();
    command->add_option("NAME", options->names, "experiments, or all")->type_name("");
    command->add_flag("--list", options->list, "say which experiments there are");
    command->add_flag("--quick", options->quick, "with the small settings of each; pages go to the results");
    command->add_flag("--only-report", options->only_report, "run nothing, write pages from what has run");
    command->add_flag("--fresh", options->fresh, "forget what has run before: begin with empty folders");
    command->add_flag("--baselines", options->baselines, "run the baselines, and what they need, instead of the steps");
    command->add_option("--results", options->results, "where to keep what the steps make")
        ->type_name("DIR")
        ->default_str("results");
    command->add_option("--docs", options->docs, "where to write pages; default: docs/results")->type_name("DIR");
    command->add_option("--experiments", options->experiments, "where the files of experiments are")
        ->type_name("DIR")
        ->default_str("experiments");
    command->add_option("--threads", options->threads, "what {threads} stands for in commands")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--json", options->json, "end with one JSON list: tables and claims");
    command->footer(examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
