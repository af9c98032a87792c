// Runs the commands of an experiment one after the other, and goes on where it was stopped.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "experiment_file.h"
#include "experiment_results.h"
#include "experiment_steps.h"

namespace neumann::app {

struct RunnerOptions {
    RunFolders folders;
    std::filesystem::path baselines;  // where their results are kept
    bool run_baselines = false;       // they and what they need, instead of all steps
    bool fresh = false;               // as if nothing had run before
    bool only_collect = false;        // run nothing
    bool quiet = false;
};

// A command failed that may not; the text says all.
class StepFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Ctrl-C, or the like. The child has been stopped.
class RunStopped : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct RunOutcome {
    ExperimentResults results;
    std::size_t ran = 0, reused = 0;
    std::size_t missing = 0;  // with only_collect: has not run yet
};

// An InterruptGuard must live.
RunOutcome run_experiment(const Experiment& experiment, const RunnerOptions& options);

}  // namespace neumann::app
