// Progress of learning on standard error.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <neumann/learn.h>

#include "print/progress_meter.h"

namespace neumann::app {

class LearnMeter : public LearnProgress {
public:
    LearnMeter(bool quiet, double time_limit);

    void message(const std::string& text) override;
    void note(const std::string& text) override;
    void looking_begins(const std::string& images) override;
    void looking_at_images(std::size_t done, std::size_t total) override;
    void lesson_begins(std::size_t lesson, std::size_t lessons, const std::vector<std::string>& predicates) override;
    void search_begins(const std::vector<std::string>& clauses) override;
    void round_done(const LearnRound& round) override;
    void search_goes_on(const LearnSearch& so_far, std::size_t wrong_labels) override;
    void weighing_begins(std::size_t clauses) override;
    void epoch_done(const LearnEpoch& epoch) override;
    void program_found(std::size_t clauses, std::uint64_t wrong_labels, const std::string& first) override;
    void looking_for_limits() override;

    void finish();  // clears the line

private:
    using Clock = std::chrono::steady_clock;
    void line(const std::string& text);    // stays
    void status(const std::string& text);  // on a terminal: until the next one
    void clear_status();

    bool quiet_;
    bool terminal_;
    double time_limit_;
    ProgressMeter images_;
    bool status_shown_ = false;
    Clock::time_point told_ = Clock::now();
    Clock::time_point weighing_ = told_;
};

}  // namespace neumann::app
