#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "datasets/dataset.h"
#include "datasets/kandinsky.h"
#include "unit/scene_text.h"

namespace neumann {
namespace {

constexpr std::uint64_t seed = 5;
constexpr std::size_t count = 600;

double nearest(const Scene& figure) {
    const std::vector<FigurePlace> places = places_of(figure);
    double found = 9;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) found = std::min(found, centre_distance(places[i], places[j]));
    }
    return found;
}

class Borderline : public testing::TestWithParam<const char*> {
protected:
    std::vector<Figure> figures(double share) const {
        return make_figures({find_figure_pattern(GetParam()), seed, Split::Train, {}, share}, 0, count, 2);
    }
    testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << seed};
};

TEST_P(Borderline, LiesInTheGapAndLeavesTheOthersAlone) {
    const std::string name = GetParam();
    const std::vector<Figure> without = figures(0);
    const std::vector<Figure> half = figures(.5);
    std::size_t borderline = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Scene& scene = half[i].scene;
        ASSERT_EQ(half[i].positive, without[i].positive);
        ASSERT_FALSE(without[i].borderline);
        ASSERT_EQ(text_of(scene) == text_of(without[i].scene), !half[i].borderline) << name << ' ' << i;
        if (!half[i].borderline) continue;
        ++borderline;
        if (name == "closeby" || name == "red-triangle") {
            ASSERT_GE(nearest(scene), .15) << name << ' ' << i;
            ASSERT_LE(nearest(scene), .24) << name << ' ' << i;
        } else {
            ASSERT_GE(line_residual_along_y(places_of(scene)), .02) << name << ' ' << i;
            ASSERT_LE(line_residual(places_of(scene)), .21) << name << ' ' << i;
        }
        if (name == "closeby") {
            ASSERT_EQ(nearest(scene) <= .224, half[i].positive) << i;
        }
        if (name == "long-line") {
            ASSERT_EQ(line_residual_along_y(places_of(scene)) <= .157, half[i].positive) << i;
        }
    }
    EXPECT_NEAR(static_cast<double>(borderline), count / 2.0, 60);
}

INSTANTIATE_TEST_SUITE_P(Patterns, Borderline, testing::Values("closeby", "red-triangle", "online-pair", "long-line"));

TEST(LabelNoise, TurnsLabelsRoundButInTheTestPart) {
    const auto wrong_labels = [](Split split) {
        DatasetRequest request;
        request.name = "kandinsky";
        request.pattern = "twopairs";
        request.seed = seed;
        request.count = 1000;
        const std::vector<SceneExample> clean = make_examples(request, split);
        request.label_noise = .1;
        const std::vector<SceneExample> noisy = make_examples(request, split);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < clean.size(); ++i) {
            EXPECT_EQ(text_of(clean[i].images[0]), text_of(noisy[i].images[0]));
            wrong += clean[i].label != noisy[i].label ? 1U : 0U;
        }
        return static_cast<double>(wrong);
    };
    EXPECT_NEAR(wrong_labels(Split::Train), 100, 40);
    EXPECT_NEAR(wrong_labels(Split::Val), 100, 40);
    EXPECT_EQ(wrong_labels(Split::Test), 0);
}

}  // namespace
}  // namespace neumann
