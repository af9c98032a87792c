#include "learn/gradient/search.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/random_draws.h"
#include "learn/gradient/sampling.h"
#include "learn/task/learn_error.h"

namespace neumann {
namespace {

// The structure of a clause: all its variables replaced by one.
std::vector<std::uint32_t> skeleton(const TermTable& terms, const Clause& clause) {
    const auto encode = [&](const Atom& atom) {
        std::vector<std::uint32_t> code = {atom.predicate.value()};
        const auto add = [&](auto&& self, TermId term) -> void {
            code.push_back(static_cast<std::uint32_t>(terms.kind(term)));
            if (terms.kind(term) == TermKind::Variable) return;
            if (terms.kind(term) == TermKind::Constant) return code.push_back(terms.constant_of(term).value());
            code.push_back(terms.functor_of(term).value());
            for (const TermId arg : terms.args(term)) self(self, arg);
        };
        for (const TermId arg : atom.args) add(add, arg);
        return code;
    };
    std::vector<std::vector<std::uint32_t>> goals;
    for (const Literal& goal : clause.body) {
        goals.push_back(encode(goal.atom));
        if (goal.negated) goals.back()[0] |= 1U << 31;
    }
    std::ranges::sort(goals);
    std::vector<std::uint32_t> result = encode(clause.head);
    for (const auto& goal : goals) result.insert(result.end(), goal.begin(), goal.end());
    return result;
}

// Groups clauses with the same skeleton and the same fingerprint up to rounding: same_color(A,B) and same_color(B,A),
// if that is symmetric in all examples.
std::vector<std::uint32_t> group_alike(const LearningProblem& problem, const std::vector<std::uint32_t>& candidates,
                                       const std::vector<CandidateGraph::Fingerprint>& fingerprint,
                                       double alike_within) {
    std::vector<std::vector<std::uint32_t>> skeletons;
    skeletons.reserve(candidates.size());
    for (const std::uint32_t c : candidates)
        skeletons.push_back(skeleton(problem.program().terms, problem.candidate(c).clause.clause));
    std::vector<std::uint32_t> order(fingerprint.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return fingerprint[k]; });
    double scale = 0;
    for (const auto& pair : fingerprint) scale = std::max({scale, std::abs(pair[0]), std::abs(pair[1])});
    std::vector<std::uint32_t> group(fingerprint.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        group[order[i]] = order[i];
        // The nearest of those before that are as near as rounding would put them.
        for (std::size_t j = i; j-- > 0;) {
            const auto& one = fingerprint[order[i]];
            const auto& other = fingerprint[order[j]];
            if (one[0] - other[0] > alike_within * scale) break;
            if (std::abs(one[1] - other[1]) > alike_within * scale) continue;
            if (skeletons[order[i]] != skeletons[order[j]]) continue;
            group[order[i]] = group[order[j]];
            break;
        }
    }
    return group;
}

// The examples with a label whose weight is not 0.
std::vector<std::uint32_t> examples_that_count(const Dataset& data, std::span<const double> weights) {
    std::vector<std::uint32_t> examples;
    for (std::uint32_t e = 0; e < data.size(); ++e) {
        for (std::size_t t = data.first_target(e); t < data.end_target(e); ++t) {
            if (weights[t] == 0) continue;
            examples.push_back(e);
            break;
        }
    }
    return examples;
}

// Clauses that do nothing in any example have a score of 0, and so would stand before all that does harm where it is
// too general still. Their use shows only when other clauses call them: they count as average.
void sink_idle(const CandidateGraph::SplitGradient& gradient, std::vector<double>& scores) {
    const auto idle = [&](std::size_t k) {
        return gradient.positive.by_weight[k] == 0 && gradient.negative.by_weight[k] == 0;
    };
    double sum = 0;
    double busy = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
        if (idle(k)) continue;
        sum += scores[k];
        ++busy;
    }
    const double average = busy > 0 ? std::min(0.0, sum / busy) : 0.0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
        if (idle(k)) scores[k] = average;
    }
}

}  // namespace

