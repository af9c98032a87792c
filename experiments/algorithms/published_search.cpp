#include "algorithms/published_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random_draws.h"
#include "learn/gradient/sampling.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t most_scored_at_once = 256;  // while a clause is scored by itself

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

ReasonerTask PublishedLesson::task(std::uint32_t slots) const {
    return {.reasoner = recipe.reasoner,
            .gamma = options.learning.gamma,
            .steps = *options.learning.steps,
            .background = 0,
            .slots = slots,
            .pairs = {}};
}

PublishedSearch::PublishedSearch(const PublishedLesson& lesson)
    : lesson_(lesson), rng_(named_rng(lesson.options.seed, lesson.name + "/search")) {
    target_order_.resize(scored_data().target_count());
    std::iota(target_order_.begin(), target_order_.end(), 0U);
    shuffle_in_place(target_order_, rng_);
}

const Dataset& PublishedSearch::scored_data() const {
    return lesson_.recipe.most_examples > 0 ? lesson_.validation : lesson_.train;
}

std::vector<std::uint32_t> PublishedSearch::run(const std::vector<SearchClause>& start) {
    for (const SearchClause& clause : start) {
        const std::uint32_t number = lesson_.problem.add(clause);
        if (number != LearningProblem::no_candidate) start_.push_back(number);
    }
    rounds_ = lesson_.options.search.trials;
    switch (lesson_.recipe.source) {
    case ClauseSource::SampleThenRefine:
        sample_then_refine();
        break;
    case ClauseSource::RefineThenSample:
        refine_then_sample();
        break;
    case ClauseSource::Beam:
        rounds_ *= static_cast<std::uint32_t>(start_.size());
        for (const std::uint32_t clause : start_) beam(clause);
        std::ranges::sort(kept_);
        break;
    case ClauseSource::Templates:
        break;
    }
    std::erase_if(kept_, [&](std::uint32_t k) {
        return lesson_.problem.candidate(k).clause.clause.body.size() < lesson_.options.search.min_body;
    });
    return std::move(kept_);
}

void PublishedSearch::sample_then_refine() {
    std::vector<std::uint32_t> candidates = start_;
    for (std::uint32_t n = 0; n < lesson_.options.search.trials && !candidates.empty(); ++n) {
        const std::vector<double> scores = score(candidates, {});
        std::vector<std::uint32_t> sampled;
        for (const std::uint32_t i : gumbel_sample(scores, {}, lesson_.options.search.samples, true, rng_)) {
            if (std::ranges::find(sampled, candidates[i]) == sampled.end()) sampled.push_back(candidates[i]);
        }
        for (const std::uint32_t k : sampled) keep(k);
        candidates = refined(sampled);
    }
}

void PublishedSearch::refine_then_sample() {
    std::vector<std::uint32_t> candidates = start_;
    std::vector<double> scores(candidates.size(), 1.0);
    for (std::uint32_t n = 0; n <= lesson_.options.search.trials && !candidates.empty(); ++n) {
        const std::vector<std::uint32_t> sampled = drawn_unlike_before(candidates, scores);
        for (const std::uint32_t k : sampled) keep(k);
        if (n == lesson_.options.search.trials) return;
        candidates = refined(sampled);
        std::erase_if(candidates, [&](std::uint32_t k) { return std::ranges::find(kept_, k) != kept_.end(); });
        scores = score(candidates, sampled);
    }
}

// Without replacement; what has the score of one that was drawn before, to two decimals, is passed over.
std::vector<std::uint32_t> PublishedSearch::drawn_unlike_before(std::vector<std::uint32_t> clauses,
                                                                std::vector<double> scores) {
    std::vector<std::uint32_t> drawn;
    while (drawn.size() < lesson_.options.search.samples && !clauses.empty()) {
        const auto i = static_cast<std::ptrdiff_t>(gumbel_sample(scores, {}, 1, true, rng_).front());
        if (scores_drawn_.insert(std::round(scores[static_cast<std::size_t>(i)] * 100)).second)
            drawn.push_back(clauses[static_cast<std::size_t>(i)]);
        clauses.erase(clauses.begin() + i);
        scores.erase(scores.begin() + i);
    }
    return drawn;
}

void PublishedSearch::beam(std::uint32_t start) {
    std::vector<std::uint32_t> members = {start};
    std::set<std::uint32_t> seen;
    std::size_t refined_here = 0;
    for (std::uint32_t step = 0; step < lesson_.options.search.trials && !members.empty(); ++step) {
        std::vector<std::uint32_t> refinements;
        for (const std::uint32_t k : members) {
            for (const std::uint32_t child : refined({k})) {
                if (seen.insert(child).second) refinements.push_back(child);
            }
            if (!lesson_.recipe.leaves_out_idle || !is_idle(k)) keep(k);
            if (lesson_.recipe.most_clauses > 0 && ++refined_here >= lesson_.recipe.most_clauses) return;
        }
        members = best_of(refinements, score(refinements, members));
    }
}

