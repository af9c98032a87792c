#include "learn_report.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann::app {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
constexpr std::size_t best_kept = 10;
constexpr std::size_t best_shown = 3;
constexpr auto quiet_epochs = 2s;       // of weighing before it is talked about
constexpr auto terminal_interval = 100ms;
constexpr auto log_interval = 10s;

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

LearnReport::LearnReport(bool quiet, double time_limit)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), time_limit_(time_limit) {}

double LearnReport::seconds() const { return seconds_between(begin_, Clock::now()); }

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

void LearnReport::lesson_ends(Learner&, const LearnOutcome&) { clear_status(); }

void LearnReport::stage_begins(const std::vector<SearchClause>& start) {
    ++stage_;
    for (const SearchClause& clause : start)
        line("from " + print_clause(problem_->program(), refiner_->readable(clause)));
}

void LearnReport::round_done(const RoundReport& report) {
    Round& round = rounds_.emplace_back(Round{lesson_, stage_, report, {}});
    for (const std::uint32_t i : best_first(report.scores, best_kept))
        round.best.emplace_back(text_of(report.candidates[i]), report.scores[i]);
    line(fmt::format("round {} of {}: {} clauses, {:.2f} s", report.round, report.rounds, report.candidates.size(),
                     report.seconds));
    if (getenv("DEBUGROUND")) {
        for (const std::uint32_t i : best_first(report.scores, 1000)) {
            const auto c = report.candidates[i];
            fmt::print(stderr, "   {} {:9.3f} {}\n", std::ranges::find(report.sampled, c) != report.sampled.end() ? "S" : " ", report.scores[i], text_of(c));
        }
        fmt::print(stderr, "w {} loss {}\n", report.uniform_weight, report.loss);
    }
    for (std::size_t i = 0; i < std::min(best_shown, round.best.size()); ++i)
        line(fmt::format("  {:9.3f}  {}", round.best[i].second, round.best[i].first));
}

void LearnReport::search_done(std::size_t clauses) {
    line(fmt::format("weighing {} clauses", clauses));
    weighing_ = Clock::now();
}

void LearnReport::epoch_done(const EpochReport& report) {
    epochs_.push_back({lesson_, stage_, report});
    const auto now = Clock::now();
    if (now - weighing_ < quiet_epochs) return;
    const double each = seconds_between(weighing_, now) / (report.start * report.epochs + report.epoch);
    double left = each * (report.epochs - report.epoch);
    if (time_limit_ > 0) left = std::min(left, std::max(0.0, time_limit_ - seconds()));
    status(fmt::format("epoch {} of {}{}: loss {:.4f}, validation {:.4f}, accuracy {:.4f}; {:.0f} s left at most",
                       report.epoch, report.epochs,
                       report.start > 0 ? fmt::format(", start {}", report.start + 1) : "", report.train_loss,
                       report.validation_loss, report.validation_accuracy, left));
}

void LearnReport::program_found(const std::vector<std::uint32_t>&, const Verdict&) {}

}  // namespace neumann::app
