// How baselines learn: by the paper's recipe, and by one that gets more out of them.
#pragma once

#include <neumann/train.h>

namespace neumann {

// For the request's model, with what the request says itself. `flat`: what the pictures show. Throws PerceptionError
// for a recipe that nobody knows.
//
// The paper has its own settings for flat figures (cnn, mlp: the appendix, and the code that was published with it);
// for solid scenes it refers to the authors of that data set, whose published scripts have those of cnn and set.
BaselineRecipe baseline_recipe(const BaselineTraining& request, bool flat);

}  // namespace neumann
