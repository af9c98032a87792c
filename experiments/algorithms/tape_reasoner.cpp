#include "algorithms/tape_reasoner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "learn/task/learn_error.h"

namespace neumann {

double PlainCrossEntropy::loss(double p, bool positive) {
    const double q = std::clamp(positive ? p : 1 - p, 0.0, 1.0);
    return q == 0 ? 100.0 : std::min(100.0, -std::log(q));
}

double PlainCrossEntropy::slope(double p, bool positive) {
    return (p - (positive ? 1.0 : 0.0)) / std::max(p * (1 - p), 1e-12);
}

TapeReasoner::TapeReasoner(const LearningProblem& problem, std::span<const std::uint32_t> candidates,
                           const std::vector<bool>& asked, ReasonerTask task, const std::atomic<bool>* stop)
    : stop_(stop) {
    std::vector<const InstanceBlock*> blocks;
    for (const std::uint32_t k : candidates) blocks.push_back(problem.candidate(k).instances.get());
    const std::vector<double> ones(blocks.size(), 1.0);
    const ReasoningGraph graph = problem.grounder().assemble(blocks, ones);
    task.background = problem.grounder().background_clauses();
    written_ = write_reasoner(graph, task, problem.is_input(), asked);
    learned_ = task.learned_weights(candidates.size());
    parameters_.assign(learned_, 0.0);
    for (std::uint32_t k = 0; k < task.background; ++k) parameters_.push_back(graph.weight[k]);
}

void TapeReasoner::forward(const Dataset& data, std::span<const std::uint32_t> examples,
                           std::span<const double> weights) {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw LearningInterrupted();
    std::ranges::copy(weights, parameters_.begin());
    written_.tape.begin(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        for (const AtomValue& input : data.inputs(examples[i])) {
            const Tape::Row row = written_.input[input.atom];
            if (row != WrittenReasoner::no_row) written_.tape.set(row, i, static_cast<double>(input.value));
        }
    }
    written_.tape.forward(parameters_);
}

double TapeReasoner::value_of(const Dataset& data, std::size_t target, std::size_t example) const {
    const std::uint32_t atom = data.target(target).atom;
    const Tape::Row row = atom == LearningProblem::no_atom_number ? WrittenReasoner::no_row : written_.result[atom];
    return row == WrittenReasoner::no_row ? 0.0 : written_.tape.value(row, example);
}

void TapeReasoner::predict(const Dataset& data, std::span<const double> weights, std::size_t batch,
                           std::vector<float>& values) {
    values.resize(data.target_count());
    std::vector<std::uint32_t> examples(data.size());
    std::iota(examples.begin(), examples.end(), 0U);
    for (std::size_t first = 0; first < examples.size(); first += batch)
        predict(data, std::span(examples).subspan(first, std::min(batch, examples.size() - first)), weights, values);
}

void TapeReasoner::predict(const Dataset& data, std::span<const std::uint32_t> examples,
                           std::span<const double> weights, std::vector<float>& values) {
    values.resize(data.target_count());
    forward(data, examples, weights);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        for (std::size_t t = data.first_target(examples[i]); t < data.end_target(examples[i]); ++t)
            values[t] = static_cast<float>(value_of(data, t, i));
    }
}

TapeReasoner::Gradient TapeReasoner::gradient(const Dataset& data, std::span<const std::uint32_t> batch,
                                              const std::vector<bool>& counts, std::span<const double> weights) {
    forward(data, batch, weights);
    std::size_t labels = 0;
    for (const std::uint32_t e : batch) {
        for (std::size_t t = data.first_target(e); t < data.end_target(e); ++t) labels += counts[t] ? 1 : 0;
    }
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, labels));
    Gradient result;
    written_.tape.begin_backward();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        for (std::size_t t = data.first_target(batch[i]); t < data.end_target(batch[i]); ++t) {
            if (!counts[t]) continue;
            const Dataset::Target& target = data.target(t);
            const double p = value_of(data, t, i);
            result.loss += share * PlainCrossEntropy::loss(p, target.positive);
            if (target.atom == LearningProblem::no_atom_number) continue;
            const Tape::Row row = written_.result[target.atom];
            if (row != WrittenReasoner::no_row)
                written_.tape.seed(row, i, share * PlainCrossEntropy::slope(p, target.positive));
        }
    }
    std::vector<double> by_parameter(parameters_.size(), 0.0);
    written_.tape.backward(by_parameter);
    by_parameter.resize(learned_);
    result.by_weight = std::move(by_parameter);
    return result;
}

}  // namespace neumann
