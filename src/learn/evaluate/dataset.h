// Data set of labelled examples in the numbers of the ground program, with the weight of each label.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/evaluate/problem.h"
#include "learn/loss/loss.h"
#include "learn/task/examples.h"

namespace neumann {

class Dataset {
public:
    struct Target {
        std::uint32_t atom;  // LearningProblem::no_atom_number: it cannot hold
        bool positive;
    };
    Dataset(const LearningProblem& problem, const ExampleSet& set);
    // The same atoms are requested in each example, also without labels for them.
    Dataset(const LearningProblem& problem, std::span<const LabelledExample> examples,
            std::span<const std::uint32_t> asked);

    std::size_t size() const { return target_begin_.size() - 1; }  // examples
    std::span<const AtomValue> inputs(std::size_t example) const {
        return std::span(inputs_).subspan(input_begin_[example], input_begin_[example + 1] - input_begin_[example]);
    }
    std::size_t target_count() const { return targets_.size(); }
    const Target& target(std::size_t target) const { return targets_[target]; }
    // The targets of an example are neighbours.
    std::size_t first_target(std::size_t example) const { return target_begin_[example]; }
    std::size_t end_target(std::size_t example) const { return target_begin_[example + 1]; }
    std::size_t positives() const { return positives_; }

private:
    void add_inputs(const LearningProblem& problem, const LabelledExample& example);

    std::vector<AtomValue> inputs_;
    std::vector<std::size_t> input_begin_ = {0};
    std::vector<Target> targets_;
    std::vector<std::size_t> target_begin_ = {0};
    std::size_t positives_ = 0;
};

// Per target: all positive and all negative labels count one half each, however many there are. If only a share of the
// negatives takes part (the first ones in `order`), they count that much less than half.
std::vector<double> balanced_weights(const Dataset& data, double negative_share = 1,
                                     std::span<const std::uint32_t> order = {});

// The share of targets on the right side of the threshold.
double accuracy(const Dataset& data, std::span<const float> values, double threshold = 0.5);

double mean_loss(const Dataset& data, std::span<const float> values, std::span<const double> weights,
                 const CrossEntropy& loss);

}  // namespace neumann
