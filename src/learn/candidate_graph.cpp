#include "learn/candidate_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/rng.h"
#include "graph/simplify.h"
#include "learn/learn_error.h"

namespace neumann {
namespace {

constexpr std::size_t chunk_size = 1024;  // examples that are in memory at once

// What can be more than 0 in some example.
std::vector<bool> possible_atoms(const LearningProblem& problem, const ReasoningGraph& graph) {
    std::vector<bool> given = problem.is_input();
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) given[a] = given[a] || graph.initial[a] > 0;
    return possible_atoms(graph, std::move(given));
}

// What depends on an input.
std::vector<bool> open_atoms(const LearningProblem& problem, const ReasoningGraph& graph) {
    std::vector<bool> open = problem.is_input();
    std::vector<std::uint32_t> todo;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (open[a]) todo.push_back(a);
    }
    while (!todo.empty()) {
        const std::uint32_t atom = todo.back();
        todo.pop_back();
        for (const std::uint32_t c : graph.uses_of(atom)) {
            if (open[graph.head[c]]) continue;
            open[graph.head[c]] = true;
            todo.push_back(graph.head[c]);
        }
    }
    return open;
}

std::vector<std::uint32_t> numbers_of_kept(const std::vector<bool>& keep) {
    std::vector<std::uint32_t> number(keep.size(), LearningProblem::no_atom_number);
    std::uint32_t next = 0;
    for (std::size_t a = 0; a < keep.size(); ++a) {
        if (keep[a]) number[a] = next++;
    }
    return number;
}

std::unique_ptr<GraphReasoner> make_reasoner(ReasoningGraph graph, const GraphRunOptions& options) {
    ReasonOptions reasoning = options.reasoning;
    if (reasoning.steps) return std::make_unique<GraphReasoner>(std::move(graph), reasoning);
    const GraphLevels levels = find_levels(graph);
    if (levels.cyclic_component_count() > 0) reasoning.steps = options.cyclic_steps;
    return std::make_unique<GraphReasoner>(std::move(graph), reasoning, &levels);
}

}  // namespace

CandidateGraph::CandidateGraph(const LearningProblem& problem, std::vector<std::uint32_t> candidates,
                               const std::vector<bool>& asked, const GraphRunOptions& options)
    : candidates_(std::move(candidates)), first_clause_(problem.grounder().background_clauses()), stop_(options.stop) {
    std::vector<const InstanceBlock*> blocks;
    for (const std::uint32_t c : candidates_) blocks.push_back(problem.candidate(c).instances.get());
    const std::vector<double> ones(blocks.size(), 1.0);
    find_parts(problem, problem.grounder().assemble(blocks, ones), asked, options);
}

void CandidateGraph::find_parts(const LearningProblem& problem, ReasoningGraph graph, const std::vector<bool>& asked,
                                const GraphRunOptions& options) {
    const std::uint32_t atoms = graph.atom_count();
    weights_.assign(graph.weight.begin(), graph.weight.end());
    std::vector<bool> impossible = possible_atoms(problem, graph);
    impossible.flip();
    std::vector<bool> keep = needed_atoms(graph, asked, std::vector<bool>(atoms, false), impossible);
    for (std::uint32_t a = 0; a < atoms; ++a) keep[a] = keep[a] && !impossible[a];
    const std::vector<bool> open = open_atoms(problem, graph);

    Simplification in_open{keep, std::vector<bool>(atoms, false), impossible, std::vector<bool>(atoms, false)};
    Simplification in_fixed = in_open;
    for (std::uint32_t a = 0; a < atoms; ++a) {
        in_fixed.keep[a] = keep[a] && !open[a];
        in_open.given[a] = !open[a];
        const bool used_by_open =
            std::ranges::any_of(graph.uses_of(a), [&](std::uint32_t c) { return open[graph.head[c]]; });
        in_open.keep[a] = keep[a] && (open[a] || asked[a] || used_by_open);
    }
    open_number_ = numbers_of_kept(in_open.keep);
    const std::vector<std::uint32_t> fixed_number = numbers_of_kept(in_fixed.keep);
    for (std::uint32_t a = 0; a < atoms; ++a) {
        if (in_open.keep[a] && !open[a]) given_.push_back({fixed_number[a], open_number_[a]});
    }
    ReasoningGraph fixed = simplify(graph, in_fixed);
    ReasoningGraph rest = simplify(graph, in_open);
    open_initial_.assign(rest.initial.begin(), rest.initial.end());
    if (fixed.conjunction_count() > 0) fixed_ = make_reasoner(std::move(fixed), options);
    open_ = make_reasoner(std::move(rest), options);
}

