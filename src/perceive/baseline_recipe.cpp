#include "perceive/baseline_recipe.h"

#include <fmt/format.h>

#include "perceive/perceiver.h"

namespace neumann {
namespace {

BaselineRecipe ours(const std::string& model) {
    BaselineRecipe recipe{.name = "ours",
                          .optimiser = "adamw",
                          .learning_rate = model == "set" ? 5e-4 : 1e-3,
                          .schedule = "warm-up",
                          .weight_decay = 0.01,
                          .epochs = 200,
                          .batch = 64,
                          .augmented = false,
                          .kept = "best accuracy",
                          .measure_every = 1};
    if (model == "cnn") {
        recipe.epochs = 60;
        recipe.augmented = true;
    }
    return recipe;
}

BaselineRecipe paper(const BaselineTraining& request, bool flat) {
    BaselineRecipe recipe{.name = "paper",
                          .optimiser = "adam",
                          .learning_rate = 1e-5,
                          .schedule = "constant",
                          .weight_decay = 0,
                          .epochs = 300,
                          .batch = 512,
                          .augmented = false,
                          .kept = "last",
                          .measure_every = 20};
    if (request.model == "mlp") {
        recipe.epochs = 1000;
    } else if (request.model == "set" || !flat) {
        const bool explained = request.explanations > 0;
        recipe.learning_rate = explained ? 1e-3 : 1e-4;
        recipe.schedule = request.model == "set" ? "cosine" : "constant";
        recipe.epochs = request.model == "set" ? 50 : 100;
        recipe.batch = request.model == "set" ? 128 : 64;
        recipe.kept = "best loss";
        recipe.measure_every = 1;
    }
    return recipe;
}

}  // namespace

BaselineRecipe baseline_recipe(const BaselineTraining& request, bool flat) {
    if (request.recipe != "ours" && request.recipe != "paper")
        throw PerceptionError(fmt::format("there is no recipe '{}'; there are ours and paper", request.recipe));
    BaselineRecipe recipe = request.recipe == "ours" ? ours(request.model) : paper(request, flat);
    if (request.epochs != 0) recipe.epochs = request.epochs;
    if (request.batch != 0) recipe.batch = request.batch;
    if (request.learning_rate != 0) recipe.learning_rate = request.learning_rate;
    return recipe;
}

}  // namespace neumann
