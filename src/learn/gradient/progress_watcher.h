// Progress of a learner on graphs: numbers of candidates become texts for the caller.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/algorithm/algorithm.h"
#include "learn/gradient/lesson_learner.h"

namespace neumann {

class ProgressWatcher : public LearnWatcher {
public:
    // All borrowed.
    ProgressWatcher(LearningProblem& problem, Refiner& refiner, LessonContext& context);

    void stage_begins(const std::vector<SearchClause>& start) override;
    void search_done(std::size_t clauses) override;
    void round_done(const RoundReport& report) override;
    void epoch_done(const EpochReport& report) override;
    void program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) override;

    // Which labels are wrong, and which declarations stand in the way of a better program.
    void diagnose(LessonLearner& learner, const LearnOutcome& outcome, LessonResult& result);

private:
    std::string text_of(std::uint32_t candidate);
    void add_wrong_labels(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& set,
                          LessonResult& result);

    LearningProblem& problem_;
    Refiner& refiner_;
    LessonContext& context_;
    std::size_t start_ = 0;
};

}  // namespace neumann
