// Training recipes of the baselines: the paper's, and one with better results.
#pragma once

#include <neumann/train.h>

namespace neumann {

// The recipe of the request's model with the request's own settings. `flat`: the images show flat figures. Throws
// PerceptionError for an unknown recipe.
//
// The paper has its own settings for flat figures (cnn, mlp: the appendix, and the code that was published with it);
// for solid scenes it refers to the authors of that data set, whose published scripts have those of cnn and set.
BaselineRecipe baseline_recipe(const BaselineTraining& request, bool flat);

}  // namespace neumann
