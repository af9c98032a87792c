#include "learn/networks/label_loss.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "compile/atom_names.h"
#include "learn/loss/loss.h"

namespace neumann {

LabelLoss::LabelLoss(LoadedProgram& loaded, const ObjectLayout& layout, const LabelLossOptions& options,
                     const PredicateWeights& weights)
    : options_(options), valuation_(loaded.compiled.program.signature, layout, weights),
      reasoner_(make_reasoner(loaded.compiled.ground.graph, options.reason,
                              loaded.levels.level.empty() ? nullptr : &loaded.levels)) {
    const std::vector<Atom>& labels = loaded.compiled.program.labels;
    if (labels.size() != 1)
        throw std::invalid_argument(
            fmt::format("the program has {} labels where one is needed, as in :- label(kp(img)).", labels.size()));
    AtomNames names(loaded.compiled);
    const std::optional<std::uint32_t> label = names.find(labels.front().predicate, labels.front().args);
    for (std::size_t a = 0; a < valuation_.atoms().size(); ++a) {
        const NamedAtom& named = names.find(valuation_.atoms()[a]);
        if (named.kind != NamedAtom::Kind::InGraph) continue;
        inputs_.push_back(named.atom);
        places_.push_back(a);
    }
    if (!label || inputs_.empty())
        throw std::invalid_argument("the program's label does not depend on anything that is seen");
    label_ = *label;
}

LabelLoss::Outcome LabelLoss::compare(std::span<const SeenObjects> pictures, std::span<const std::uint8_t> labels) {
    if (labels.size() != pictures.size())
        throw std::invalid_argument(fmt::format("{} labels for {} pictures", labels.size(), pictures.size()));
    std::vector<double> values(valuation_.atoms().size());
    std::vector<float> given(pictures.size() * inputs_.size());
    for (std::size_t e = 0; e < pictures.size(); ++e) {
        valuation_.evaluate({{&pictures[e]}, {}}, values);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            given[e * inputs_.size() + i] = static_cast<float>(values[places_[i]]);
    }
    pass_ = reasoner_->forward(InputBatch::dense(pictures.size(), inputs_, given), reasoner_->own_weights(),
                               {.keep = Keep::Backward}, std::move(pass_));

    Outcome outcome;
    const auto count = static_cast<double>(pictures.size());
    outcome.probabilities.resize(pictures.size());
    pass_.outputs({&label_, 1}, outcome.probabilities);
    std::vector<float> seeds;
    for (std::size_t e = 0; e < pictures.size(); ++e) {
        const CrossEntropy loss{options_.epsilon};
        outcome.loss += loss.loss(outcome.probabilities[e], labels[e] != 0) / count;
        seeds.push_back(static_cast<float>(loss.slope(outcome.probabilities[e], labels[e] != 0) / count));
    }
    std::vector<double> by_input(given.size());
    reasoner_->backward(pass_, InputBatch::dense(pictures.size(), {&label_, 1}, seeds),
                        {.inputs = inputs_, .by_input = by_input});

    for (std::size_t e = 0; e < pictures.size(); ++e) {
        std::ranges::fill(values, 0.0);
        for (std::size_t i = 0; i < inputs_.size(); ++i) values[places_[i]] = by_input[e * inputs_.size() + i];
        std::vector<float>& by_row = outcome.gradients.emplace_back(pictures[e].rows.size());
        valuation_.backward({{&pictures[e]}, {}}, values, {&by_row, 1});
    }
    return outcome;
}

}  // namespace neumann
