#include "learn/probabilities/weight_loss.h"

#include <algorithm>
#include <utility>

#include "learn/loss/loss.h"

namespace neumann {
namespace {

constexpr std::size_t examples_in_a_pass = 4096;
constexpr CrossEntropy cross_entropy{1e-6};

// Of an atom's value against all its labels.
LossTerm atom_loss(const AtomLabels& labels, double value, WeightLossKind kind) {
    return kind == WeightLossKind::Squared ? squared_error(value, labels.count, labels.sum, labels.squares)
                                           : cross_entropy.of_counts(value, labels.sum, labels.count - labels.sum);
}

// Of one of the atoms that exclude each other.
LossTerm class_loss(const ClassLabels& labels, std::uint32_t atom, double value, WeightLossKind kind) {
    const auto found = labels.count.find(atom);
    const double count = found == labels.count.end() ? 0 : found->second;
    return kind == WeightLossKind::Squared ? squared_error(value, labels.all, count, count)
                                           : cross_entropy.of_share(value, count, labels.all);
}

}  // namespace

class LabelledLoss::Sums {
public:
    Sums(WeightLossKind kind, const WeightExamples& examples) : kind_(kind) {
        const LossTerm never = atom_loss(examples.underivable, 0, kind);
        loss_ = never.loss;
        score_.examples = examples.examples;
        squared_ = examples.underivable.squares;
        of_atoms_ = examples.underivable.count;
        right_ = examples.underivable.certain - examples.underivable.positive;
        certain_ = examples.underivable.certain;
        all_ = examples.labels();
    }

    // The derivative of the loss by the value of an atom.
    double count(const AtomLabels& labels, double value) {
        const LossTerm term = atom_loss(labels, value, kind_);
        loss_ += term.loss;
        squared_ += atom_loss(labels, value, WeightLossKind::Squared).loss;
        of_atoms_ += labels.count;
        certain_ += labels.certain;
        right_ += value >= 0.5 ? labels.positive : labels.certain - labels.positive;
        return term.slope;
    }

    double count(const ClassLabels& labels, std::uint32_t atom, double value) {
        const LossTerm term = class_loss(labels, atom, value, kind_);
        loss_ += term.loss;
        return term.slope;
    }

    // Once for all its atoms: the likeliest answer is right or not; two that are equally likely are none.
    void judge(const ClassLabels& labels, std::span<const double> values) {
        const auto best = std::ranges::max_element(values);
        if (kind_ == WeightLossKind::CrossEntropy) loss_ -= labels.all;
        certain_ += labels.all;
        if (std::ranges::count(values, *best) > 1) return;
        const auto found = labels.count.find(labels.atoms[static_cast<std::size_t>(best - values.begin())]);
        right_ += found == labels.count.end() ? 0 : found->second;
    }

    double labels() const { return all_; }
    double loss() const { return loss_ / all_; }
    LearnScore score() const {
        LearnScore result = score_;
        result.labels = static_cast<std::size_t>(all_);
        result.loss = loss();
        result.squared_error = of_atoms_ > 0 ? squared_ / of_atoms_ : 0;
        result.certain = static_cast<std::size_t>(certain_);
        result.accuracy = certain_ > 0 ? right_ / certain_ : 0;
        return result;
    }

    std::vector<double> by_weight;

private:
    WeightLossKind kind_;
    LearnScore score_;
    double loss_ = 0;
    double squared_ = 0;
    double of_atoms_ = 0;
    double certain_ = 0;
    double right_ = 0;
    double all_ = 0;
};

void LabelledLoss::go_through(const WeightExamples& examples, std::span<const double> weights, bool backward,
                              Sums& sums) {
    sums.by_weight.assign(weights.size(), 0.0);
    for (std::size_t first = 0; first < examples.different.size(); first += examples_in_a_pass) {
        const std::span<const WeightExample> some =
            std::span(examples.different)
                .subspan(first, std::min(examples_in_a_pass, examples.different.size() - first));
        InputBatch::Builder given(some.size());
        std::vector<std::uint32_t> places;
        std::vector<std::uint32_t> atoms;
        for (std::uint32_t e = 0; e < some.size(); ++e) {
            for (const AtomValue& value : some[e].given) given.add(e, value.atom, value.value);
            for (const auto& [atom, labels] : some[e].atoms) atoms.push_back(atom);
            for (const auto& [key, labels] : some[e].classes)
                atoms.insert(atoms.end(), labels.atoms.begin(), labels.atoms.end());
            places.resize(atoms.size(), e);
        }
        pass_ = reasoner_.forward(given.build(), weights, {.keep = backward ? Keep::Backward : Keep::Results},
                                  std::move(pass_));
        std::vector<double> values(atoms.size());
        pass_.gather(places, atoms, std::span(values));
        InputBatch::Builder seeds(some.size());
        std::size_t next = 0;
        for (std::size_t e = 0; e < some.size(); ++e) {
            for (const auto& [atom, labels] : some[e].atoms) seeds.add(e, atom, sums.count(labels, values[next++]));
            for (const auto& [key, labels] : some[e].classes) {
                sums.judge(labels, std::span(values).subspan(next, labels.atoms.size()));
                for (const std::uint32_t atom : labels.atoms)
                    seeds.add(e, atom, sums.count(labels, atom, values[next++]));
            }
        }
        if (!backward) continue;
        const GradientSums wanted{.by_clause = sums.by_weight};
        reasoner_.backward(pass_, seeds.build(), {.sums = {&wanted, 1}});
    }
}

WeightLoss LabelledLoss::operator()(const WeightExamples& examples, std::span<const double> weights) {
    Sums sums(kind_, examples);
    go_through(examples, weights, true, sums);
    for (double& gradient : sums.by_weight) gradient /= sums.labels();
    return {sums.loss(), std::move(sums.by_weight)};
}

LearnScore LabelledLoss::score(const WeightExamples& examples, std::span<const double> weights) {
    Sums sums(kind_, examples);
    go_through(examples, weights, false, sums);
    return sums.score();
}

}  // namespace neumann
