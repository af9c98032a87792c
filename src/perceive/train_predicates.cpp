#include "perceive/train_predicates.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr int newton_steps_most = 100;
constexpr int halvings_most = 40;
constexpr double gradient_least = 1e-10;

// Mean loss with its first and second derivatives by weight and bias; features are (f - mean) / spread.
struct Curvature {
    double loss = 0;
    double by_weight = 0;
    double by_bias = 0;
    double weight_weight = 0;
    double weight_bias = 0;
    double bias_bias = 0;
};

struct Standard {
    double mean = 0;
    double spread = 0;
    double operator()(double feature) const { return (feature - mean) / spread; }
};

Standard standard_of(std::span<const RelationSample> samples) {
    Standard standard;
    const auto count = static_cast<double>(samples.size());
    for (const RelationSample& sample : samples) standard.mean += sample.feature / count;
    double square = 0;
    for (const RelationSample& sample : samples) square += std::pow(sample.feature - standard.mean, 2) / count;
    standard.spread = std::sqrt(square);
    return standard;
}

Curvature curvature(std::span<const RelationSample> samples, const Standard& standard, const LogisticFunction& at,
                    double ridge) {
    Curvature sum;
    for (const RelationSample& sample : samples) {
        const double x = standard(sample.feature);
        const double logit = at.weight * x + at.bias;
        // log(1 + e^-m) for the margin m, without overflow
        const double margin = sample.holds ? logit : -logit;
        sum.loss += std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
        const double probability = at(x);
        const double off = probability - (sample.holds ? 1 : 0);
        const double bend = probability * (1 - probability);
        sum.by_weight += off * x;
        sum.by_bias += off;
        sum.weight_weight += bend * x * x;
        sum.weight_bias += bend * x;
        sum.bias_bias += bend;
    }
    const double share = 1 / static_cast<double>(samples.size());
    for (double* each : {&sum.loss, &sum.by_weight, &sum.by_bias, &sum.weight_weight, &sum.weight_bias, &sum.bias_bias})
        *each *= share;
    sum.loss += ridge / 2 * at.weight * at.weight;
    sum.by_weight += ridge * at.weight;
    sum.weight_weight += ridge;
    return sum;
}

double accuracy(std::span<const RelationSample> samples, const LogisticFunction& function) {
    const auto right = std::count_if(samples.begin(), samples.end(), [&](const RelationSample& sample) {
        return (function(sample.feature) > 0.5) == sample.holds;
    });
    return static_cast<double>(right) / static_cast<double>(samples.size());
}

std::vector<RelationSample> samples_of(const LayoutRelation& each, const RelationSampling& sampling) {
    return each.layout == &flat_layout() ? flat_relation_samples(*each.relation, sampling)
                                         : solid_relation_samples(*each.relation, sampling);
}

}  // namespace

LogisticFunction fit_logistic(std::span<const RelationSample> samples, double ridge) {
    const Standard standard = standard_of(samples);
    const auto holding = std::ranges::count(samples, true, &RelationSample::holds);
    if (holding == 0 || holding == std::ssize(samples) || !(standard.spread > 0) || !(ridge > 0)) {
        throw std::invalid_argument(
            fmt::format("a logistic function needs samples of both kinds and a ridge above 0, not {} of which {} hold, "
                        "features that spread by {} and a ridge of {}",
                        samples.size(), holding, standard.spread, ridge));
    }
    LogisticFunction at;
    Curvature now = curvature(samples, standard, at, ridge);
    for (int step = 0; step < newton_steps_most && std::hypot(now.by_weight, now.by_bias) > gradient_least; ++step) {
        const double determinant = now.weight_weight * now.bias_bias - now.weight_bias * now.weight_bias;
        const double weight_step = (now.bias_bias * now.by_weight - now.weight_bias * now.by_bias) / determinant;
        const double bias_step = (now.weight_weight * now.by_bias - now.weight_bias * now.by_weight) / determinant;
        // Far from the best place a whole step may go too far; the loss is convex, so half of it helps at some point.
        double length = 1;
        bool better = false;
        for (int halving = 0; halving < halvings_most && !better; ++halving, length /= 2) {
            const LogisticFunction next{at.weight - length * weight_step, at.bias - length * bias_step};
            const Curvature there = curvature(samples, standard, next, ridge);
            better = there.loss < now.loss;
            if (!better) continue;
            at = next;
            now = there;
        }
        if (!better) break;  // as good as rounding lets it be
    }
    return {at.weight / standard.spread, at.bias - at.weight * standard.mean / standard.spread};
}

PredicateTraining train_predicates(const PredicateTrainingOptions& options, Progress* progress) {
    if (options.samples == 0 || options.test_samples == 0) {
        throw std::invalid_argument(fmt::format("nothing to learn from or to test with: {} samples, {} test samples",
                                                options.samples, options.test_samples));
    }
    PredicateTraining result;
    const std::vector<LayoutRelation> all = layout_relations();
    for (const LayoutRelation& each : all) {
        if (progress != nullptr) progress->update("learning relations", result.predicates.size(), all.size());
        RelationSampling sampling;
        sampling.seed = options.seed;
        sampling.samples = options.samples;
        sampling.noise = options.noise;
        const std::vector<RelationSample> samples = samples_of(each, sampling);
        sampling.split = Split::Test;
        sampling.samples = options.test_samples;
        const std::vector<RelationSample> fresh = samples_of(each, sampling);
        sampling.near_share = 0;
        const std::vector<RelationSample> in_scenes = samples_of(each, sampling);

        const LogisticFunction function = fit_logistic(samples, options.ridge);
        result.weights.set(*each.layout, each.relation->name, function);
        result.predicates.push_back({each.name(), function.weight, function.bias, function.threshold(),
                                     accuracy(samples, function), accuracy(fresh, function),
                                     accuracy(in_scenes, function), samples.size()});
    }
    if (progress != nullptr) progress->update("learning relations", all.size(), all.size());
    return result;
}

}  // namespace neumann
