#include "algorithms/recipe.h"

namespace neumann {

PublishedRecipe recipe_of(const LearnerOptions& options) {
    PublishedRecipe recipe;
    recipe.uniform_weight = options.search.uniform_weight.value_or(0.5);
    switch (options.algorithm) {
    case LearnAlgorithm::NeumannCode:
        recipe.reasoner = PublishedReasoner::NeumannCode;
        recipe.source = ClauseSource::RefineThenSample;
        recipe.score = ClauseScore::GradientOfPositives;
        recipe.beta = 100;
        recipe.uniform_weight = options.search.uniform_weight.value_or(1.0);
        break;
    case LearnAlgorithm::DilpSt:
        recipe.reasoner = PublishedReasoner::DilpSt;
        recipe.source = ClauseSource::Beam;
        recipe.score = ClauseScore::LossOfPositives;
        recipe.most_clauses = 100;
        recipe.composes = false;
        recipe.gradients_add_up = true;
        break;
    case LearnAlgorithm::AlphaIlp:
        recipe.reasoner = PublishedReasoner::AlphaIlp;
        recipe.source = ClauseSource::Beam;
        recipe.score = ClauseScore::ValuesOfPositives;
        recipe.alike_within = 1e-2;
        recipe.most_examples = 500;
        recipe.leaves_out_idle = true;
        recipe.composes = false;
        recipe.gradients_add_up = true;
        break;
    case LearnAlgorithm::Dilp:
        recipe.reasoner = PublishedReasoner::Dilp;
        recipe.source = ClauseSource::Templates;
        recipe.score = ClauseScore::None;
        recipe.composes = false;
        break;
    default:
        recipe.reasoner = info(options.learning.semantics).keeps_zero ? PublishedReasoner::NeumannFromZero
                                                                      : PublishedReasoner::Neumann;
        recipe.beta = options.search.beta;
        if (options.search.kind == SearchKind::Beam) recipe.score = ClauseScore::Loss;
    }
    return recipe;
}

}  // namespace neumann
