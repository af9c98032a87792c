#include "algorithms/published_learner.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "algorithms/choice_weights.h"
#include "base/random_draws.h"
#include "learn/gradient/sampling.h"
#include "learn/loss/optimiser.h"
#include "learn/task/learn_error.h"

namespace neumann {
namespace {

constexpr std::size_t most_soft_weights = 10;

}  // namespace

PublishedLearner::PublishedLearner(LessonRequest request)
    : asked_(labelled_atoms(request.problem, request.train, request.validation)),
      judge_(request.problem, request.train, request.validation, asked_, request.options.reasoning,
             request.options.weights.loss_floor),
      recipe_(recipe_of(request.options)), lesson_{std::move(request), asked_, recipe_} {}

LearnOutcome PublishedLearner::run() {
    try {
        generate();
        if (!candidates_.empty()) weigh();
    } catch (const LearningInterrupted&) {
        outcome_.interrupted = true;
        outcome_.complete = false;
    }
    std::ranges::stable_sort(outcome_.program, {}, [&](std::uint32_t k) {
        const Candidate& candidate = lesson_.problem.candidate(k);
        return std::pair(candidate.target, candidate.clause.clause.body.size());
    });
    outcome_.verdict = judge_(outcome_.program);
    outcome_.weights.assign(outcome_.program.size(), 1.0);
    return outcome_;
}

std::vector<std::uint32_t> PublishedLearner::clauses_of_target() const {
    std::vector<std::uint32_t> counts;
    for (const LearnTarget& target : lesson_.problem.targets())
        counts.push_back(lesson_.options.program_size.value_or(target.clause_count));
    return counts;
}

std::uint32_t PublishedLearner::slots() const {
    const std::vector<std::uint32_t> counts = clauses_of_target();
    return std::accumulate(counts.begin(), counts.end(), 0U);
}

void PublishedLearner::generate() {
    const std::vector<SearchClause> start = first_clauses(lesson_.problem.program(), lesson_.refiner);
    if (recipe_.source == ClauseSource::Templates) {
        templates_ = template_clauses(lesson_.problem, lesson_.refiner.language(), clauses_of_target());
        candidates_ = templates_.candidates;
        return;
    }
    if (lesson_.watcher != nullptr) lesson_.watcher->stage_begins(start);
    PublishedSearch search(lesson_);
    candidates_ = search.run(start);
    outcome_.rounds = search.rounds();
    outcome_.clauses_scored = search.clauses_scored();
}

void PublishedLearner::weigh() {
    if (lesson_.watcher != nullptr) lesson_.watcher->search_done(candidates_.size());
    ReasonerTask task = lesson_.task(slots());
    task.pairs = templates_.pairs;
    TapeReasoner reasoner(lesson_.problem, candidates_, asked_, task, lesson_.stop);
    std::optional<WeightComposition> composition;
    if (recipe_.composes)
        composition = {.slots = slots(),
                       .gamma = lesson_.options.learning.gamma,
                       .leak_free = recipe_.reasoner == PublishedReasoner::NeumannFromZero};
    const ChoiceWeights choice(recipe_.source == ClauseSource::Templates
                                   ? templates_.pairs_of_target
                                   : std::vector<std::size_t>(slots(), candidates_.size()),
                               composition);
    const std::string step = fmt::format("{}/weights", lesson_.name);
    Rng rng = named_rng(lesson_.options.seed, step);
    WeightsRecord state;
    for (std::size_t i = 0; i < choice.logit_count(); ++i) state.logits.push_back(rng.uniform());
    state.random_state = rng.state();
    state.optimiser = Optimiser(lesson_.options.weights.optimiser, choice.logit_count()).state();
    // There are no best ones, as the last count: in their place the gradient so far, where gradients add up.
    state.best_logits.assign(choice.logit_count(), 0.0);
    const WeightsRecord* known = lesson_.journal.find<WeightsRecord>(step);
    if (known != nullptr && known->logits.size() == state.logits.size()) state = *known;
    for (std::size_t epoch = 0; epoch < state.epochs.size(); ++epoch) tell(state, epoch);
    const auto finish = [&] {
        outcome_.soft_accuracy = state.best_accuracy;
        read_off(choice, state.logits);
    };
    try {
        while (state.epochs.size() < lesson_.options.weights.epochs) {
            run_epoch(reasoner, choice, state);
            lesson_.journal.record(step, state);
            tell(state, state.epochs.size() - 1);
        }
    } catch (const LearningInterrupted&) {
        finish();
        throw;
    }
    finish();
}

void PublishedLearner::run_epoch(TapeReasoner& reasoner, const ChoiceWeights& choice, WeightsRecord& state) const {
    // Everything that changes is computed on the side: an interruption leaves the state of the last whole epoch.
    Rng rng(state.random_state);
    WeightsRecord next = state;
    Optimiser optimiser(lesson_.options.weights.optimiser, next.logits.size());
    optimiser.restore(next.optimiser);
    std::vector<std::uint32_t> examples = all_examples(lesson_.train);
    shuffle_in_place(examples, rng);
    const std::vector<bool> all(lesson_.train.target_count(), true);
    const std::size_t size = lesson_.options.weights.batch;
    double loss = 0;
    for (std::size_t first = 0; first < examples.size(); first += size) {
        const auto batch = std::span(examples).subspan(first, std::min(size, examples.size() - first));
        const TapeReasoner::Gradient found = reasoner.gradient(lesson_.train, batch, all, choice.weights(next.logits));
        loss += found.loss * static_cast<double>(batch.size()) / static_cast<double>(examples.size());
        std::vector<double> gradient = choice.gradient(next.logits, found.by_weight);
        if (recipe_.gradients_add_up) {
            for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = next.best_logits[i] += gradient[i];
        }
        optimiser.step(next.logits, gradient);
    }
    std::vector<float> values;
    reasoner.predict(lesson_.validation, choice.weights(next.logits), size, values);
    double validation_loss = 0;
    for (std::size_t t = 0; t < values.size(); ++t)
        validation_loss +=
            PlainCrossEntropy::loss(static_cast<double>(values[t]), lesson_.validation.target(t).positive) /
            static_cast<double>(values.size());
    next.random_state = rng.state();
    next.optimiser = optimiser.state();
    next.best_accuracy = accuracy(lesson_.validation, values);
    next.epochs.push_back({loss, validation_loss, next.best_accuracy});
    state = std::move(next);
}

void PublishedLearner::tell(const WeightsRecord& state, std::size_t epoch) const {
    if (lesson_.watcher == nullptr) return;
    const WeightsRecord::Epoch& one = state.epochs[epoch];
    lesson_.watcher->epoch_done({0, static_cast<std::uint32_t>(epoch + 1), lesson_.options.weights.epochs,
                                 one.train_loss, one.validation_loss, one.validation_accuracy});
}

void PublishedLearner::read_off(const ChoiceWeights& choice, std::span<const double> logits) {
    const std::vector<double> weights = choice.weights(logits);
    const auto take = [&](std::uint32_t k) {
        if (std::ranges::find(outcome_.program, k) == outcome_.program.end()) outcome_.program.push_back(k);
    };
    const std::vector<std::size_t> chosen = choice.chosen(logits);
    if (recipe_.source == ClauseSource::Templates) {
        std::size_t first = 0;
        for (std::size_t t = 0; t < chosen.size(); ++t) {
            const auto [one, other] = templates_.pairs[first + chosen[t]];
            take(candidates_[one]);
            take(candidates_[other]);
            first += templates_.pairs_of_target[t];
        }
    } else {
        for (const std::size_t place : chosen) take(candidates_[place]);
    }
    if (recipe_.composes) {
        for (const std::uint32_t i : best_first(weights, most_soft_weights))
            outcome_.soft_weights.emplace_back(candidates_[i], weights[i]);
    }
}

}  // namespace neumann
