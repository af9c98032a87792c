#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "datasets/clevr_hans.h"
#include "render/trace.h"
#include "unit/scene_text.h"

namespace neumann {
namespace {

constexpr std::size_t test_size = 750;

const std::vector<HansScene>& scenes_of(Split split) {
    static std::map<Split, std::vector<HansScene>> made;
    if (!made.contains(split)) {
        made[split] =
            make_hans_scenes({.seed = 5, .split = split, .per_class = test_size, .visible_pixels = 0, .threads = 2});
    }
    return made[split];
}

// The rules again, as one set of words per object instead of conditions on fields.
unsigned classes_followed(const Scene& scene) {
    const auto has = [&](std::initializer_list<std::string> words) {
        for (const SceneObject& o : scene.objects) {
            const std::set<std::string> own{o.shape, o.size, o.material, o.color};
            bool all = true;
            for (const std::string& word : words) all = all && own.contains(word);
            if (all) return true;
        }
        return false;
    };
    unsigned followed = 0;
    if (has({"large", "cube"}) && has({"large", "cylinder"})) followed |= 1;
    if (has({"small", "metal", "cube"}) && has({"small", "sphere"})) followed |= 2;
    if (has({"large", "blue", "sphere"}) && has({"small", "yellow", "sphere"})) followed |= 4;
    return followed;
}

TEST(ClevrHans, EveryLabelIsRightAndTheOnlyOne) {
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        std::map<unsigned, std::size_t> counts;
        for (const HansScene& made : scenes_of(split)) {
            EXPECT_EQ(classes_followed(made.scene), 1U << made.label);
            ++counts[made.label];
        }
        EXPECT_EQ(counts, (std::map<unsigned, std::size_t>{{0, test_size}, {1, test_size}, {2, test_size}}));
    }
    EXPECT_EQ(hans_size(Split::Train), 3000U);
    EXPECT_EQ(hans_size(Split::Val), 750U);
    EXPECT_EQ(hans_size(Split::Test), 750U);
}

TEST(ClevrHans, NumbersOfObjectsDoNotTellTheClass) {
    std::map<unsigned, std::map<std::size_t, std::size_t>> counts;
    for (const HansScene& made : scenes_of(Split::Train)) ++counts[made.label][made.scene.objects.size()];
    for (unsigned label = 0; label < hans_classes; ++label) {
        EXPECT_EQ(counts[label].size(), 8U);
        for (std::size_t objects = 3; objects <= 10; ++objects)
            EXPECT_NEAR(static_cast<double>(counts[label][objects]), test_size / 8.0, 40) << label << ' ' << objects;
    }
}

// In scenes of a class: how many have an object of the size and shape that the confounder is about, such a one that is
// confounded, and one that is not.
struct Confounded {
    std::size_t scenes = 0;
    std::size_t some = 0;
    std::size_t others = 0;
};
Confounded confounded(Split split, unsigned label) {
    Confounded found;
    for (const HansScene& made : scenes_of(split)) {
        if (made.label != label) continue;
        bool some = false;
        bool others = false;
        for (const SceneObject& o : made.scene.objects) {
            const bool concerned =
                label == 0 ? o.size == "large" && o.shape == "cube" : o.size == "small" && o.shape == "sphere";
            if (!concerned) continue;
            ((label == 0 ? o.color == "gray" : o.material == "metal") ? some : others) = true;
        }
        ++found.scenes;
        found.some += some ? 1 : 0;
        found.others += others ? 1 : 0;
    }
    return found;
}

TEST(ClevrHans, TheRequiredObjectIsConfoundedInTrainingAndValidationOnly) {
    for (const unsigned label : {0U, 1U}) {
        for (const Split split : {Split::Train, Split::Val}) {
            const Confounded found = confounded(split, label);
            EXPECT_EQ(found.some, found.scenes);
            EXPECT_GT(found.others, found.scenes / 20);  // further objects are as they come
            EXPECT_LT(found.others, found.scenes * 3 / 5);
        }
        const Confounded found = confounded(Split::Test, label);
        EXPECT_LT(found.some, found.scenes * 3 / 4);
        EXPECT_GT(found.others, found.scenes / 3);
    }
}

TEST(ClevrHans, ObjectsStandApart) {
    for (const HansScene& made : scenes_of(Split::Val)) {
        const Directions d = camera_of(made.scene).directions();
        const auto& objects = made.scene.objects;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const double r = objects[i].size == "large" ? 0.7 : 0.35;
            EXPECT_LE(std::abs(objects[i].position[0]), 3);
            EXPECT_LE(std::abs(objects[i].position[1]), 3);
            EXPECT_NEAR(objects[i].position[2], r, 1e-12);
            EXPECT_EQ(objects[i].position[2], objects[i].extent);
            EXPECT_GE(objects[i].rotation, 0);
            EXPECT_LT(objects[i].rotation, 360);
            for (std::size_t j = 0; j < i; ++j) {
                const double dx = objects[i].position[0] - objects[j].position[0];
                const double dy = objects[i].position[1] - objects[j].position[1];
                EXPECT_GE(std::sqrt(dx * dx + dy * dy), r + (objects[j].size == "large" ? 0.7 : 0.35) + 0.25);
                for (const Point& to : {d.left, d.right, d.front, d.behind}) {
                    EXPECT_GE(std::abs(dx * to[0] + dy * to[1]), 0.4);
                }
            }
        }
    }
}

