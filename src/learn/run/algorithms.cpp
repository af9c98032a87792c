#include "learn/run/algorithms.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "learn/gradient/gradient_algorithm.h"
#include "learn/published/published_algorithms.h"
#include "learn/search/search_algorithm.h"
#include "learn/task/learn_error.h"

namespace neumann {
namespace {

std::vector<std::unique_ptr<LearningAlgorithm>> make_all() {
    std::vector<std::unique_ptr<LearningAlgorithm>> all;
    all.push_back(make_search_algorithm());
    all.push_back(make_gradient_algorithm());
    std::ranges::move(make_published_algorithms(), std::back_inserter(all));
    return all;
}

}  // namespace

const std::vector<std::unique_ptr<LearningAlgorithm>>& all_learning_algorithms() {
    static const std::vector<std::unique_ptr<LearningAlgorithm>> all = make_all();
    return all;
}

std::vector<const LearningAlgorithm*> algorithms_for(std::string_view name, bool crisp, bool grounded) {
    std::vector<const LearningAlgorithm*> chosen;
    for (const auto& one : all_learning_algorithms()) {
        const bool fits = !one->info.published && (grounded || !one->laws.needs_gradients);
        if (name == default_algorithm ? fits : one->info.name == name) chosen.push_back(one.get());
    }
    if (chosen.empty()) throw LearnError(fmt::format("there is no learning algorithm '{}'", name));
    std::ranges::stable_sort(chosen, {}, [&](const LearningAlgorithm* one) { return one->laws.needs_crisp != crisp; });
    return chosen;
}

const std::vector<LearnAlgorithmInfo>& learn_algorithms() {
    static const std::vector<LearnAlgorithmInfo> all = [] {
        std::vector<LearnAlgorithmInfo> infos = {
            {default_algorithm, "search for crisp examples, else gradient; then the other", false, {"min-body"}}};
        for (const auto& one : all_learning_algorithms()) infos.push_back(one->info);
        return infos;
    }();
    return all;
}

const LearnAlgorithmInfo* find_algorithm(std::string_view name) {
    const auto found = std::ranges::find(learn_algorithms(), name, &LearnAlgorithmInfo::name);
    return found == learn_algorithms().end() ? nullptr : &*found;
}

}  // namespace neumann