void CandidateGraph::set_weights(std::span<const double> weights) {
    std::ranges::copy(weights, weights_.begin() + first_clause_);
    open_->set_weights(weights_);
    if (fixed_ != nullptr) fixed_->set_weights(weights_);
    fixed_is_stale_ = true;
}

void CandidateGraph::compute_fixed_part() {
    if (fixed_ == nullptr || !fixed_is_stale_) return;
    fixed_->forward(AtomNumbers(1), fixed_pass_, Keep::Backward);
    for (const Given& atom : given_) open_initial_[atom.open] = fixed_pass_.value(atom.fixed, 0);
    open_->set_initial(open_initial_);
    fixed_is_stale_ = false;
}

void CandidateGraph::forward(const Dataset& data, std::span<const std::uint32_t> examples, Keep keep) {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw LearningInterrupted();
    compute_fixed_part();
    inputs_.resize(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        inputs_.clear(i);
        for (const AtomNumbers::Entry& entry : data.inputs(examples[i])) {
            const std::uint32_t atom = open_number_[entry.atom];
            if (atom != LearningProblem::no_atom_number) inputs_.set(i, atom, entry.value);
        }
    }
    open_->forward(inputs_, pass_, keep);
}

std::uint32_t CandidateGraph::open_number(std::uint32_t atom) const {
    return atom == LearningProblem::no_atom_number ? atom : open_number_[atom];
}

float CandidateGraph::value(const Dataset::Target& target, std::size_t lane) const {
    const std::uint32_t atom = open_number(target.atom);
    return atom == LearningProblem::no_atom_number ? 0 : pass_.value(atom, lane);
}

void CandidateGraph::predict(const Dataset& data, std::vector<float>& values) {
    predict(data, all_examples(data), values);
}

void CandidateGraph::predict(const Dataset& data, std::span<const std::uint32_t> examples, std::vector<float>& values) {
    values.resize(data.target_count());
    for (std::size_t first = 0; first < examples.size(); first += chunk_size) {
        const auto chunk = examples.subspan(first, std::min(chunk_size, examples.size() - first));
        forward(data, chunk, Keep::Results);
        for (std::size_t i = 0; i < chunk.size(); ++i) {
            for (std::size_t t = data.first_target(chunk[i]); t < data.end_target(chunk[i]); ++t)
                values[t] = value(data.target(t), i);
        }
    }
}

double CandidateGraph::backward(const Dataset& data, std::span<const std::uint32_t> examples,
                                std::span<const double> weights, const CrossEntropy& loss, std::optional<bool> only) {
    double sum = 0;
    AtomNumbers by_result(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        for (std::size_t t = data.first_target(examples[i]); t < data.end_target(examples[i]); ++t) {
            const Dataset::Target& target = data.target(t);
            if (weights[t] == 0 || (only && *only != target.positive)) continue;
            const auto p = static_cast<double>(value(target, i));
            sum += weights[t] * loss.loss(p, target.positive);
            const std::uint32_t atom = open_number(target.atom);
            if (atom == LearningProblem::no_atom_number) continue;
            by_result.set(i, atom, static_cast<float>(weights[t] * loss.slope(p, target.positive)));
        }
    }
    open_->backward(pass_, by_result, gradients_);
    return sum;
}

