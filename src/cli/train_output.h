// Output of `neumann train`: the result of a baseline as JSON, curves of training as SVG.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <neumann/train.h>

namespace neumann {

// One JSON object, on one line: the request, the recipe with all its values, and the result.
std::string baseline_json(const BaselineTraining& request, const BaselineOutcome& outcome);

// Measurements while something was trained.
struct TrainingMeasurement {
    std::uint64_t step = 0;
    double loss = 0;  // the mean since the last one; NaN: not known
    std::vector<std::pair<std::string, double>> values;
};

// Loss and accuracy over the steps, as SVG.
std::string training_curves_svg(const std::string& title, const std::string& summary,
                                const std::vector<TrainingMeasurement>& measurements);

}  // namespace neumann
