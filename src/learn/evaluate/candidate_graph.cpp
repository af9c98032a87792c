#include "learn/evaluate/candidate_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/rng.h"
#include "graph/simplify.h"
#include "learn/task/learn_error.h"

namespace neumann {
namespace {

constexpr std::size_t chunk_size = 1024;  // examples that are in memory at once

// The atoms that can be more than 0 in some example.
std::vector<bool> possible_atoms(const LearningProblem& problem, const ReasoningGraph& graph) {
    std::vector<bool> given = problem.is_input();
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) given[a] = given[a] || graph.initial[a] > 0;
    return possible_atoms(graph, std::move(given));
}

// The atoms that depend on an input.
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

std::unique_ptr<GraphReasoner> reasoner_for(ReasoningGraph graph, const GraphRunOptions& options) {
    ReasonOptions reasoning = options.reasoning;
    if (reasoning.steps) return make_reasoner(std::move(graph), reasoning);
    const GraphLevels levels = find_levels(graph);
    if (levels.cyclic_component_count() > 0) reasoning.steps = options.cyclic_steps;
    return make_reasoner(std::move(graph), reasoning, &levels);
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
        if (!in_open.keep[a] || open[a]) continue;
        given_in_fixed_.push_back(fixed_number[a]);
        given_in_open_.push_back(open_number_[a]);
    }
    ReasoningGraph fixed = simplify(graph, in_fixed);
    ReasoningGraph rest = simplify(graph, in_open);
    open_initial_.assign(rest.initial.begin(), rest.initial.end());
    if (fixed.conjunction_count() > 0) fixed_ = reasoner_for(std::move(fixed), options);
    open_ = reasoner_for(std::move(rest), options);
}

void CandidateGraph::set_weights(std::span<const double> weights) {
    std::ranges::copy(weights, weights_.begin() + first_clause_);
    fixed_is_stale_ = true;
}

void CandidateGraph::compute_fixed_part() {
    if (fixed_ == nullptr || !fixed_is_stale_) return;
    fixed_pass_ = fixed_->forward(InputBatch(1), weights_, {.keep = Keep::Backward}, std::move(fixed_pass_));
    std::vector<float> given(given_in_fixed_.size());
    fixed_pass_.outputs(given_in_fixed_, given);
    for (std::size_t g = 0; g < given.size(); ++g) open_initial_[given_in_open_[g]] = given[g];
    fixed_is_stale_ = false;
}

void CandidateGraph::forward(const Dataset& data, std::span<const std::uint32_t> examples, Keep keep) {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw LearningInterrupted();
    compute_fixed_part();
    inputs_.reset(examples.size());
    asked_examples_.clear();
    asked_atoms_.clear();
    for (std::uint32_t i = 0; i < examples.size(); ++i) {
        for (const AtomValue& input : data.inputs(examples[i])) {
            const std::uint32_t atom = open_number_[input.atom];
            if (atom != LearningProblem::no_atom_number) inputs_.add(i, atom, input.value);
        }
        for (std::size_t t = data.first_target(examples[i]); t < data.end_target(examples[i]); ++t) {
            const std::uint32_t atom = open_number(data.target(t).atom);
            if (atom == LearningProblem::no_atom_number) continue;
            asked_examples_.push_back(i);
            asked_atoms_.push_back(atom);
        }
    }
    const std::span<const float> initial = fixed_ == nullptr ? std::span<const float>() : open_initial_;
    pass_ = open_->forward(inputs_.build(), weights_, {keep, initial}, std::move(pass_));
    values_.resize(asked_atoms_.size());
    pass_.gather(asked_examples_, asked_atoms_, values_);
}

std::uint32_t CandidateGraph::open_number(std::uint32_t atom) const {
    return atom == LearningProblem::no_atom_number ? atom : open_number_[atom];
}

void CandidateGraph::predict(const Dataset& data, std::vector<float>& values) {
    predict(data, all_examples(data), values);
}

void CandidateGraph::predict(const Dataset& data, std::span<const std::uint32_t> examples, std::vector<float>& values) {
    values.resize(data.target_count());
    for (std::size_t first = 0; first < examples.size(); first += chunk_size) {
        const auto chunk = examples.subspan(first, std::min(chunk_size, examples.size() - first));
        forward(data, chunk, Keep::Results);
        auto next = values_.begin();
        for (const std::uint32_t example : chunk) {
            for (std::size_t t = data.first_target(example); t < data.end_target(example); ++t) {
                const bool known = open_number(data.target(t).atom) != LearningProblem::no_atom_number;
                values[t] = known ? *next++ : 0.0F;
            }
        }
    }
}

