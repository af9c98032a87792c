#include "print/learn_meter.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/text.h"

namespace neumann::app {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t best_shown = 3;
constexpr auto quiet_epochs = 2s;  // of weighing before it is talked about

}  // namespace

LearnMeter::LearnMeter(bool quiet, double time_limit)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), time_limit_(time_limit) {}

void LearnMeter::line(const std::string& text) {
    if (quiet_) return;
    clear_status();
    fmt::print(stderr, "{}\n", text);
}

void LearnMeter::status(const std::string& text) {
    if (quiet_) return;
    const auto now = Clock::now();
    if (now - told_ < (terminal_ ? terminal_interval : log_interval)) return;
    told_ = now;
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
    std::fflush(stderr);
    status_shown_ = true;
}

void LearnMeter::clear_status() {
    if (status_shown_ && terminal_) fmt::print(stderr, "\r\033[K");
    status_shown_ = false;
}

void LearnMeter::finish() {
    images_.finish();
    clear_status();
}

void LearnMeter::message(const std::string& text) {
    images_.finish();
    clear_status();
    fmt::print(stderr, "{}\n", text);
}

void LearnMeter::note(const std::string& text) {
    images_.finish();
    line(text);
}

void LearnMeter::looking_begins(const std::string& images) {
    note(fmt::format("looking at the pictures of {}", images));
}

void LearnMeter::looking_at_images(std::size_t done, std::size_t total) {
    images_.update("looking at pictures", done, total);
}

void LearnMeter::lesson_begins(std::size_t lesson, std::size_t lessons, const std::vector<std::string>& predicates) {
    images_.finish();
    if (lessons > 1) line(fmt::format("lesson {} of {}: {}", lesson + 1, lessons, fmt::join(predicates, ", ")));
}

void LearnMeter::search_begins(const std::vector<std::string>& clauses) {
    for (const std::string& clause : clauses) line("from " + clause);
}

void LearnMeter::round_done(const LearnRound& round) {
    line(fmt::format("round {} of {}: {}, {:.2f} s", round.round, round.rounds, counted(round.clauses, "clause"),
                     round.seconds));
    for (std::size_t i = 0; i < std::min(best_shown, round.best.size()); ++i)
        line(fmt::format("  {:9.3f}  {}", round.best[i].second, round.best[i].first));
}

void LearnMeter::search_goes_on(const LearnSearch& so_far, std::size_t wrong_labels) {
    status(fmt::format("search: {}, clauses of {} are done, best so far: {} and {}; {} M units of work",
                       counted(so_far.candidates, "candidate"), counted(so_far.finished_body, "goal"),
                       counted(wrong_labels, "wrong label"), counted(so_far.size, "literal"), so_far.work / 1'000'000));
}

void LearnMeter::weighing_begins(std::size_t clauses) {
    line(fmt::format("weighing {}", counted(clauses, "clause")));
    weighing_ = Clock::now();
}

void LearnMeter::epoch_done(const LearnEpoch& epoch) {
    const auto now = Clock::now();
    if (now - weighing_ < quiet_epochs) return;
    const double each =
        std::chrono::duration<double>(now - weighing_).count() / (epoch.restart * epoch.epochs + epoch.epoch);
    double left = each * (epoch.epochs - epoch.epoch);
    if (time_limit_ > 0) left = std::min(left, std::max(0.0, time_limit_ - epoch.seconds));
    status(fmt::format("epoch {} of {}{}: loss {:.4f}, validation {:.4f}, accuracy {:.4f}; {:.0f} s left at most",
                       epoch.epoch, epoch.epochs, epoch.restart > 0 ? fmt::format(", start {}", epoch.restart + 1) : "",
                       epoch.train_loss, epoch.validation_loss, epoch.validation_accuracy, left));
}

void LearnMeter::program_found(std::size_t clauses, std::uint64_t wrong_labels, const std::string& first) {
    status(fmt::format("best so far: {} with {}, {}", counted(clauses, "clause"), counted(wrong_labels, "wrong label"),
                       first));
}

void LearnMeter::looking_for_limits() { status("looking for what would help"); }

}  // namespace neumann::app
