// Size, position, number and colours of the objects must not predict the label: a classifier that sees only them stays
// at chance.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "datasets/kandinsky.h"
#include "unit/scene_text.h"

namespace neumann {
namespace {

constexpr std::uint64_t seed = 20;

FigureSet set_of(const FigurePattern& pattern, Split split = Split::Train) {
    FigureSet set;
    set.pattern = &pattern;
    set.seed = seed;
    set.split = split;
    return set;
}

// What can be said about a figure without relating properties to each other. The square of a number tells a classifier
// about its spread, too. How many objects share a shape in two pairs follows from the rule (two shapes, two each):
// there the counts per shape come without their squares.
std::vector<double> features_of(const Scene& scene, bool squared_shape_counts) {
    std::vector<double> features = {static_cast<double>(scene.objects.size())};
    const auto statistics = [&](const auto& value) {
        double sum = 0, squares = 0, low = 9, high = -9;
        for (const SceneObject& object : scene.objects) {
            const double v = value(object);
            sum += v;
            squares += v * v;
            low = std::min(low, v);
            high = std::max(high, v);
        }
        const double mean = sum / static_cast<double>(scene.objects.size());
        const double variance = squares / static_cast<double>(scene.objects.size()) - mean * mean;
        for (const double v : {mean, std::sqrt(std::max(0.0, variance)), low, high}) features.push_back(v);
    };
    statistics([](const SceneObject& object) { return object.extent; });
    statistics([](const SceneObject& object) { return object.position[0]; });
    statistics([](const SceneObject& object) { return object.position[1]; });
    // The order of the objects shall not tell anything either.
    const SceneObject& first = scene.objects.front();
    for (const double v : {first.extent, first.position[0], first.position[1]}) features.push_back(v);
    const auto count = [&](const auto& holds) {
        features.push_back(static_cast<double>(std::ranges::count_if(scene.objects, holds)));
    };
    for (const char* color : {"red", "yellow", "blue"}) {
        count([&](const SceneObject& object) { return object.color == color; });
    }
    std::size_t to_square = features.size();
    for (const char* shape : {"circle", "square", "triangle"}) {
        count([&](const SceneObject& object) { return object.shape == shape; });
    }
    if (squared_shape_counts) to_square = features.size();
    for (std::size_t i = 0; i < to_square; ++i) features.push_back(features[i] * features[i]);
    return features;
}

struct Sample {
    std::vector<std::vector<double>> features;
    std::vector<double> labels;
};

Sample sample(const FigurePattern& pattern, Split split, std::size_t count) {
    Sample result;
    for (const Figure& figure : make_figures(set_of(pattern, split), 0, count, 2)) {
        result.features.push_back(features_of(figure.scene, pattern.name != "twopairs"));
        result.labels.push_back(figure.positive ? 1 : 0);
    }
    return result;
}

// Logistic regression by gradient descent on standardised features; the share of test labels that it gets right.
double accuracy(Sample train, Sample test) {
    const std::size_t columns = train.features[0].size();
    const auto count = static_cast<double>(train.features.size());
    for (std::size_t c = 0; c < columns; ++c) {
        double mean = 0, variance = 0;
        for (const auto& row : train.features) mean += row[c] / count;
        for (const auto& row : train.features) variance += (row[c] - mean) * (row[c] - mean) / count;
        const double scale = variance > 1e-12 ? 1 / std::sqrt(variance) : 0;
        for (Sample* set : {&train, &test}) {
            for (auto& row : set->features) row[c] = (row[c] - mean) * scale;
        }
    }
    std::vector<double> weights(columns + 1);
    const auto score = [&](const std::vector<double>& row) {
        double sum = weights[columns];
        for (std::size_t c = 0; c < columns; ++c) sum += weights[c] * row[c];
        return sum;
    };
    for (int step = 0; step < 300; ++step) {
        std::vector<double> gradient(columns + 1);
        for (std::size_t i = 0; i < train.features.size(); ++i) {
            const double error = train.labels[i] - 1 / (1 + std::exp(-score(train.features[i])));
            for (std::size_t c = 0; c < columns; ++c) gradient[c] += error * train.features[i][c];
            gradient[columns] += error;
        }
        for (std::size_t c = 0; c <= columns; ++c) weights[c] += .2 * gradient[c] / count;
    }
    double right = 0;
    for (std::size_t i = 0; i < test.features.size(); ++i) {
        right += (score(test.features[i]) > 0) == (test.labels[i] > .5) ? 1 : 0;
    }
    return right / static_cast<double>(test.features.size());
}

class Marginals : public testing::TestWithParam<const char*> {
protected:
    const FigurePattern& pattern() const { return *find_figure_pattern(GetParam()); }
    testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << seed};
};

TEST_P(Marginals, DoNotTellTheLabel) {
    const double reached = accuracy(sample(pattern(), Split::Train, 4000), sample(pattern(), Split::Test, 2000));
    RecordProperty("accuracy", std::to_string(reached));
    EXPECT_NEAR(reached, .5, .03);
}

// The classifier is not blind: it finds the public set's leak, smaller objects in negatives, at once.
TEST(MarginalClassifier, FindsALeak) {
    Sample train = sample(*find_figure_pattern("closeby"), Split::Train, 1000);
    Sample test = sample(*find_figure_pattern("closeby"), Split::Test, 1000);
    for (Sample* set : {&train, &test}) {
        for (std::size_t i = 0; i < set->features.size(); ++i) set->features[i][1] += .003 * set->labels[i];
    }
    EXPECT_GT(accuracy(train, test), .6);
}

// How often which number of objects share a colour (a shape) is the same with either label.
TEST_P(Marginals, OfCountsAreTheSameWithEitherLabel) {
    constexpr std::size_t count = 20'000;
    std::map<std::string, std::array<double, 2>> colors, shapes;
    for (const Figure& figure : make_figures(set_of(pattern()), 0, count, 2)) {
        std::array<std::map<std::string, int>, 2> counts;
        for (const SceneObject& object : figure.scene.objects) {
            ++counts[0][object.color];
            ++counts[1][object.shape];
        }
        for (const bool shape : {false, true}) {
            std::string text;
            for (const auto& [name, number] : counts[shape ? 1 : 0]) text += name + ' ' + std::to_string(number) + ' ';
            (shape ? shapes : colors)[text][figure.positive ? 1 : 0] += 2.0 / count;
        }
    }
    for (const auto& [text, share] : colors) EXPECT_NEAR(share[0], share[1], .03) << text;
    if (pattern().name == "twopairs") return;  // follows from the rule: see features_of
    for (const auto& [text, share] : shapes) EXPECT_NEAR(share[0], share[1], .03) << text;
}

INSTANTIATE_TEST_SUITE_P(Kandinsky, Marginals,
                         testing::Values("twopairs", "closeby", "red-triangle", "online-pair", "long-line"),
                         pattern_test_name);

}  // namespace
}  // namespace neumann
