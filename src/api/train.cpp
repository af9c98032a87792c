#include <stdexcept>

#include <fmt/format.h>

#include <neumann/train.h>

#include "base/progress_call.h"
#include "compile/with_errors.h"
#include "learn/networks/train_through_logic.h"
#include "perceive/component.h"
#include "perceive/train_predicates.h"
#include "valuation/valuation_registry.h"

namespace neumann {

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

}  // namespace neumann
