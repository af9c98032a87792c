// Experiments written down in tests.
#pragma once

#include <string>

#include "app/experiment_file.h"
#include "app/step_record.h"
#include "temporary_folder.h"

namespace neumann::app {

// The file is called test.json.
inline Experiment experiment_from(const std::string& json, bool quick = false) {
    const TemporaryFolder folder;
    return read_experiment(folder.write("test.json", json), quick);
}

inline StepRecord record_of(Bindings bindings, Json values, int exit_code = 0) {
    StepRecord record;
    record.bindings = std::move(bindings);
    record.values = std::move(values);
    record.exit_code = exit_code;
    return record;
}

}  // namespace neumann::app