std::vector<std::uint32_t> PublishedSearch::best_of(const std::vector<std::uint32_t>& clauses,
                                                    std::span<const double> scores) const {
    std::vector<std::uint32_t> unlike;  // places; of alike scores the first in the order of refinement
    for (std::uint32_t i = 0; i < clauses.size(); ++i) {
        const auto alike = [&](std::uint32_t other) {
            return std::abs(scores[i] - scores[other]) < lesson_.recipe.alike_within;
        };
        if (std::ranges::none_of(unlike, alike)) unlike.push_back(i);
    }
    std::vector<double> of_unlike;
    for (const std::uint32_t i : unlike) of_unlike.push_back(scores[i]);
    std::vector<std::uint32_t> best;
    for (const std::uint32_t i : best_first(of_unlike, lesson_.options.search.samples))
        best.push_back(clauses[unlike[i]]);
    return best;
}

bool PublishedSearch::is_idle(std::uint32_t candidate) const {
    const Clause& clause = lesson_.problem.candidate(candidate).clause.clause;
    const TermTable& terms = lesson_.problem.program().terms;
    std::map<std::uint32_t, std::set<const Literal*>> goals_of;
    for (const Literal& goal : clause.body) {
        for (const TermId arg : goal.atom.args)
            for_each_variable(terms, arg, [&](std::uint32_t v) { goals_of[v].insert(&goal); });
    }
    for (const TermId arg : clause.head.args)
        for_each_variable(terms, arg, [&](std::uint32_t v) { goals_of.erase(v); });
    return std::ranges::any_of(goals_of, [](const auto& one) { return one.second.size() == 1; });
}

void PublishedSearch::keep(std::uint32_t candidate) {
    if (std::ranges::find(kept_, candidate) == kept_.end()) kept_.push_back(candidate);
}

std::vector<std::uint32_t> PublishedSearch::refined(const std::vector<std::uint32_t>& clauses) {
    std::vector<std::uint32_t> result;
    std::set<std::uint32_t> seen;
    for (const std::uint32_t k : clauses) {
        const SearchClause parent = lesson_.problem.candidate(k).clause;  // the list of candidates may move
        for (const SearchClause& clause : lesson_.refiner.refine(parent)) {
            const std::uint32_t child = lesson_.problem.add(clause);
            if (child != LearningProblem::no_candidate && seen.insert(child).second) result.push_back(child);
        }
    }
    return result;
}

std::vector<double> PublishedSearch::score(const std::vector<std::uint32_t>& candidates,
                                           const std::vector<std::uint32_t>& sampled) {
    if (candidates.empty()) return {};
    const auto begin = Clock::now();
    ++round_;
    const std::uint32_t all_after = lesson_.options.search.negative_rounds;
    const double share =
        all_after == 0 ? 1.0 : std::min(1.0, static_cast<double>(round_) / static_cast<double>(all_after));
    const std::string step = fmt::format("{}/round {}", lesson_.name, round_);
    RoundRecord record;
    const RoundRecord* known = lesson_.journal.find<RoundRecord>(step);
    if (known != nullptr && known->scores.size() == candidates.size()) {
        record = *known;
    } else {
        record = computed_scores(candidates, share);
        lesson_.journal.record(step, record);
    }
    scored_ += candidates.size();
    if (lesson_.watcher != nullptr) {
        RoundReport report;
        report.round = round_;
        report.rounds = rounds_;
        report.candidates = candidates;
        report.scores = record.scores;
        report.sampled = sampled;
        report.uniform_weight = record.uniform_weight;
        report.negative_share = share;
        report.loss = record.loss;
        report.scoring_seconds = seconds_since(begin);
        report.seconds = seconds_since(round_begin_);
        lesson_.watcher->round_done(report);
    }
    round_begin_ = Clock::now();
    return record.scores;
}

RoundRecord PublishedSearch::computed_scores(const std::vector<std::uint32_t>& candidates, double negative_share) {
    const bool gradient =
        lesson_.recipe.score == ClauseScore::Gradient || lesson_.recipe.score == ClauseScore::GradientOfPositives;
    const std::vector<bool> counts = labels_that_count(negative_share);
    RoundRecord record = gradient ? score_by_gradient(candidates, counts) : score_each(candidates, counts);
    record.alike.resize(candidates.size());
    std::iota(record.alike.begin(), record.alike.end(), 0U);
    record.precise.assign(candidates.size(), false);
    return record;
}

