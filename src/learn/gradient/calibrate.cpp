#include "learn/gradient/calibrate.h"

#include <algorithm>
#include <cmath>

#include "learn/loss/optimiser.h"

namespace neumann {
namespace {

constexpr std::size_t most_examples = 2000;
constexpr int steps = 150;
constexpr double rate = 0.05;
constexpr double start = 3;  // the logit of 0.95

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

std::vector<double> calibrate_weights(const LearningProblem& problem, const std::vector<std::uint32_t>& program,
                                      const Dataset& train, const std::vector<bool>& asked,
                                      const GraphRunOptions& options, double loss_floor) {
    const std::vector<double> ones(program.size(), 1.0);
    CandidateGraph graph(problem, program, asked, options);
    std::vector<float> values;
    graph.set_weights(ones);
    graph.predict(train, values);
    const double before = accuracy(train, values);
    if (before == 1) return ones;
    // Every so many examples, so that all parts of the set are there.
    std::vector<std::uint32_t> examples;
    const std::size_t stride = (train.size() + most_examples - 1) / most_examples;
    for (std::size_t e = 0; e < train.size(); e += stride) examples.push_back(static_cast<std::uint32_t>(e));
    const std::vector<double> balance = balanced_weights(train);
    std::vector<double> logits(program.size(), start);
    Optimiser optimiser({.rate = rate}, logits.size());
    std::vector<double> weights(program.size());
    const auto compose = [&] { std::ranges::transform(logits, weights.begin(), sigmoid); };
    for (int step = 0; step < steps; ++step) {
        compose();
        graph.set_weights(weights);
        std::vector<double> gradient = graph.gradient(train, examples, balance, CrossEntropy{loss_floor}).by_weight;
        for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] *= weights[k] * (1 - weights[k]);
        optimiser.step(logits, gradient);
    }
    compose();
    // Rounded to the printed digits, so that the printed program is exact.
    for (double& weight : weights) weight = std::clamp(std::round(weight * 1e4) / 1e4, 1e-4, 1.0);
    graph.set_weights(weights);
    graph.predict(train, values);
    return accuracy(train, values) < before ? ones : weights;
}

}  // namespace neumann
