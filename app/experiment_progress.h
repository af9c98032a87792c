// Says on standard error how far an experiment is, and how long the rest may take.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace neumann::app {

class ExperimentProgress {
public:
    // The names of the steps in the order in which they run.
    ExperimentProgress(std::string experiment, std::vector<std::string> steps, bool quiet);
    ~ExperimentProgress();
    ExperimentProgress(const ExperimentProgress&) = delete;
    ExperimentProgress& operator=(const ExperimentProgress&) = delete;

    void begins(std::size_t step, const std::string& values);  // its loop variables
    void waits(double seconds);                                // on a terminal
    void took(std::size_t step, double seconds);               // now or in an earlier run
    void ends(const std::string& how);                         // the step that began

private:
    std::string remaining(double seconds_so_far) const;  // empty: nothing is known
    void clear();

    std::string experiment_;
    std::vector<std::string> steps_;
    bool quiet_, terminal_, shown_ = false;
    std::size_t current_ = 0;
    std::string values_;
    std::vector<bool> done_;
    struct Times {
        double seconds = 0;
        std::size_t count = 0;
    };
    std::map<std::string, Times> times_;
};

}  // namespace neumann::app
