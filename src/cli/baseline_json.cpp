#include <nlohmann/json.hpp>

#include "cli/train_output.h"

namespace neumann {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson optional_number(const std::optional<double>& number) {
    return number ? OrderedJson(*number) : OrderedJson(nullptr);
}

OrderedJson recipe_json(const BaselineTraining& request, const BaselineRecipe& recipe) {
    return {{"name", recipe.name},
            {"optimiser", recipe.optimiser},
            {"learning_rate", recipe.learning_rate},
            {"schedule", recipe.schedule},
            {"weight_decay", recipe.weight_decay},
            {"epochs", recipe.epochs},
            {"batch", recipe.batch},
            {"augmented", recipe.augmented},
            {"kept", recipe.kept},
            {"measure_every", recipe.measure_every},
            {"explanations", request.explanations},
            {"precision", request.precision}};
}

OrderedJson curve_json(const std::vector<BaselineEpoch>& curve) {
    OrderedJson result{{"epoch", OrderedJson::array()}, {"loss", OrderedJson::array()}, {"val", OrderedJson::array()}};
    for (const BaselineEpoch& one : curve) {
        result["epoch"].push_back(one.epoch);
        result["loss"].push_back(one.loss);
        result["val"].push_back(one.validation);
    }
    return result;
}

}  // namespace

std::string baseline_json(const BaselineTraining& request, const BaselineOutcome& outcome) {
    OrderedJson result{{"model", request.model},
                       {"size", request.size},
                       {"recipe", recipe_json(request, outcome.recipe)},
                       {"parameters", outcome.parameters},
                       {"epochs", outcome.epochs},
                       {"best_epoch", outcome.best_epoch},
                       {"complete", outcome.complete},
                       {"seconds", outcome.seconds},
                       {"train_accuracy", outcome.train_accuracy},
                       {"val_accuracy", outcome.validation_accuracy},
                       {"test_accuracy", optional_number(outcome.test_accuracy)}};
    result["per_class"] = OrderedJson::object();
    for (const auto& [name, accuracy] : outcome.per_class) result["per_class"][name] = accuracy;
    if (!outcome.object_network.empty()) result["object_network"] = outcome.object_network;
    if (outcome.batchwise)
        result["batchwise"] = {{"train_accuracy", outcome.batchwise->train},
                               {"val_accuracy", outcome.batchwise->validation},
                               {"test_accuracy", optional_number(outcome.batchwise->test)}};
    if (outcome.wrong_reasons)
        result["wrong_reasons"] = {{"first_epoch", outcome.wrong_reasons->first},
                                   {"last_epoch", outcome.wrong_reasons->second}};
    result["curve"] = curve_json(outcome.curve);
    return result.dump();
}

}  // namespace neumann
