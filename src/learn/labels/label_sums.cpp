#include "learn/labels/label_sums.h"

#include <algorithm>
#include <vector>

namespace neumann {

LossTerm LabelSums::atom_loss(const AtomLabels& labels, double value, WeightLossKind kind) const {
    return kind == WeightLossKind::Squared ? squared_error(value, labels.count, labels.sum, labels.squares)
                                           : cross_entropy_.of_counts(value, labels.sum, labels.count - labels.sum);
}

void LabelSums::add_underivable(const AtomLabels& labels) {
    loss_ += atom_loss(labels, 0, kind_).loss;
    squared_ += labels.squares;
    of_atoms_ += labels.count;
    right_ += labels.certain - labels.positive;
    certain_ += labels.certain;
    all_ += labels.count;
}

// Returns the derivative of the loss by the value, and so does the next.
double LabelSums::add(const AtomLabels& labels, double value) {
    const LossTerm term = atom_loss(labels, value, kind_);
    loss_ += term.loss;
    squared_ += atom_loss(labels, value, WeightLossKind::Squared).loss;
    of_atoms_ += labels.count;
    all_ += labels.count;
    certain_ += labels.certain;
    right_ += value >= 0.5 ? labels.positive : labels.certain - labels.positive;
    return term.slope;
}

double LabelSums::add(const ClassLabels& labels, std::uint32_t atom, double value) {
    const auto found = labels.count.find(atom);
    const double count = found == labels.count.end() ? 0 : found->second;
    const LossTerm term = kind_ == WeightLossKind::Squared ? squared_error(value, labels.all, count, count)
                                                           : cross_entropy_.of_share(value, count, labels.all);
    loss_ += term.loss;
    return term.slope;
}

// Once for all its atoms: the likeliest answer is right or not; two that are equally likely are none.
void LabelSums::judge(const ClassLabels& labels, std::span<const double> values) {
    const auto best = std::ranges::max_element(values);
    if (kind_ == WeightLossKind::CrossEntropy) loss_ -= labels.all;
    certain_ += labels.all;
    all_ += labels.all;
    if (std::ranges::count(values, *best) > 1) return;
    const auto found = labels.count.find(labels.atoms[static_cast<std::size_t>(best - values.begin())]);
    right_ += found == labels.count.end() ? 0 : found->second;
}

void LabelSums::add(const Pass& pass, std::span<const SupervisedExample* const> examples, InputBatch::Builder& seeds,
                    double share) {
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> atoms;
    for (std::uint32_t e = 0; e < examples.size(); ++e) {
        for (const auto& [atom, labels] : examples[e]->atoms) atoms.push_back(atom);
        for (const auto& [key, labels] : examples[e]->classes)
            atoms.insert(atoms.end(), labels.atoms.begin(), labels.atoms.end());
        places.resize(atoms.size(), e);
    }
    std::vector<double> values(atoms.size());
    pass.gather(places, atoms, std::span(values));
    std::size_t next = 0;
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (const auto& [atom, labels] : examples[e]->atoms) seeds.add(e, atom, add(labels, values[next++]) / share);
        for (const auto& [key, labels] : examples[e]->classes) {
            judge(labels, std::span(values).subspan(next, labels.atoms.size()));
            for (const std::uint32_t atom : labels.atoms) seeds.add(e, atom, add(labels, atom, values[next++]) / share);
        }
    }
}

LearnScore LabelSums::score(std::size_t examples) const {
    LearnScore result;
    result.examples = examples;
    result.labels = static_cast<std::size_t>(all_);
    result.loss = loss();
    result.squared_error = of_atoms_ > 0 ? squared_ / of_atoms_ : 0;
    result.certain = static_cast<std::size_t>(certain_);
    result.accuracy = certain_ > 0 ? right_ / certain_ : 0;
    return result;
}

}  // namespace neumann
