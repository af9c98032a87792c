#include "learn/algorithm/run_progress.h"

#include <utility>

namespace neumann {

RunProgress::RunProgress(Journal& journal, LearnProgress* caller)
    : journal_(journal), caller_(caller == nullptr ? nobody_ : *caller) {}

double RunProgress::seconds_here() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() - diagnosis_seconds_;
}

double RunProgress::seconds() const { return journal_.seconds_before() + seconds_here(); }

void RunProgress::note(const std::string& text) {
    journal_.set_clock(seconds_here());
    caller_.note(text);
}

void RunProgress::round_done(LearnRound round) {
    journal_.set_clock(seconds_here());
    scoring_seconds_ += round.scoring_seconds;
    rounds_.push_back(std::move(round));
    caller_.round_done(rounds_.back());
}

void RunProgress::epoch_done(LearnEpoch epoch) {
    journal_.set_clock(seconds_here());
    epoch.seconds = seconds();
    epochs_.push_back(epoch);
    caller_.epoch_done(epoch);
}

void RunProgress::put_into(LearnResult& result) const {
    result.rounds = rounds_;
    result.epochs = epochs_;
    result.seconds = seconds();
    result.scoring_seconds = scoring_seconds_;
    result.diagnosis_seconds = diagnosis_seconds_;
}

}  // namespace neumann
