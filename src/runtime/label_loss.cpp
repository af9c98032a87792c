#include "runtime/label_loss.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/atom_names.h"

namespace neumann {

LabelLoss::LabelLoss(LoadedProgram& loaded, const ObjectLayout& layout, const LabelLossOptions& options,
                     const PredicateWeights& weights)
    : options_(options), valuation_(loaded.compiled.program.signature, layout, weights),
      reasoner_(loaded.compiled.ground.graph, options.reason, loaded.levels.level.empty() ? nullptr : &loaded.levels) {
    const std::vector<Atom>& labels = loaded.compiled.program.labels;
    if (labels.size() != 1)
        throw std::invalid_argument(
            fmt::format("the program has {} labels where one is needed, as in :- label(kp(img)).", labels.size()));
    AtomNames names(loaded.compiled);
    const std::optional<std::uint32_t> label = names.find(labels.front().predicate, labels.front().args);
    for (const std::string& atom : valuation_.atoms()) {
        const NamedAtom& named = names.find(atom);
        graph_atoms_.push_back(named.kind == NamedAtom::Kind::InGraph ? named.atom : not_needed);
    }
    const bool depends = std::ranges::any_of(graph_atoms_, [](std::uint32_t atom) { return atom != not_needed; });
    if (!label || !depends) throw std::invalid_argument("the program's label does not depend on anything that is seen");
    label_ = *label;
}

LabelLoss::Outcome LabelLoss::compare(std::span<const SeenObjects> pictures, std::span<const std::uint8_t> labels) {
    if (labels.size() != pictures.size())
        throw std::invalid_argument(fmt::format("{} labels for {} pictures", labels.size(), pictures.size()));
    std::vector<double> values(valuation_.atoms().size());
    inputs_.resize(pictures.size());
    for (std::size_t e = 0; e < pictures.size(); ++e) {
        valuation_.evaluate({{&pictures[e]}, {}}, values);
        inputs_.clear(e);
        for (std::size_t a = 0; a < values.size(); ++a)
            if (graph_atoms_[a] != not_needed) inputs_.set(e, graph_atoms_[a], static_cast<float>(values[a]));
    }
    reasoner_.forward(inputs_, pass_, Keep::Backward);

    Outcome outcome;
    const auto count = static_cast<double>(pictures.size());
    seeds_.resize(pictures.size());
    for (std::size_t e = 0; e < pictures.size(); ++e) {
        const double probability = static_cast<double>(pass_.value(label_, e));
        const double slope = 1 - 2 * options_.epsilon;
        const double q = options_.epsilon + slope * probability;
        const bool positive = labels[e] != 0;
        outcome.loss -= std::log(positive ? q : 1 - q) / count;
        outcome.probabilities.push_back(probability);
        seeds_.clear(e);
        seeds_.set(e, label_, static_cast<float>((positive ? -1 / q : 1 / (1 - q)) * slope / count));
    }
    reasoner_.backward(pass_, seeds_, gradients_);

    for (std::size_t e = 0; e < pictures.size(); ++e) {
        for (std::size_t a = 0; a < values.size(); ++a)
            values[a] = graph_atoms_[a] == not_needed ? 0 : static_cast<double>(gradients_.input(graph_atoms_[a], e));
        std::vector<float>& by_row = outcome.gradients.emplace_back(pictures[e].rows.size());
        valuation_.backward({{&pictures[e]}, {}}, values, {&by_row, 1});
    }
    return outcome;
}

}  // namespace neumann
