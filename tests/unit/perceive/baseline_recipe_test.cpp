#include <gtest/gtest.h>

#include "perceive/baseline_recipe.h"
#include "perceive/perceiver.h"

namespace neumann {
namespace {

BaselineRecipe recipe_of(const std::string& model, const std::string& name, bool flat, double explanations = 0) {
    BaselineTraining request;
    request.model = model;
    request.recipe = name;
    request.explanations = explanations;
    return baseline_recipe(request, flat);
}

TEST(BaselineRecipe, AsPublished) {
    const BaselineRecipe cnn = recipe_of("cnn", "paper", true);
    EXPECT_EQ(cnn.optimiser, "adam");
    EXPECT_EQ(cnn.learning_rate, 1e-5);
    EXPECT_EQ(cnn.schedule, "constant");
    EXPECT_EQ(cnn.epochs, 300U);
    EXPECT_EQ(cnn.batch, 512U);
    EXPECT_EQ(cnn.kept, "last");
    EXPECT_FALSE(cnn.augmented);
    const BaselineRecipe mlp = recipe_of("mlp", "paper", true);
    EXPECT_EQ(mlp.epochs, 1000U);
    EXPECT_EQ(mlp.learning_rate, 1e-5);
    const BaselineRecipe set = recipe_of("set", "paper", false);
    EXPECT_EQ(set.epochs, 50U);
    EXPECT_EQ(set.batch, 128U);
    EXPECT_EQ(set.learning_rate, 1e-4);
    EXPECT_EQ(set.kept, "best loss");
    EXPECT_EQ(recipe_of("set", "paper", false, 10).learning_rate, 1e-3);
    EXPECT_EQ(recipe_of("cnn", "paper", false).batch, 64U);
}

TEST(BaselineRecipe, WhatIsAskedForGoesFirst) {
    BaselineTraining request;
    request.model = "cnn";
    request.epochs = 7;
    EXPECT_EQ(baseline_recipe(request, true).epochs, 7U);
    EXPECT_EQ(baseline_recipe(request, true).batch, 64U);
    request.recipe = "paper";
    request.batch = 3;
    request.learning_rate = 0.5;
    const BaselineRecipe recipe = baseline_recipe(request, true);
    EXPECT_EQ(recipe.epochs, 7U);
    EXPECT_EQ(recipe.batch, 3U);
    EXPECT_EQ(recipe.learning_rate, 0.5);
    request.recipe = "theirs";
    EXPECT_THROW(baseline_recipe(request, true), PerceptionError);
}

}  // namespace
}  // namespace neumann
