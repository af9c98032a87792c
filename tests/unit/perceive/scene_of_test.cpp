#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "datasets/clevr_hans.h"
#include "datasets/kandinsky.h"
#include "perceive/scene_of.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "scene/camera.h"

namespace neumann {
namespace {

TEST(SceneOf, FiguresComeBack) {
    FigureSet set;
    set.pattern = find_figure_pattern("pattern-free");
    for (std::uint64_t i = 0; i < 20; ++i) {
        const Scene figure = make_figure(set, i).scene;
        const SeenObjects seen = seen_of(figure, 128, 128);
        ASSERT_EQ(seen.layout, &flat_layout());
        ASSERT_EQ(seen.count(), figure.objects.size());
        const Scene again = scene_of(seen);
        for (std::size_t k = 0; k < seen.count(); ++k) {
            const SceneObject& expected = figure.objects[k];
            const SceneObject& found = again.objects[k];
            EXPECT_EQ(found.shape, expected.shape);
            EXPECT_EQ(found.color, expected.color);
            EXPECT_EQ(found.size + found.material, "");
            EXPECT_NEAR(found.position[0], expected.position[0], 1e-6);
            EXPECT_NEAR(found.position[1], expected.position[1], 1e-6);
            EXPECT_NEAR(found.extent, expected.extent, 1e-6);
        }
        // The box is the one around what is drawn, to the pixel.
        const std::vector<Box> boxes = figure_boxes(figure, 1000, 1000);
        for (std::size_t k = 0; k < seen.count(); ++k) {
            EXPECT_NEAR(seen.row(k)[column::width], (boxes[k].right - boxes[k].left) / 1000.0, 0.002);
            EXPECT_NEAR(seen.row(k)[column::height], (boxes[k].bottom - boxes[k].top) / 1000.0, 0.002);
        }
    }
}

TEST(SceneOf, SolidsComeBack) {
    for (const HansScene& made : make_hans_scenes({.per_class = 4, .visible_pixels = 0})) {
        Scene scene = made.scene;
        set_pixels(scene, camera_of(scene), 480, 320);
        const SeenObjects seen = seen_of(scene, 128, 128);
        ASSERT_EQ(seen.layout, &solid_layout());
        const Scene again = scene_of(seen);
        ASSERT_EQ(again.objects.size(), scene.objects.size());
        for (std::size_t k = 0; k < seen.count(); ++k) {
            const SceneObject& expected = scene.objects[k];
            const SceneObject& found = again.objects[k];
            EXPECT_EQ(found.shape, expected.shape);
            EXPECT_EQ(found.color, expected.color);
            EXPECT_EQ(found.size, expected.size);
            EXPECT_EQ(found.material, expected.material);
            EXPECT_EQ(found.extent, expected.extent);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.position[i], expected.position[i], 1e-5);
            EXPECT_NEAR(found.pixel[0], expected.pixel[0], 1e-3);
            EXPECT_NEAR(found.pixel[1], expected.pixel[1], 1e-3);
            EXPECT_NEAR(found.pixel[2], expected.pixel[2], 1);  // the camera may have moved a little
        }
    }
}

// One object at a time, so that nothing is hidden: the box must be that of its mask.
TEST(SceneOf, BoxesAreThoseOfTheMasks) {
    for (const char* shape : {"sphere", "cube", "cylinder"}) {
        for (int turn = 0; turn < 4; ++turn) {
            Scene scene;
            scene.seed = 40 + static_cast<std::uint64_t>(turn);
            SceneObject object;
            object.shape = shape;
            object.color = "red";
            object.size = turn % 2 == 0 ? "large" : "small";
            object.material = "rubber";
            object.extent = turn % 2 == 0 ? 0.7 : 0.35;
            object.position = {turn - 1.5, 1.0 - turn, object.extent};
            object.rotation = 25.0 * turn;
            scene.objects.push_back(object);
            TraceOptions options;
            options.width = 480;
            options.height = 320;
            options.threads = 1;
            const Box box = trace_masks(scene, options).boxes.at(0);
            const SeenObjects seen = seen_of(scene, 480, 320);
            EXPECT_NEAR(seen.row(0)[column::width] * 480, box.right - box.left, 2) << shape << turn;
            EXPECT_NEAR(seen.row(0)[column::height] * 320, box.bottom - box.top, 2) << shape << turn;
        }
    }
}

TEST(SceneOf, TakesWhatIsProbablyThereAndItsLikeliestWords) {
    SeenObjects seen{&flat_layout(), std::vector<float>(2 * flat_layout().columns), {}};
    seen.rows[column::presence] = 0.7F;
    seen.rows[flat_layout().find("shape")->first + 2] = 0.4F;
    seen.rows[flat_layout().find("shape")->first + 1] = 0.3F;
    seen.rows[flat_layout().find("color")->first + 1] = 0.9F;
    seen.rows[flat_layout().columns + column::presence] = 0.4F;
    const Scene scene = scene_of(seen);
    ASSERT_EQ(scene.objects.size(), 1U);
    EXPECT_EQ(scene.objects[0].shape, "triangle");
    EXPECT_EQ(scene.objects[0].color, "yellow");
    EXPECT_EQ(scene_of(seen, 0.3).objects.size(), 2U);
    EXPECT_TRUE(scene_of({}).objects.empty());
    EXPECT_EQ(seen_of({}, 10, 10).count(), 0U);
    Scene strange = scene;
    strange.objects[0].color = "pink";
    EXPECT_THROW(seen_of(strange, 10, 10), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