TEST(ClevrHans, NoSceneOccursTwice) {
    std::set<std::string> texts;
    std::set<std::uint64_t> seeds;
    std::set<std::string> images;
    std::size_t count = 0;
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        for (const HansScene& made : scenes_of(split)) {
            texts.insert(text_of(made.scene));
            seeds.insert(made.scene.seed);
            images.insert(made.scene.image);
            ++count;
        }
    }
    EXPECT_EQ(texts.size(), count);
    EXPECT_EQ(seeds.size(), count);
    EXPECT_EQ(images.size(), count);
}

TEST(ClevrHans, IsTheSameForAnyNumberOfThreads) {
    const std::vector<HansScene> one = make_hans_scenes({.per_class = 100, .visible_pixels = 0, .threads = 1});
    const std::vector<HansScene> two = make_hans_scenes({.per_class = 100, .visible_pixels = 0, .threads = 2});
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(text_of(one[i].scene), text_of(two[i].scene));
        EXPECT_EQ(one[i].scene.seed, two[i].scene.seed);
    }
    // More scenes begin with the same ones; another seed has others.
    EXPECT_EQ(text_of(make_hans_scenes({.per_class = 120})[7].scene), text_of(one[7].scene));
    EXPECT_NE(text_of(make_hans_scenes({.seed = 2, .per_class = 100})[7].scene), text_of(one[7].scene));
}

TEST(ClevrHans, RefusesImpossibleOptions) {
    EXPECT_THROW(make_hans_scenes({.least_objects = 1}), std::invalid_argument);
    EXPECT_THROW(make_hans_scenes({.least_objects = 5, .most_objects = 4}), std::invalid_argument);
    EXPECT_THROW(follows_hans_rule({}, 3), std::invalid_argument);
    HansOptions crowded{.per_class = 1, .least_objects = 60, .most_objects = 60, .visible_pixels = 0};
    crowded.placement.restarts = 3;
    EXPECT_THROW(make_hans_scenes(crowded), std::runtime_error);
}

TEST(ClevrHans, EveryObjectCanBeSeen) {
    for (const HansScene& made : make_hans_scenes({.seed = 3, .per_class = 20, .threads = 2})) {
        TraceOptions look;
        look.width = 320;
        look.height = 240;
        for (const Box& box : trace_masks(made.scene, look).boxes) EXPECT_GE(box.pixels, 200U);
    }
}

}  // namespace
}  // namespace neumann
