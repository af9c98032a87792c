// What learning says while it goes on, and what is kept of it for curves and tables.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "learn/diagnose.h"
#include "runtime/learn_program.h"

namespace neumann::app {

class LearnReport : public LessonWatcher {
public:
    // The journal is borrowed: the clock is kept in it.
    LearnReport(bool quiet, double time_limit, Journal& journal);

    void lesson_begins(std::size_t lesson, std::size_t lessons, LearningProblem& problem, Refiner& refiner) override;
    void lesson_ends(Learner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                     const ExampleSet& validation) override;
    void stage_begins(const std::vector<SearchClause>& start) override;
    void search_done(std::size_t clauses) override;
    void round_done(const RoundReport& report) override;
    void epoch_done(const EpochReport& report) override;
    void program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) override;

    struct Round {
        std::size_t lesson = 0;
        std::size_t stage = 0;
        RoundReport report;
        std::vector<std::pair<std::string, double>> best;
    };
    struct Epoch {
        std::size_t lesson = 0;
        std::size_t stage = 0;
        EpochReport report;
    };
    const std::vector<Round>& rounds() const { return rounds_; }
    const std::vector<Epoch>& epochs() const { return epochs_; }
    double seconds() const;  // of this run and of those that it resumes
    const std::vector<Limitation>& limitations() const { return limitations_; }
    const std::string& wrong_examples() const { return wrong_examples_; }  // a text for people; empty: there are none
    void finish() { clear_status(); }

private:
    void line(const std::string& text);    // stays
    void status(const std::string& text);  // on a terminal: until the next one
    void clear_status();
    std::string text_of(std::uint32_t candidate);

    void list_wrong(Learner& learner, const LearnOutcome& outcome, const ExampleSet& set, const Dataset& data);

    bool quiet_;
    bool terminal_;
    double time_limit_;
    Journal& journal_;
    bool status_shown_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point told_ = begin_;
    std::chrono::steady_clock::time_point weighing_ = begin_;
    LearningProblem* problem_ = nullptr;
    Refiner* refiner_ = nullptr;
    std::size_t lesson_ = 0;
    std::size_t stage_ = 0;
    std::vector<Round> rounds_;
    std::vector<Epoch> epochs_;
    std::vector<Limitation> limitations_;
    std::string wrong_examples_;
};

}  // namespace neumann::app