double CandidateGraph::backward(const Dataset& data, std::span<const std::uint32_t> examples,
                                std::span<const double> weights, const CrossEntropy& loss, std::optional<bool> only,
                                std::span<const GradientSums> sums) {
    double sum = 0;
    by_result_.reset(examples.size());
    auto next = values_.begin();
    for (std::size_t i = 0; i < examples.size(); ++i) {
        for (std::size_t t = data.first_target(examples[i]); t < data.end_target(examples[i]); ++t) {
            const Dataset::Target& target = data.target(t);
            const std::uint32_t atom = open_number(target.atom);
            const bool known = atom != LearningProblem::no_atom_number;
            const auto p = static_cast<double>(known ? *next++ : 0.0F);
            if (weights[t] == 0 || (only && *only != target.positive)) continue;
            sum += weights[t] * loss.loss(p, target.positive);
            if (known) by_result_.add(i, atom, static_cast<float>(weights[t] * loss.slope(p, target.positive)));
        }
    }
    open_->backward(pass_, by_result_.build(), {.sums = sums});
    return sum;
}

CandidateGraph::Sums CandidateGraph::no_sums() const {
    const std::size_t given = fixed_ == nullptr ? 0 : given_in_open_.size();
    return {std::vector<double>(candidates_.size()), std::vector<double>(given)};
}

GradientSums CandidateGraph::added_to(Sums& sums, std::span<const double> factors) const {
    return {.factors = factors,
            .first_clause = first_clause_,
            .by_clause = sums.by_weight,
            .atoms = std::span(given_in_open_).first(sums.by_given.size()),
            .by_atom = sums.by_given};
}

std::vector<double> CandidateGraph::through_fixed_part(const Sums& sums) {
    std::vector<double> by_weight = sums.by_weight;
    if (fixed_ == nullptr) return by_weight;
    by_result_.reset(1);
    for (std::size_t g = 0; g < sums.by_given.size(); ++g) {
        if (sums.by_given[g] != 0) by_result_.add(0, given_in_fixed_[g], static_cast<float>(sums.by_given[g]));
    }
    const GradientSums further{.first_clause = first_clause_, .by_clause = by_weight};
    fixed_->backward(fixed_pass_, by_result_.build(), {.sums = {&further, 1}});
    return by_weight;
}

CandidateGraph::Gradient CandidateGraph::gradient(const Dataset& data, std::span<const std::uint32_t> examples,
                                                  std::span<const double> weights, const CrossEntropy& loss) {
    Gradient result;
    Sums sums = no_sums();
    const GradientSums wanted = added_to(sums);
    for (std::size_t first = 0; first < examples.size(); first += chunk_size) {
        const auto chunk = examples.subspan(first, std::min(chunk_size, examples.size() - first));
        forward(data, chunk, Keep::Backward);
        result.loss += backward(data, chunk, weights, loss, std::nullopt, {&wanted, 1});
    }
    result.by_weight = through_fixed_part(sums);
    return result;
}

CandidateGraph::SplitGradient CandidateGraph::split_gradient(const Dataset& data,
                                                             std::span<const std::uint32_t> examples,
                                                             std::span<const double> weights,
                                                             const CrossEntropy& loss) {
    SplitGradient result;
    std::array<Sums, 2> by_label{no_sums(), no_sums()};
    std::array<Sums, 2> prints{no_sums(), no_sums()};
    std::array<std::vector<double>, 2> chances;
    for (std::size_t first = 0; first < examples.size(); first += chunk_size) {
        const auto chunk = examples.subspan(first, std::min(chunk_size, examples.size() - first));
        forward(data, chunk, Keep::Backward);
        for (const bool positive : {true, false}) {
            std::vector<GradientSums> wanted{added_to(by_label[positive ? 1 : 0])};
            for (std::size_t number = 0; number < prints.size(); ++number) {
                // Another number for every example, label and fingerprint.
                chances[number].clear();
                for (const std::uint32_t example : chunk)
                    chances[number].push_back(
                        Rng((std::uint64_t{example} * 2 + (positive ? 1 : 0)) * prints.size() + number).uniform());
                wanted.push_back(added_to(prints[number], chances[number]));
            }
            (positive ? result.positive : result.negative).loss +=
                backward(data, chunk, weights, loss, positive, wanted);
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
