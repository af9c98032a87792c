// The record of a learning run: what watchers are told in numbers of candidates, as texts, kept and passed on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <neumann/learn.h>

#include "learn/run/learn_program.h"

namespace neumann {

class LearnRecorder : public LessonWatcher {
public:
    // All borrowed. The clock is kept in the journal; `progress` may be null.
    LearnRecorder(Journal& journal, LearnProgress* progress, LearnResult& result);

    void lesson_begins(std::size_t lesson, std::size_t lessons, LearningProblem& problem, Refiner& refiner) override;
    void lesson_ends(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                     const ExampleSet& validation) override;
    void searching(const std::string& text) override;
    void stage_begins(const std::vector<SearchClause>& start) override;
    void search_done(std::size_t clauses) override;
    void round_done(const RoundReport& report) override;
    void epoch_done(const EpochReport& report) override;
    void program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) override;

    double seconds() const;  // of learning, in this run and in those that it resumes
    double scoring_seconds() const { return scoring_seconds_; }
    double diagnosis_seconds() const { return diagnosis_seconds_; }

private:
    double seconds_here() const;
    void diagnose(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                  const ExampleSet& validation);
    std::string text_of(std::uint32_t candidate);
    void add_wrong_labels(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& set);

    Journal& journal_;
    LearnProgress nobody_;
    LearnProgress& progress_;
    LearnResult& result_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    LearningProblem* problem_ = nullptr;
    Refiner* refiner_ = nullptr;
    std::size_t lesson_ = 0;
    std::size_t start_ = 0;
    double scoring_seconds_ = 0;
    double diagnosis_seconds_ = 0;  // of finding out why labels are wrong: not a part of learning
};

}  // namespace neumann
