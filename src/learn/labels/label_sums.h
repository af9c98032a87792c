// Loss of a program on labelled atoms: sums over examples, and the derivatives at which a backward pass starts.
#pragma once

#include <cstdint>
#include <span>

#include <neumann/learn.h>

#include "learn/labels/example_labels.h"
#include "learn/loss/loss.h"
#include "reason/pass.h"

namespace neumann {

class LabelSums {
public:
    explicit LabelSums(WeightLossKind kind, CrossEntropy cross_entropy) : kind_(kind), cross_entropy_(cross_entropy) {}

    // Labels of atoms whose value is 0 whatever is learned.
    void add_underivable(const AtomLabels& labels);
    // The examples of a pass, in their order. Seeds are the derivatives of the summed loss by the atoms' values,
    // divided by `share`.
    void add(const Pass& pass, std::span<const SupervisedExample* const> examples, InputBatch::Builder& seeds,
             double share = 1);

    double labels() const { return all_; }
    double certain() const { return certain_; }  // labels that a value is right or wrong about,
    double right() const { return right_; }      // and how many are right
    double loss() const { return loss_ / all_; }
    LearnScore score(std::size_t examples) const;

private:
    LossTerm atom_loss(const AtomLabels& labels, double value, WeightLossKind kind) const;
    double add(const AtomLabels& labels, double value);
    double add(const ClassLabels& labels, std::uint32_t atom, double value);
    void judge(const ClassLabels& labels, std::span<const double> values);

    WeightLossKind kind_;
    CrossEntropy cross_entropy_;
    double loss_ = 0;
    double squared_ = 0;
    double of_atoms_ = 0;
    double certain_ = 0;
    double right_ = 0;
    double all_ = 0;
};

}  // namespace neumann
