#include "learn/probabilities/weight_loss.h"

#include <algorithm>
#include <utility>

#include "learn/labels/label_sums.h"

namespace neumann {
namespace {

constexpr std::size_t examples_in_a_pass = 4096;
constexpr CrossEntropy cross_entropy{1e-6};

}  // namespace

void LabelledLoss::go_through(const WeightExamples& examples, std::span<const double> weights, LabelSums& sums,
                              std::vector<double>* by_weight) {
    sums.add_underivable(examples.underivable);
    for (std::size_t first = 0; first < examples.different.size(); first += examples_in_a_pass) {
        std::vector<const SupervisedExample*> some;
        InputBatch::Builder given(std::min(examples_in_a_pass, examples.different.size() - first));
        for (std::size_t e = 0; e < given.examples(); ++e) {
            some.push_back(&examples.different[first + e]);
            for (const AtomValue& value : some[e]->given) given.add(e, value.atom, value.value);
        }
        pass_ = reasoner_.forward(given.build(), weights,
                                  {.keep = by_weight != nullptr ? Keep::Backward : Keep::Results}, std::move(pass_));
        InputBatch::Builder seeds(some.size());
        sums.add(pass_, some, seeds);
        if (by_weight == nullptr) continue;
        const GradientSums wanted{.by_clause = *by_weight};
        reasoner_.backward(pass_, seeds.build(), {.sums = {&wanted, 1}});
    }
}

WeightLoss LabelledLoss::operator()(const WeightExamples& examples, std::span<const double> weights) {
    LabelSums sums(kind_, cross_entropy);
    std::vector<double> by_weight(weights.size());
    go_through(examples, weights, sums, &by_weight);
    for (double& gradient : by_weight) gradient /= sums.labels();
    return {sums.loss(), std::move(by_weight)};
}

LearnScore LabelledLoss::score(const WeightExamples& examples, std::span<const double> weights) {
    LabelSums sums(kind_, cross_entropy);
    go_through(examples, weights, sums, nullptr);
    return sums.score(examples.examples);
}

}  // namespace neumann
