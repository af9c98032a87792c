// The numbers and texts that are taken from what a step left.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "checked_json.h"
#include "child_process.h"
#include "experiment_file.h"

namespace neumann::app {

class ValueError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct StepOutputs {
    std::filesystem::path output, errors;
    ChildOutcome outcome;
};

// Its values by name. One that cannot be found throws ValueError; with `lenient`, which is for commands that failed, it
// is left out.
Json step_values(const Step& step, const Bindings& bindings, const Placeholders& placeholders,
                 const StepOutputs& outputs, bool lenient);

}  // namespace neumann::app
