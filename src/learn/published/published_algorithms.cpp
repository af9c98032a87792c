#include "learn/published/published_algorithms.h"

#include <utility>

#include "learn/gradient/gradient_algorithm.h"
#include "learn/published/component.h"

namespace neumann {
namespace {

using Names = std::vector<std::string_view>;

std::unique_ptr<LessonLearner> make_published_learner(LessonRequest request) {
    return published_component().make_learner(std::move(request));
}

// The options that no published algorithm uses, and more.
Names with_common(const Names& more) {
    Names names = {"reserves", "with-replacement", "patience", "restarts"};
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

}  // namespace

std::vector<std::unique_ptr<LearningAlgorithm>> make_published_algorithms() {
    const Names not_neumann = {"search", "beta", "negative-rounds", "learning-semantics"};
    const auto and_more = [&](const Names& more) {
        Names names = not_neumann;
        names.insert(names.end(), more.begin(), more.end());
        return names;
    };
    std::vector<std::unique_ptr<LearningAlgorithm>> all;
    const auto add = [&](std::string_view name, std::string_view summary, const Names& without_effect,
                         RoundsOfDepth rounds = RoundsOfDepth::OneMore) {
        all.push_back(
            make_graph_algorithm({name, summary, true, with_common(without_effect)}, make_published_learner, rounds));
    };
    add("neumann", "Algorithm 3 of the NEUMANN paper as printed", {"min-body"});
    add("neumann-code", "the same as NEUMANN's public code does it", not_neumann);
    add("dilp-st", "∂ILP-ST: beam search, exact scores", and_more({"uniform-weight", "min-body", "gamma"}));
    add("alpha-ilp", "αILP: beam search, its own scores and reasoner", and_more({"uniform-weight", "min-body"}));
    add("dilp", "∂ILP: templates, weights over pairs of clauses",
        and_more({"uniform-weight", "min-body", "gamma", "trials", "samples", "max-body", "max-depth", "enough"}),
        RoundsOfDepth::None);
    return all;
}

}  // namespace neumann
