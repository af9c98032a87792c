#include <stdexcept>

#include <fmt/format.h>

#include <neumann/train.h>

#include "base/progress_call.h"
#include "compile/with_errors.h"
#include "draw/learning_curves.h"
#include "learn/networks/train_through_logic.h"
#include "perceive/component.h"
#include "perceive/train_predicates.h"
#include "valuation/valuation_registry.h"

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

TrainingOutcome train_objects(const ObjectTraining& request, TrainingListener& listener) {
    return with_errors([&] { return perception_component().train_objects(request, listener); });
}

BaselineOutcome train_baseline(const BaselineTraining& request, TrainingListener& listener) {
    return with_errors([&] { return perception_component().train_baseline(request, listener); });
}

LogicTrainingOutcome train_through_logic(const std::filesystem::path& program, const LogicTraining& request,
                                         TrainingListener& listener) {
    return with_errors([&] {
        try {
            return run_logic_training(program, request, listener);
        } catch (const std::invalid_argument& error) {
            throw Error(fmt::format("error: {}: {}", program.string(), error.what()));
        } catch (const ValuationError& error) {
            throw Error(fmt::format("error: {}: {}", program.string(), error.what()));
        }
    });
}

std::vector<TrainedPredicate> train_predicates(const PredicateTrainingOptions& options,
                                               const std::filesystem::path& weights, const ProgressFunction& progress) {
    return with_errors([&] {
        ProgressCall call(progress);
        PredicateTraining trained = train_predicates(options, &call);
        trained.weights.write(weights);
        return std::move(trained.predicates);
    });
}

// The networks' library has the tracer that it was built with; the command's own copy may be another.
bool can_render_on_cuda() {
    return with_errors([] { return perception_component().draws_on_cuda(); });
}

std::string training_curves_svg(const std::string& title, const std::string& summary,
                                const std::vector<TrainingMeasurement>& measurements) {
    TrainingCurves curves{.title = title, .summary = summary, .losses = {{"loss", {}}}, .accuracies = {}};
    if (!measurements.empty())
        for (const std::string& name : curve_names(measurements.front().values))
            curves.accuracies.push_back({name, {}});
    for (const TrainingMeasurement& one : measurements) {
        const auto step = static_cast<double>(one.step);
        curves.losses.front().points.emplace_back(step, one.loss);
        for (TrainingCurves::Curve& curve : curves.accuracies)
            for (const auto& [name, value] : one.values)
                if (name == curve.name) curve.points.emplace_back(step, value);
    }
    return draw_training_curves(curves);
}

}  // namespace neumann