// Per label of the data that scores are about.
std::vector<bool> PublishedSearch::labels_that_count(double negative_share) const {
    const Dataset& data = scored_data();
    const bool negatives = lesson_.recipe.score == ClauseScore::Gradient || lesson_.recipe.score == ClauseScore::Loss;
    const std::size_t most = lesson_.recipe.most_examples > 0 ? lesson_.recipe.most_examples : data.target_count();
    std::size_t positives_left = most;
    auto negatives_left = static_cast<std::size_t>(
        negatives ? std::ceil(negative_share * static_cast<double>(data.target_count() - data.positives())) : 0.0);
    std::vector<bool> counts(data.target_count(), false);
    for (const std::uint32_t t : target_order_) {
        std::size_t& left = data.target(t).positive ? positives_left : negatives_left;
        if (left == 0) continue;
        counts[t] = true;
        --left;
    }
    return counts;
}

namespace {

// Those with a label that counts.
std::vector<std::uint32_t> examples_with(const Dataset& data, const std::vector<bool>& counts) {
    std::vector<std::uint32_t> examples;
    for (std::uint32_t e = 0; e < data.size(); ++e) {
        const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(data.first_target(e));
        const auto end = counts.begin() + static_cast<std::ptrdiff_t>(data.end_target(e));
        if (std::find(begin, end, true) != end) examples.push_back(e);
    }
    return examples;
}

}  // namespace

// s = β/n · Σ −∂L(batch)/∂w over n batches, with the same weight for all clauses.
RoundRecord PublishedSearch::score_by_gradient(const std::vector<std::uint32_t>& candidates,
                                               const std::vector<bool>& counts) {
    TapeReasoner reasoner(lesson_.problem, candidates, lesson_.asked, lesson_.task(1), lesson_.stop);
    const std::vector<double> weights(candidates.size(), lesson_.recipe.uniform_weight);
    std::vector<std::uint32_t> examples = examples_with(lesson_.train, counts);
    Rng rng = named_rng(lesson_.options.seed, fmt::format("{}/batches {}", lesson_.name, round_));
    shuffle_in_place(examples, rng);
    RoundRecord record;
    record.scores.assign(candidates.size(), 0.0);
    record.uniform_weight = lesson_.recipe.uniform_weight;
    const std::size_t size = lesson_.options.weights.batch;
    const std::size_t batches = (examples.size() + size - 1) / size;
    for (std::size_t first = 0; first < examples.size(); first += size) {
        const auto batch = std::span(examples).subspan(first, std::min(size, examples.size() - first));
        const TapeReasoner::Gradient found = reasoner.gradient(lesson_.train, batch, counts, weights);
        record.loss += found.loss / static_cast<double>(batches);
        for (std::size_t k = 0; k < candidates.size(); ++k)
            record.scores[k] -= lesson_.recipe.beta * found.by_weight[k] / static_cast<double>(batches);
    }
    return record;
}

RoundRecord PublishedSearch::score_each(const std::vector<std::uint32_t>& candidates, const std::vector<bool>& counts) {
    const std::vector<std::uint32_t> examples = examples_with(scored_data(), counts);
    RoundRecord record;
    record.scores.resize(candidates.size());
    record.uniform_weight = 1;
    parallel_chunks(lesson_.options.learning.threads, candidates.size(),
                    [&](std::size_t k) { record.scores[k] = score_alone(candidates[k], counts, examples); });
    record.loss = -*std::ranges::max_element(record.scores);
    return record;
}

double PublishedSearch::score_alone(std::uint32_t candidate, const std::vector<bool>& counts,
                                    std::span<const std::uint32_t> examples) const {
    const Dataset& data = scored_data();
    TapeReasoner reasoner(lesson_.problem, {&candidate, 1}, lesson_.asked, lesson_.task(1), lesson_.stop);
    const double one[] = {1.0};
    std::vector<float> values;
    for (std::size_t first = 0; first < examples.size(); first += most_scored_at_once)
        reasoner.predict(data, examples.subspan(first, std::min(most_scored_at_once, examples.size() - first)), one,
                         values);
    double sum = 0;
    double labels = 0;
    for (const std::uint32_t e : examples) {
        for (std::size_t t = data.first_target(e); t < data.end_target(e); ++t) {
            if (!counts[t]) continue;
            const auto p = static_cast<double>(values[t]);
            sum += lesson_.recipe.score == ClauseScore::ValuesOfPositives
                       ? p
                       : -PlainCrossEntropy::loss(p, data.target(t).positive);
            ++labels;
        }
    }
    return lesson_.recipe.score == ClauseScore::ValuesOfPositives ? sum : sum / std::max(1.0, labels);
}

}  // namespace neumann
