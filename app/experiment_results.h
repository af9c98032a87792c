// What an experiment's commands came to, and how tables and plots find it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment_file.h"
#include "step_record.h"

namespace neumann::app {

struct NamedRecord {
    std::string name;  // of the step or the baseline
    StepRecord record;
};

struct ExperimentResults {
    std::vector<NamedRecord> steps, baselines;

    // Those that agree with all the variables bound.
    std::vector<const StepRecord*> matching(const Lookup& lookup, const Bindings& bound) const;
};

// Results of baselines are kept in files of their own, as other machines need hours for them.
std::filesystem::path baseline_file(const std::filesystem::path& folder, const Experiment& experiment,
                                    const std::string& baseline);
std::vector<StepRecord> read_baseline(const std::filesystem::path& file);  // none without the file
void write_baseline(const std::filesystem::path& file, const Experiment& experiment, const std::string& baseline,
                    const std::vector<StepRecord>& records);

}  // namespace neumann::app