ClauseSearch::ClauseSearch(LearningProblem& problem, Refiner& refiner, const Dataset& train,
                           const std::vector<bool>& asked, const LearnerOptions& options, Journal& journal,
                           std::string name, SearchWatcher* watcher, const std::atomic<bool>* stop)
    : problem_(problem), refiner_(refiner), train_(train), asked_(asked), options_(options), journal_(journal),
      name_(std::move(name)), watcher_(watcher), stop_(stop), rng_(named_rng(options.seed, name_)) {
    target_order_.resize(train.target_count());
    std::iota(target_order_.begin(), target_order_.end(), 0U);
    shuffle_in_place(target_order_, rng_);
}

void ClauseSearch::start(const std::vector<SearchClause>& clauses, std::vector<std::uint32_t> context) {
    context_ = std::move(context);
    for (const SearchClause& clause : clauses) {
        const std::uint32_t number = problem_.add(clause);
        if (number != LearningProblem::no_candidate && !is_context(number)) generation_.push_back(number);
    }
}

double ClauseSearch::negative_share() const {
    const std::uint32_t rounds = options_.search.negative_rounds;
    return rounds == 0 ? 1.0 : std::min(1.0, static_cast<double>(round_) / static_cast<double>(rounds));
}

bool ClauseSearch::next_round() {
    if (generation_.empty()) return false;
    const auto begin = std::chrono::steady_clock::now();
    ++round_;
    RoundReport report;
    report.round = round_;
    report.rounds = options_.search.trials + 1;
    report.negative_share = negative_share();
    // Earlier samples stay in the graph, if they are precise: recursive clauses are worth nothing without the others.
    // Clauses that hold of everything would only hide the effect of the others.
    std::vector<std::uint32_t> candidates = context_;
    candidates.insert(candidates.end(), precise_.begin(), precise_.end());
    const std::size_t old = candidates.size();
    candidates.insert(candidates.end(), generation_.begin(), generation_.end());
    const auto scoring = std::chrono::steady_clock::now();
    const RoundRecord scores = score(candidates, report.negative_share);
    report.scoring_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - scoring).count();
    scored_ += generation_.size();
    const std::span<const double> of_new = std::span(scores.scores).subspan(old);
    const std::span<const std::uint32_t> groups = std::span(scores.alike).subspan(old);
    std::vector<std::uint32_t> chosen;    // to be refined
    std::vector<std::uint32_t> reserves;  // drawn after them: not refined, but weighed in the end
    // Every learned predicate has its own samples.
    for (std::uint32_t target = 0; target < problem_.targets().size(); ++target) {
        std::vector<std::uint32_t> mine;
        std::vector<double> my_scores;
        std::vector<std::uint32_t> my_groups;
        for (std::uint32_t i = 0; i < generation_.size(); ++i) {
            if (problem_.candidate(generation_[i]).target != target) continue;
            mine.push_back(generation_[i]);
            my_scores.push_back(of_new[i]);
            my_groups.push_back(groups[i]);
        }
        const SearchOptions& search = options_.search;
        const std::size_t count = std::size_t{search.samples} * (1 + search.reserves);
        const std::vector<std::uint32_t> drawn =
            search.kind == SearchKind::Beam ? best_first(my_scores, count)
                                            : gumbel_sample(my_scores, my_groups, count, search.with_replacement, rng_);
        for (std::size_t d = 0; d < drawn.size(); ++d) {
            std::vector<std::uint32_t>& list = d < search.samples ? chosen : reserves;
            const std::uint32_t c = mine[drawn[d]];
            const auto has = [&](const std::vector<std::uint32_t>& l) { return std::ranges::find(l, c) != l.end(); };
            if (!has(chosen) && !has(reserves)) list.push_back(c);
        }
    }
    precise_.clear();
    for (std::size_t i = context_.size(); i < candidates.size(); ++i) {
        const bool kept = i < old || std::ranges::find(chosen, candidates[i]) != chosen.end() ||
                          std::ranges::find(reserves, candidates[i]) != reserves.end();
        if (kept && scores.precise[i]) precise_.push_back(candidates[i]);
    }
    report.candidates = std::move(candidates);
    report.scores = scores.scores;
    report.uniform_weight = scores.uniform_weight;
    report.loss = scores.loss;
    report.sampled = chosen;
    for (const auto& list : {chosen, reserves}) sampled_.insert(sampled_.end(), list.begin(), list.end());
    generation_.clear();
    if (round_ <= options_.search.trials) refine(chosen);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    last_ = report;
    if (watcher_ != nullptr) watcher_->round_done(report);
    return true;
}

