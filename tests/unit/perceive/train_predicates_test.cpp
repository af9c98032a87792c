#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "perceive/train_predicates.h"

namespace neumann {
namespace {

TEST(TrainPredicates, FindsTheFunctionThatMadeTheSamples) {
    const std::uint64_t seed = 3;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const LogisticFunction truth{-40, 9};
    std::vector<RelationSample> samples;
    for (int i = 0; i < 50'000; ++i) {
        const double feature = 0.5 * rng.uniform();
        samples.push_back({feature, rng.chance(truth(feature))});
    }
    const LogisticFunction found = fit_logistic(samples, 1e-9);
    EXPECT_NEAR(found.weight, truth.weight, 1);
    EXPECT_NEAR(found.threshold(), truth.threshold(), 0.002);
    // Best: the derivatives of the loss vanish.
    double by_bias = 0;
    double by_weight = 0;
    for (const RelationSample& sample : samples) {
        const double off = found(sample.feature) - (sample.holds ? 1 : 0);
        by_bias += off / 50'000;
        by_weight += off * sample.feature / 50'000;
    }
    EXPECT_NEAR(by_bias, 0, 1e-7);
    EXPECT_NEAR(by_weight, 0, 1e-7);
}

TEST(TrainPredicates, SamplesThatAThresholdSplitsHaveAnAnswerToo) {
    const std::vector<RelationSample> samples{{0.1, false}, {0.2, false}, {0.3, true}, {0.4, true}};
    const LogisticFunction found = fit_logistic(samples, 1e-6);
    EXPECT_TRUE(std::isfinite(found.weight));
    EXPECT_NEAR(found.threshold(), 0.25, 1e-6);
    EXPECT_THROW(fit_logistic(samples, 0), std::invalid_argument);
    EXPECT_THROW(fit_logistic(std::vector<RelationSample>{{0.1, true}, {0.2, true}}, 1e-6), std::invalid_argument);
    EXPECT_THROW(fit_logistic(std::vector<RelationSample>{{0.1, true}, {0.1, false}}, 1e-6), std::invalid_argument);
    EXPECT_THROW(fit_logistic({}, 1e-6), std::invalid_argument);
}

TEST(TrainPredicates, LearnsTheThresholdsFromScenes) {
    const PredicateTraining result = train_predicates({.seed = 7, .samples = 4000, .test_samples = 2000});
    std::map<std::string, TrainedPredicate> by_name;
    for (const TrainedPredicate& each : result.predicates) by_name[each.name] = each;
    ASSERT_EQ(by_name.size(), layout_relations().size());
    for (const LayoutRelation& each : layout_relations()) {
        const TrainedPredicate& trained = by_name.at(each.name());
        SCOPED_TRACE(trained.name);
        EXPECT_NEAR(trained.threshold, each.relation->relation.threshold, 0.01);
        EXPECT_GT(trained.weight * each.relation->relation.slope, 0);  // the same side
        EXPECT_GT(trained.train_accuracy, 0.96);
        EXPECT_GT(trained.test_accuracy, 0.96);
        EXPECT_GT(trained.scene_accuracy, 0.98);
        EXPECT_EQ(result.weights.find(*each.layout, each.relation->name)->weight, trained.weight);
    }
    // No figure is near these thresholds: a small error of measurement changes no label.
    EXPECT_GT(by_name.at("flat.closeby").scene_accuracy, 0.985);
    EXPECT_GT(by_name.at("flat.online").scene_accuracy, 0.985);
    EXPECT_THROW(train_predicates({.samples = 0}), std::invalid_argument);
}

TEST(TrainPredicates, TheSameSeedLearnsTheSame) {
    const PredicateTrainingOptions options{.seed = 2, .samples = 300, .test_samples = 100};
    const PredicateTraining one = train_predicates(options);
    const PredicateTraining other = train_predicates(options);
    for (std::size_t i = 0; i < one.predicates.size(); ++i)
        EXPECT_EQ(one.predicates[i].weight, other.predicates[i].weight);
}

TEST(RelationSamples, SplitsDifferAndNoiseIsMeasured) {
    const auto closeby = std::find_if(valuation_functions().begin(), valuation_functions().end(),
                                      [](const ValuationFunction& f) { return f.name == "closeby"; });
    const auto exact = flat_relation_samples(*closeby, {.samples = 200, .noise = 0});
    for (const RelationSample& sample : exact) EXPECT_EQ(sample.holds, sample.feature < 0.224);
    const auto test = flat_relation_samples(*closeby, {.split = Split::Test, .samples = 200, .noise = 0});
    EXPECT_NE(exact[0].feature, test[0].feature);
    std::size_t near = 0;
    for (const RelationSample& sample : exact) near += std::abs(sample.feature - 0.224) <= 0.06 ? 1 : 0;
    EXPECT_GT(near, 80U);
    const auto noisy = flat_relation_samples(*closeby, {.samples = 200, .noise = 0.004});
    double square = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) square += std::pow(noisy[i].feature - exact[i].feature, 2) / 200;
    EXPECT_NEAR(std::sqrt(square), 0.004 * std::sqrt(2.0), 0.001);
    EXPECT_THROW(solid_relation_samples(*closeby, {}), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
