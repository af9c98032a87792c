// Progress of a run: passed on to the caller, kept for the result, and timed.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <neumann/learn.h>

#include "learn/journal/journal.h"

namespace neumann {

class RunProgress {
public:
    // Borrowed; `caller` may be null. The clock is kept in the journal.
    RunProgress(Journal& journal, LearnProgress* caller);

    void message(const std::string& text) { caller_.message(text); }
    void note(const std::string& text);
    void lesson_begins(std::size_t lesson, std::size_t lessons, const std::vector<std::string>& predicates) {
        caller_.lesson_begins(lesson, lessons, predicates);
    }
    void search_begins(const std::vector<std::string>& clauses) { caller_.search_begins(clauses); }
    void round_done(LearnRound round);
    void search_goes_on(const LearnSearch& so_far, std::size_t wrong_labels) {
        caller_.search_goes_on(so_far, wrong_labels);
    }
    void weighing_begins(std::size_t clauses) { caller_.weighing_begins(clauses); }
    void epoch_done(LearnEpoch epoch);
    void program_found(std::size_t clauses, std::uint64_t wrong_labels, const std::string& first) {
        caller_.program_found(clauses, wrong_labels, first);
    }
    // Time until it ends is no part of learning.
    void diagnosis_begins() { diagnosis_begun_ = seconds_here(); }
    void looking_for_limits() { caller_.looking_for_limits(); }
    void diagnosis_ends() { diagnosis_seconds_ += seconds_here() - diagnosis_begun_; }

    // Rounds, epochs and times.
    void put_into(LearnResult& result) const;

private:
    double seconds_here() const;
    double seconds() const;  // in this run and in those that it resumes

    Journal& journal_;
    LearnProgress nobody_;
    LearnProgress& caller_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::vector<LearnRound> rounds_;
    std::vector<LearnEpoch> epochs_;
    double scoring_seconds_ = 0;
    double diagnosis_begun_ = 0;
    double diagnosis_seconds_ = 0;
};

}  // namespace neumann