void ClauseSearch::allow_more(std::uint32_t trials) {
    options_.search.trials += trials;
    if (generation_.empty()) refine(last_.sampled);
}

void ClauseSearch::refine(std::span<const std::uint32_t> chosen) {
    for (const std::uint32_t number : chosen) {
        const SearchClause parent = problem_.candidate(number).clause;  // the list of candidates may move
        for (const SearchClause& clause : refiner_.refine(parent)) {
            const std::uint32_t child = problem_.add(clause);
            if (child == LearningProblem::no_candidate) continue;
            if (seen_.size() <= child) seen_.resize(child + 1, false);
            if (seen_[child] || is_context(child)) continue;
            seen_[child] = true;
            if (std::ranges::find(sampled_, child) == sampled_.end()) generation_.push_back(child);
        }
    }
}

std::vector<std::uint32_t> ClauseSearch::best_of_last_round(std::size_t count) const {
    const auto score = [&](std::uint32_t i) { return last_.scores[i]; };
    const auto size = [&](std::uint32_t i) { return problem_.candidate(last_.candidates[i]).size; };
    std::vector<std::uint32_t> best = best_first(last_.scores, last_.scores.size());
    for (auto begin = best.begin(); begin != best.end();) {
        const double least = score(*begin) - options_.search.alike_within * std::abs(score(*begin));
        const auto end = std::find_if(begin, best.end(), [&](std::uint32_t i) { return score(i) < least; });
        std::stable_sort(begin, end, [&](std::uint32_t a, std::uint32_t b) { return size(a) < size(b); });
        begin = end;
    }
    best.resize(std::min(best.size(), count));
    for (std::uint32_t& i : best) i = last_.candidates[i];
    return best;
}

RoundRecord ClauseSearch::score(const std::vector<std::uint32_t>& candidates, double share) {
    const std::string step = fmt::format("{}/round {}", name_, round_);
    const RoundRecord* known = journal_.find<RoundRecord>(step);
    if (known != nullptr && known->scores.size() == candidates.size()) return *known;
    std::vector<double> weights = balanced_weights(train_, share, target_order_);
    leave_out_explained(weights);
    RoundRecord scores = options_.search.kind == SearchKind::Gradient ? score_by_gradient(candidates, weights)
                                                                      : score_each(candidates, weights);
    journal_.record(step, scores);
    return scores;
}

// Positive targets that the context explains count for nothing, the others for as much as all of them together.
void ClauseSearch::leave_out_explained(std::vector<double>& weights) const {
    if (context_.empty()) return;
    CandidateGraph graph(problem_, context_, asked_, run_options());
    std::vector<float> values;
    graph.predict(train_, values);
    double all = 0;
    double left = 0;
    for (std::size_t t = 0; t < weights.size(); ++t) {
        if (!train_.target(t).positive) continue;
        all += weights[t];
        if (values[t] >= 0.5F) weights[t] = 0;
        left += weights[t];
    }
    for (std::size_t t = 0; t < weights.size(); ++t) {
        if (train_.target(t).positive && left > 0) weights[t] *= all / left;
    }
}

