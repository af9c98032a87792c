#include "learn/networks/label_loss.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include <neumann/perceive.h>

#include "base/suggest.h"
#include "learn/labels/label_sums.h"

namespace neumann {
namespace {

double label_count(std::span<const TrainingExample* const> examples) {
    double count = 0;
    for (const TrainingExample* one : examples) {
        for (const auto& [atom, labels] : one->atoms) count += labels.count;
        for (const auto& [first, labels] : one->classes) count += labels.all;
    }
    return count;
}

// A given value stands in the place of one that is seen.
bool is_given(const TrainingExample& example, std::uint32_t atom) {
    return std::ranges::find(example.given, atom, &AtomValue::atom) != example.given.end();
}

}  // namespace

LabelLoss::LabelLoss(LoadedProgram& loaded, AtomNames& names, const Signature& declared, const ObjectLayout& layout,
                     const LabelLossOptions& options, const PredicateWeights& weights)
    : options_(options), valuation_(declared, layout, weights),
      reasoner_(make_reasoner(loaded.compiled.ground.graph, options.reason,
                              loaded.levels.level.empty() ? nullptr : &loaded.levels)) {
    for (std::size_t a = 0; a < valuation_.atoms().size(); ++a) {
        const NamedAtom& named = names.find(valuation_.atoms()[a]);
        if (named.kind != NamedAtom::Kind::InGraph) continue;
        inputs_.push_back(named.atom);
        places_.push_back(a);
    }
    if (inputs_.empty()) throw std::invalid_argument("no label of the program depends on anything that is seen");
}

SoftValuation::Looked LabelLoss::looked(const TrainingExample& example, std::span<const SeenObjects> seen) const {
    SoftValuation::Looked result;
    for (const SeenObjects& image : seen) result.images.push_back(&image);
    result.query = example.query;
    if (!result.query.empty() && std::ranges::find(valuation_.atoms(), result.query) == valuation_.atoms().end())
        throw PerceptionError(fmt::format("{}: the question '{}' is no atom of a neural predicate; {}", example.id,
                                          result.query,
                                          did_you_mean(result.query, valuation_.atoms(), "see the program")));
    return result;
}

LabelLoss::Outcome LabelLoss::compare(std::span<const TrainingExample* const> examples,
                                      std::span<const SeenObjects> seen) {
    const std::size_t images = std::transform_reduce(examples.begin(), examples.end(), std::size_t{0}, std::plus<>(),
                                                     [](const TrainingExample* one) { return one->images.size(); });
    if (images != seen.size())
        throw std::invalid_argument(fmt::format("objects of {} images for examples with {}", seen.size(), images));
    std::vector<double> values(valuation_.atoms().size());
    InputBatch::Builder given(examples.size());
    std::vector<const SupervisedExample*> supervised;
    std::vector<SoftValuation::Looked> all;
    for (std::size_t e = 0, first = 0; e < examples.size(); first += examples[e++]->images.size()) {
        all.push_back(looked(*examples[e], seen.subspan(first, examples[e]->images.size())));
        valuation_.evaluate(all[e], values);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (!is_given(*examples[e], inputs_[i])) given.add(e, inputs_[i], static_cast<float>(values[places_[i]]));
        for (const AtomValue& value : examples[e]->given) given.add(e, value.atom, value.value);
        supervised.push_back(examples[e]);
    }
    pass_ = reasoner_->forward(given.build(), reasoner_->own_weights(), {.keep = Keep::Backward}, std::move(pass_));

    Outcome outcome;
    LabelSums sums(WeightLossKind::CrossEntropy, CrossEntropy{options_.epsilon});
    InputBatch::Builder seeds(examples.size());
    sums.add(pass_, supervised, seeds, label_count(examples));
    outcome.loss = sums.labels() > 0 ? sums.loss() : 0;
    outcome.certain = sums.certain();
    outcome.right = sums.right();
    std::vector<double> by_input(examples.size() * inputs_.size());
    reasoner_->backward(pass_, seeds.build(), {.inputs = inputs_, .by_input = by_input});

    for (const SeenObjects& one : seen) outcome.gradients.emplace_back(one.rows.size());
    for (std::size_t e = 0, first = 0; e < examples.size(); first += examples[e++]->images.size()) {
        std::ranges::fill(values, 0.0);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (!is_given(*examples[e], inputs_[i])) values[places_[i]] = by_input[e * inputs_.size() + i];
        valuation_.backward(all[e], values, std::span(outcome.gradients).subspan(first, all[e].images.size()));
    }
    return outcome;
}

}  // namespace neumann
