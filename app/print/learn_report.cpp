#include "print/learn_report.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "draw/table.h"
#include "logic/print.h"
#include "runtime/wrong_labels.h"

namespace neumann::app {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
constexpr std::size_t best_kept = 10;
constexpr std::size_t best_shown = 3;
constexpr std::size_t limitations_shown = 5;
constexpr auto quiet_epochs = 2s;  // of weighing before it is talked about
constexpr auto terminal_interval = 100ms;
constexpr auto log_interval = 10s;

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

LearnReport::LearnReport(bool quiet, double time_limit, Journal& journal)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), time_limit_(time_limit), journal_(journal) {}

double LearnReport::seconds() const { return journal_.seconds_before() + seconds_between(begin_, Clock::now()); }

void LearnReport::line(const std::string& text) {
    if (quiet_) return;
    clear_status();
    fmt::print(stderr, "{}\n", text);
}

void LearnReport::status(const std::string& text) {
    if (quiet_) return;
    const auto now = Clock::now();
    if (now - told_ < (terminal_ ? Clock::duration(terminal_interval) : log_interval)) return;
    told_ = now;
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
    std::fflush(stderr);
    status_shown_ = true;
}

void LearnReport::clear_status() {
    if (status_shown_ && terminal_) fmt::print(stderr, "\r\033[K");
    status_shown_ = false;
}

std::string LearnReport::text_of(std::uint32_t candidate) {
    return print_clause(problem_->program(), refiner_->readable(problem_->candidate(candidate).clause));
}

void LearnReport::lesson_begins(std::size_t lesson, std::size_t lessons, LearningProblem& problem, Refiner& refiner) {
    problem_ = &problem;
    refiner_ = &refiner;
    lesson_ = lesson;
    stage_ = 0;
    if (lessons < 2) return;
    std::string names;
    for (const LearnTarget& target : problem.targets()) {
        names += names.empty() ? "" : ", ";
        names += print_indicator(problem.program().signature.predicate(target.predicate));
    }
    line(fmt::format("lesson {} of {}: {}", lesson + 1, lessons, names));
}

void LearnReport::lesson_ends(Learner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                              const ExampleSet& validation) {
    clear_status();
    if (outcome.verdict.errors == 0 || outcome.program.empty()) return;
    const Dataset train_data(*problem_, train);
    const Dataset validation_data(*problem_, validation);
    list_wrong(learner, outcome, train, train_data);
    if (!validation.empty()) list_wrong(learner, outcome, validation, validation_data);
    if (outcome.interrupted) return;
    if (!quiet_) status("looking for what would help");
    limitations_ = learner.find_limitations(outcome.program);
    limitations_.resize(std::min(limitations_.size(), limitations_shown));
}

void LearnReport::list_wrong(Learner& learner, const LearnOutcome& outcome, const ExampleSet& set,
                             const Dataset& data) {
    const std::vector<float> values = learner.judge().values(outcome.program, outcome.weights, data);
    wrong_examples_ += list_wrong_labels(set, values, 0.5, [&](std::size_t t) -> std::string {
        const std::uint32_t atom = data.target(t).atom;
        if (atom == LearningProblem::no_atom_number) return "an atom that nothing derives";
        const AtomTable& atoms = problem_->grounder().atoms();
        return print_atom(problem_->program().signature, problem_->program().terms, atoms.predicate_of(AtomId(atom)),
                          atoms.args_of(AtomId(atom)));
    });
}

void LearnReport::stage_begins(const std::vector<SearchClause>& start) {
    ++stage_;
    for (const SearchClause& clause : start)
        line("from " + print_clause(problem_->program(), refiner_->readable(clause)));
}

void LearnReport::round_done(const RoundReport& report) {
    journal_.set_clock(seconds_between(begin_, Clock::now()));
    Round& round = rounds_.emplace_back(Round{lesson_, stage_, report, {}});
    for (const std::uint32_t i : best_first(report.scores, best_kept))
        round.best.emplace_back(text_of(report.candidates[i]), report.scores[i]);
    line(fmt::format("round {} of {}: {}, {:.2f} s", report.round, report.rounds,
                     counted(report.candidates.size(), "clause"), report.seconds));
    for (std::size_t i = 0; i < std::min(best_shown, round.best.size()); ++i)
        line(fmt::format("  {:9.3f}  {}", round.best[i].second, round.best[i].first));
}

void LearnReport::search_done(std::size_t clauses) {
    line(fmt::format("weighing {}", counted(clauses, "clause")));
    weighing_ = Clock::now();
}

void LearnReport::epoch_done(const EpochReport& report) {
    journal_.set_clock(seconds_between(begin_, Clock::now()));
    epochs_.push_back({lesson_, stage_, report});
    const auto now = Clock::now();
    if (now - weighing_ < quiet_epochs) return;
    const double each = seconds_between(weighing_, now) / (report.start * report.epochs + report.epoch);
    double left = each * (report.epochs - report.epoch);
    if (time_limit_ > 0) left = std::min(left, std::max(0.0, time_limit_ - seconds()));
    status(fmt::format("epoch {} of {}{}: loss {:.4f}, validation {:.4f}, accuracy {:.4f}; {:.0f} s left at most",
                       report.epoch, report.epochs, report.start > 0 ? fmt::format(", start {}", report.start + 1) : "",
                       report.train_loss, report.validation_loss, report.validation_accuracy, left));
}

void LearnReport::program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) {
    status(fmt::format("best so far: {} with {}, {}", counted(program.size(), "clause"),
                       counted(verdict.errors, "wrong label"), text_of(program.front())));
}

}  // namespace neumann::app