template <class Factor>
void CandidateGraph::add_up(std::size_t examples, const Factor& factor, Sums& sums) const {
    sums.by_weight.resize(candidates_.size(), 0.0);
    sums.by_given.resize(given_.size(), 0.0);
    std::vector<double> of_example(examples);
    for (std::size_t i = 0; i < examples; ++i) of_example[i] = factor(i);
    for (std::size_t i = 0; i < examples; ++i) {
        for (std::uint32_t k = 0; k < candidates_.size(); ++k)
            sums.by_weight[k] += of_example[i] * static_cast<double>(gradients_.weight(first_clause_ + k, i));
        if (fixed_ == nullptr) continue;
        for (std::size_t g = 0; g < given_.size(); ++g)
            sums.by_given[g] += of_example[i] * static_cast<double>(gradients_.input(given_[g].open, i));
    }
}

std::vector<double> CandidateGraph::through_fixed_part(const Sums& sums) {
    std::vector<double> by_weight = sums.by_weight;
    by_weight.resize(candidates_.size(), 0.0);
    if (fixed_ == nullptr) return by_weight;
    AtomNumbers by_result(1);
    for (std::size_t g = 0; g < sums.by_given.size(); ++g) {
        if (sums.by_given[g] != 0) by_result.set(0, given_[g].fixed, static_cast<float>(sums.by_given[g]));
    }
    fixed_->backward(fixed_pass_, by_result, fixed_gradients_);
    for (std::uint32_t k = 0; k < candidates_.size(); ++k)
        by_weight[k] += static_cast<double>(fixed_gradients_.weight(first_clause_ + k, 0));
    return by_weight;
}

CandidateGraph::Gradient CandidateGraph::gradient(const Dataset& data, std::span<const std::uint32_t> examples,
                                                  std::span<const double> weights, const CrossEntropy& loss) {
    Gradient result;
    Sums sums;
    for (std::size_t first = 0; first < examples.size(); first += chunk_size) {
        const auto chunk = examples.subspan(first, std::min(chunk_size, examples.size() - first));
        forward(data, chunk, Keep::Backward);
        result.loss += backward(data, chunk, weights, loss, std::nullopt);
        add_up(
            chunk.size(), [](std::size_t) { return 1.0; }, sums);
    }
    result.by_weight = through_fixed_part(sums);
    return result;
}

CandidateGraph::SplitGradient CandidateGraph::split_gradient(const Dataset& data,
                                                             std::span<const std::uint32_t> examples,
                                                             std::span<const double> weights,
                                                             const CrossEntropy& loss) {
    SplitGradient result;
    std::array<Sums, 2> by_label;
    std::array<Sums, 2> prints;
    for (std::size_t first = 0; first < examples.size(); first += chunk_size) {
        const auto chunk = examples.subspan(first, std::min(chunk_size, examples.size() - first));
        forward(data, chunk, Keep::Backward);
        for (const bool positive : {true, false}) {
            (positive ? result.positive : result.negative).loss += backward(data, chunk, weights, loss, positive);
            add_up(
                chunk.size(), [](std::size_t) { return 1.0; }, by_label[positive ? 1 : 0]);
            for (std::size_t number = 0; number < prints.size(); ++number) {
                // Another number for every example, label and fingerprint.
                const auto chance = [&](std::size_t i) {
                    return Rng((std::uint64_t{chunk[i]} * 2 + (positive ? 1 : 0)) * prints.size() + number).uniform();
                };
                add_up(chunk.size(), chance, prints[number]);
            }
        }
    }
    result.positive.by_weight = through_fixed_part(by_label[1]);
    result.negative.by_weight = through_fixed_part(by_label[0]);
    result.fingerprint.resize(candidates_.size());
    for (std::size_t number = 0; number < prints.size(); ++number) {
        const std::vector<double> sums = through_fixed_part(prints[number]);
        for (std::size_t k = 0; k < sums.size(); ++k) result.fingerprint[k][number] = sums[k];
    }
    return result;
}

std::vector<std::uint32_t> all_examples(const Dataset& data) {
    std::vector<std::uint32_t> examples(data.size());
    std::iota(examples.begin(), examples.end(), 0U);
    return examples;
}

}  // namespace neumann
