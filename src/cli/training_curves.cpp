#include <string>
#include <utility>
#include <vector>

#include "cli/train_output.h"
#include "draw/charts.h"

namespace neumann {
namespace {

// Measures that get a curve: the strictest one of each head of a network, else all measures of the last epoch.
std::vector<std::string> curve_names(const std::vector<std::pair<std::string, double>>& values) {
    std::vector<std::string> names;
    for (const auto& [name, value] : values)
        if (name.ends_with("pictures right")) names.push_back(name);
    if (names.empty() && !values.empty()) names.push_back(values.back().first);
    return names;
}

}  // namespace

std::string training_curves_svg(const std::string& title, const std::string& summary,
                                const std::vector<TrainingMeasurement>& measurements) {
    LineChart losses{"Loss on training images", "step", "loss", {{"loss", {}}}};
    LineChart accuracies{"Accuracy on validation images", "step", "share", {}, true};
    if (!measurements.empty())
        for (const std::string& name : curve_names(measurements.front().values))
            accuracies.curves.push_back({name, {}});
    for (const TrainingMeasurement& one : measurements) {
        const auto step = static_cast<double>(one.step);
        losses.curves.front().points.emplace_back(step, one.loss);
        for (Curve& curve : accuracies.curves)
            for (const auto& [name, value] : one.values)
                if (name == curve.name) curve.points.emplace_back(step, value);
    }
    return charts_svg(title, summary, {losses, accuracies});
}

}  // namespace neumann
