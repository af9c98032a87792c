#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "datasets/kandinsky_rules.h"
#include "valuation/geometry_of_relations.h"

namespace neumann {
namespace {

using Places = std::vector<RelationPlace>;

Places random_places(std::size_t count, Rng& rng) {
    Places places(count);
    for (RelationPlace& place : places) place = {rng.uniform(), rng.uniform()};
    return places;
}

TEST(GeometryOfRelations, MeasuresWhatItSays) {
    EXPECT_DOUBLE_EQ(centre_distance_feature.value(Places{{0.1, 0.2}, {0.4, 0.6}}), 0.5);
    EXPECT_DOUBLE_EQ(to_the_right_feature.value(Places{{0.1, 0.2}, {0.4, 0.6}}), 0.4 - 0.1);
    EXPECT_DOUBLE_EQ(to_the_front_feature.value(Places{{0.1, 0.2}, {0.4, 0.6}}), 0.2 - 0.6);
    EXPECT_DOUBLE_EQ(from_the_middle_feature.value(Places{{0.1, 0.2}}), 0.1 - 0.5);
    EXPECT_NEAR(line_residual_feature.value(Places{{0, 0}, {0.5, 0.25}, {1, 0.5}}), 0, 1e-9);
    EXPECT_NEAR(line_residual_feature.value(Places{{0, 0}, {0.5, 0.3}, {1, 0}}), 0.3 * std::sqrt(2.0 / 3), 1e-9);
    // Upright lines: nothing to be explained by x.
    EXPECT_NEAR(line_residual_feature.value(Places{{0.5, 0}, {0.5, 0.5}, {0.5, 1}}), std::sqrt(0.5), 1e-9);
}

TEST(GeometryOfRelations, AgreesWithTheRulesOfFigures) {
    const std::uint64_t seed = 5;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int i = 0; i < 100; ++i) {
        const Places places = random_places(5, rng);
        std::vector<FigurePlace> same;
        for (const RelationPlace& place : places) same.push_back({place.x, place.y, 0});
        EXPECT_NEAR(line_residual_feature.value(places), line_residual_along_y(same), 1e-9);
    }
}

void check_derivative(const RelationFeature& feature, const Places& places) {
    Places gradients(places.size(), {1, 1});  // derivatives are added
    feature.derivative(places, 2, gradients);
    constexpr double step = 1e-6;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (double RelationPlace::*part : {&RelationPlace::x, &RelationPlace::y}) {
            Places more = places;
            Places less = places;
            more[i].*part += step;
            less[i].*part -= step;
            const double expected = 2 * (feature.value(more) - feature.value(less)) / (2 * step);
            EXPECT_NEAR(gradients[i].*part - 1, expected, 1e-6) << i;
        }
    }
}

TEST(GeometryOfRelations, DerivativesAreThoseOfTheValues) {
    const std::uint64_t seed = 6;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int i = 0; i < 50; ++i) {
        check_derivative(centre_distance_feature, random_places(2, rng));
        check_derivative(to_the_right_feature, random_places(2, rng));
        check_derivative(to_the_front_feature, random_places(2, rng));
        check_derivative(from_the_middle_feature, random_places(1, rng));
        for (const std::size_t count : {3, 5, 7}) check_derivative(line_residual_feature, random_places(count, rng));
    }
}

TEST(GeometryOfRelations, WithoutADerivativeNothingIsAdded) {
    const auto derivative = [](const RelationFeature& feature, const Places& places) {
        Places gradients(places.size());
        feature.derivative(places, 1, gradients);
        double sum = 0;
        for (const RelationPlace& each : gradients) sum += std::abs(each.x) + std::abs(each.y);
        return sum;
    };
    EXPECT_EQ(derivative(centre_distance_feature, {{0.3, 0.3}, {0.3, 0.3}}), 0);
    EXPECT_EQ(derivative(line_residual_feature, {{0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}}), 0);
    EXPECT_EQ(derivative(line_residual_feature, {{0.3, 0.3}, {0.3, 0.3}, {0.3, 0.3}}), 0);
}

}  // namespace
}  // namespace neumann
