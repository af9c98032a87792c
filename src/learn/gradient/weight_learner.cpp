#include "learn/gradient/weight_learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/random_draws.h"

namespace neumann {
namespace {

std::size_t count_logits(std::span<const SlotGroup> groups) {
    std::size_t count = 0;
    for (const SlotGroup& group : groups) count += group.slots * group.candidates.size();
    return count;
}

}  // namespace

WeightLearner::WeightLearner(CandidateGraph& graph, std::vector<SlotGroup> groups, const Dataset& train,
                             const Dataset& validation, const LearnerOptions& options, Journal& journal,
                             const std::string& name, std::uint32_t start, EpochWatcher* watcher)
    : graph_(graph), groups_(std::move(groups)), train_(train), validation_(validation), options_(options),
      journal_(journal), step_(fmt::format("{}/weights {}", name, start)), start_(start), watcher_(watcher),
      train_weights_(balanced_weights(train)), validation_weights_(balanced_weights(validation)),
      rng_(named_rng(options.seed, step_)), optimiser_(options.weights.optimiser, count_logits(groups_)) {
    logits_.resize(count_logits(groups_));
    for (double& logit : logits_) logit = options.weights.initial_spread * rng_.uniform();
    best_logits_ = logits_;
}

std::vector<double> WeightLearner::compose(std::span<const double> logits) const {
    std::vector<double> weights(graph_.candidates().size(), 0.0);
    std::size_t at = 0;
    for (const SlotGroup& group : groups_) {
        const std::size_t size = group.slots * group.candidates.size();
        const WeightComposition composition{.slots = group.slots};
        const std::vector<double> composed = composition.compose(logits.subspan(at, size), group.candidates.size());
        for (std::size_t k = 0; k < composed.size(); ++k) weights[group.candidates[k]] = composed[k];
        at += size;
    }
    return weights;
}

void WeightLearner::run() {
    const auto tell = [&](const EpochReport& report) {
        if (watcher_ != nullptr) watcher_->epoch_done(report);
    };
    if (load()) std::ranges::for_each(curve_, tell);
    while (!finished()) {
        run_epoch();
        save();
        tell(curve_.back());
    }
}

bool WeightLearner::finished() const {
    return epoch_ >= options_.weights.epochs || epoch_ - best_epoch_ >= options_.weights.patience;
}

void WeightLearner::run_epoch() {
    // Everything that changes is computed on the side: an interruption leaves the state of the last whole epoch.
    Rng rng = rng_;
    std::vector<double> logits = logits_;
    Optimiser optimiser = optimiser_;
    std::vector<std::uint32_t> examples = all_examples(train_);
    shuffle_in_place(examples, rng);
    const CrossEntropy loss{options_.weights.loss_floor};
    double sum = 0;
    double total = 0;
    for (std::size_t first = 0; first < examples.size(); first += options_.weights.batch) {
        const std::span<const std::uint32_t> batch =
            std::span(examples).subspan(first, std::min<std::size_t>(options_.weights.batch, examples.size() - first));
        graph_.set_weights(compose(logits));
        const CandidateGraph::Gradient gradient = graph_.gradient(train_, batch, train_weights_, loss);
        double weight = 0;
        for (const std::uint32_t e : batch) {
            for (std::size_t t = train_.first_target(e); t < train_.end_target(e); ++t) weight += train_weights_[t];
        }
        if (weight == 0) continue;
        sum += gradient.loss;
        total += weight;
        std::vector<double> by_logit;
        std::size_t at = 0;
        for (const SlotGroup& group : groups_) {
            const std::size_t size = group.slots * group.candidates.size();
            std::vector<double> by_weight;
            for (const std::uint32_t k : group.candidates) by_weight.push_back(gradient.by_weight[k] / weight);
            const WeightComposition composition{.slots = group.slots};
            const std::vector<double> part =
                composition.compose_gradient(std::span(logits).subspan(at, size), group.candidates.size(), by_weight);
            by_logit.insert(by_logit.end(), part.begin(), part.end());
            at += size;
        }
        optimiser.step(logits, by_logit);
    }
    graph_.set_weights(compose(logits));
    graph_.predict(validation_, values_);
    const double validation_loss = mean_loss(validation_, values_, validation_weights_, loss);
    rng_ = rng;
    logits_ = std::move(logits);
    optimiser_ = std::move(optimiser);
    ++epoch_;
    curve_.push_back({start_, epoch_, options_.weights.epochs, total > 0 ? sum / total : 0, validation_loss,
                      accuracy(validation_, values_)});
    if (best_epoch_ == 0 || validation_loss < best_loss_ - options_.weights.least_improvement) {
        best_epoch_ = epoch_;
        best_loss_ = validation_loss;
        best_accuracy_ = curve_.back().validation_accuracy;
        best_logits_ = logits_;
    }
}

std::vector<double> WeightLearner::weights() const { return compose(best_logits_); }

std::vector<std::uint32_t> WeightLearner::discretised() const {
    std::vector<std::uint32_t> chosen;
    const double* at = best_logits_.data();
    for (const SlotGroup& group : groups_) {
        for (std::uint32_t m = 0; m < group.slots && !group.candidates.empty(); ++m) {
            const std::size_t best = static_cast<std::size_t>(std::max_element(at, at + group.candidates.size()) - at);
            if (std::ranges::find(chosen, group.candidates[best]) == chosen.end())
                chosen.push_back(group.candidates[best]);
            at += group.candidates.size();
        }
    }
    return chosen;
}

void WeightLearner::save() {
    WeightsRecord record{.best_epoch = best_epoch_,
                         .best_loss = best_loss_,
                         .best_accuracy = best_accuracy_,
                         .random_state = rng_.state(),
                         .logits = logits_,
                         .best_logits = best_logits_,
                         .optimiser = optimiser_.state(),
                         .epochs = {}};
    for (const EpochReport& one : curve_)
        record.epochs.push_back({one.train_loss, one.validation_loss, one.validation_accuracy});
    journal_.record(step_, std::move(record));
}

bool WeightLearner::load() {
    const WeightsRecord* known = journal_.find<WeightsRecord>(step_);
    if (known == nullptr || known->logits.size() != logits_.size() || known->best_logits.size() != logits_.size() ||
        known->optimiser.size() != optimiser_.state().size())
        return false;
    epoch_ = static_cast<std::uint32_t>(known->epochs.size());
    best_epoch_ = known->best_epoch;
    best_loss_ = known->best_loss;
    best_accuracy_ = known->best_accuracy;
    rng_ = Rng(known->random_state);
    logits_ = known->logits;
    best_logits_ = known->best_logits;
    optimiser_.restore(known->optimiser);
    for (const WeightsRecord::Epoch& one : known->epochs) {
        const auto epoch = static_cast<std::uint32_t>(curve_.size() + 1);
        curve_.push_back(
            {start_, epoch, options_.weights.epochs, one.train_loss, one.validation_loss, one.validation_accuracy});
    }
    return true;
}

}  // namespace neumann