// score = β · mean over examples of −∂L/∂w, for all candidates by one pass forwards and backwards.
RoundRecord ClauseSearch::score_by_gradient(const std::vector<std::uint32_t>& candidates,
                                            std::span<const double> weights) {
    CandidateGraph graph(problem_, candidates, asked_, run_options());
    RoundRecord scores;
    scores.uniform_weight = options_.search.uniform_weight ? *options_.search.uniform_weight : balanced_weight(graph);
    set_uniform(graph, scores.uniform_weight);
    const std::vector<std::uint32_t> examples = examples_that_count(train_, weights);
    const CandidateGraph::SplitGradient gradient =
        graph.split_gradient(train_, examples, weights, CrossEntropy{options_.weights.loss_floor});
    double negative_weight = 0;
    for (std::size_t t = 0; t < weights.size(); ++t) negative_weight += train_.target(t).positive ? 0 : weights[t];
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        scores.scores.push_back(-options_.search.beta *
                                (gradient.positive.by_weight[k] + gradient.negative.by_weight[k]));
        // Of a negative example −∂ log(1−p)/∂w is the clause's own value for it, as long as w is small.
        scores.precise.push_back(gradient.negative.by_weight[k] <= options_.search.precise_below * negative_weight);
    }
    sink_idle(gradient, scores.scores);
    scores.alike = group_alike(problem_, candidates, gradient.fingerprint, options_.search.alike_within);
    scores.loss = gradient.positive.loss + gradient.negative.loss;
    return scores;
}

void ClauseSearch::set_uniform(CandidateGraph& graph, double weight) const {
    std::vector<double> weights(graph.candidates().size(), weight);
    std::fill_n(weights.begin(), context_.size(), 1.0);
    graph.set_weights(weights);
}

// The weight at which positive examples get the value 0.5. With less, every clause that fires on positives scores well
// regardless of the negatives; with more, positives are explained already and no clause scores well.
double ClauseSearch::balanced_weight(CandidateGraph& graph) {
    std::vector<std::uint32_t> examples;
    std::vector<std::size_t> positives;
    for (const std::uint32_t t : target_order_) {
        if (train_.target(t).positive) positives.push_back(t);
        if (positives.size() == options_.search.positives_to_balance) break;
    }
    std::ranges::sort(positives);
    std::size_t next = 0;
    for (std::uint32_t e = 0; e < train_.size() && next < positives.size(); ++e) {
        if (positives[next] >= train_.end_target(e)) continue;
        examples.push_back(e);
        while (next < positives.size() && positives[next] < train_.end_target(e)) ++next;
    }
    std::vector<float> values;
    // Examples that the context explains already are left out.
    set_uniform(graph, 0);
    graph.predict(train_, examples, values);
    std::erase_if(positives, [&](std::size_t t) { return values[t] >= 0.5F; });
    const auto mean = [&](double weight) {
        set_uniform(graph, weight);
        graph.predict(train_, examples, values);
        double sum = 0;
        for (const std::size_t t : positives) sum += static_cast<double>(values[t]);
        return sum / static_cast<double>(std::max<std::size_t>(1, positives.size()));
    };
    constexpr double highest = 0.5;
    double low = 0;
    double high = highest;
    if (mean(high) <= 0.5) return high;
    for (int i = 0; i < 8; ++i) {
        const double middle = 0.5 * (low + high);
        (mean(middle) <= 0.5 ? low : high) = middle;
    }
    return high;
}

// Beam search: every clause alone, as in ∂ILP-ST and αILP. Its score is that of a program of that clause alone.
RoundRecord ClauseSearch::score_each(const std::vector<std::uint32_t>& candidates, std::span<const double> weights) {
    RoundRecord scores;
    scores.uniform_weight = 1;
    const std::vector<std::uint32_t> examples = examples_that_count(train_, weights);
    std::vector<float> values;
    const CrossEntropy loss{options_.weights.loss_floor};
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        std::vector<std::uint32_t> program = context_;
        program.push_back(candidates[k]);
        CandidateGraph graph(problem_, std::move(program), asked_, run_options());
        graph.predict(train_, examples, values);
        const double mean = mean_loss(train_, values, weights, loss);
        scores.scores.push_back(-options_.search.beta * mean);
        scores.loss = k == 0 ? mean : std::min(scores.loss, mean);
        scores.alike.push_back(static_cast<std::uint32_t>(k));
        scores.precise.push_back(false);
    }
    return scores;
}

}  // namespace neumann
