#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "scene/camera.h"

namespace neumann {
namespace {

CameraOptions still() {
    CameraOptions options;
    options.jitter = 0;
    return options;
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

TEST(Camera, TheTargetIsInTheMiddle) {
    const Point middle = Camera(7).project({0, 0, 0}, 480, 320);  // wherever the camera has moved to
    EXPECT_NEAR(middle[0], 240, 1e-9);
    EXPECT_NEAR(middle[1], 160, 1e-9);
    const Point still_middle = Camera(7, still()).project({0, 0, 0}, 128, 128);
    EXPECT_NEAR(still_middle[0], 64, 1e-9);
    EXPECT_NEAR(still_middle[2], std::sqrt(7.4811 * 7.4811 + 6.5076 * 6.5076 + 5.3437 * 5.3437), 1e-9);
}

// By hand, for a camera that looks north along the ground: a point 10 m ahead, 1 m to the right and 2 m up. The view is
// 32/35 of the depth wide, so 1 m is 1/(10·32/35) of the width.
TEST(Camera, KnownPoints) {
    CameraOptions options = still();
    options.position = {0, -10, 0};
    const Camera camera(0, options);
    const Point p = camera.project({1, 0, 2}, 480, 320);
    EXPECT_NEAR(p[0], 240 + 480 * 35.0 / 320, 1e-9);
    EXPECT_NEAR(p[1], 160 - 2 * 480 * 35.0 / 320, 1e-9);
    EXPECT_NEAR(p[2], 10, 1e-9);
    // Squashed to a square the place is the same in parts of the picture.
    const Point q = camera.project({1, 0, 2}, 128, 128);
    EXPECT_NEAR(q[0] / 128, p[0] / 480, 1e-12);
    EXPECT_NEAR(q[1] / 128, p[1] / 320, 1e-12);
    EXPECT_NEAR(camera.directions().right[0], 1, 1e-12);
    EXPECT_NEAR(camera.directions().behind[1], 1, 1e-12);
}

TEST(Camera, RaysGoWhereProjectionSays) {
    const Camera camera(3);
    const Point world{1.5, -2, 0.7};
    const Point p = camera.project(world, 480, 320);
    const Point ray = camera.ray(p[0], p[1], 480, 320);
    for (unsigned k = 0; k < 3; ++k) EXPECT_NEAR(camera.position()[k] + p[2] * ray[k], world[k], 1e-9);
}

TEST(Camera, DirectionsLieOnTheGround) {
    const Camera camera(11);
    const Directions d = camera.directions();
    for (const Point& direction : {d.left, d.right, d.front, d.behind}) {
        EXPECT_EQ(direction[2], 0);
        EXPECT_NEAR(dot(direction, direction), 1, 1e-12);
    }
    EXPECT_NEAR(dot(d.left, d.front), 0, 1e-12);
    EXPECT_NEAR(dot(d.left, d.right), -1, 1e-12);
    EXPECT_NEAR(dot(d.front, d.behind), -1, 1e-12);
    // Moving right moves right in the picture; moving to the front moves down and nearer.
    const Point from = camera.project({0, 0, 0}, 480, 320);
    EXPECT_GT(camera.project(d.right, 480, 320)[0], from[0]);
    EXPECT_GT(camera.project(d.front, 480, 320)[1], from[1]);
    EXPECT_LT(camera.project(d.front, 480, 320)[2], from[2]);
}

TEST(Camera, JitterComesFromTheSeedAndIsBounded) {
    const Point published = CameraOptions{}.position;
    EXPECT_EQ(Camera(5).position(), Camera(5).position());
    EXPECT_NE(Camera(5).position(), Camera(6).position());
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        for (unsigned k = 0; k < 3; ++k) EXPECT_LE(std::abs(Camera(seed).position()[k] - published[k]), 0.5);
}

TEST(Camera, SetsThePixelsOfAScene) {
    Scene scene;
    scene.seed = 4;
    scene.objects.resize(2);
    scene.objects[1].position = {1, 1, 0.35};
    set_pixels(scene, camera_of(scene), 480, 320);
    EXPECT_NEAR(scene.objects[0].pixel[0], 240, 1e-9);
    EXPECT_EQ(scene.objects[1].pixel, Camera(4).project({1, 1, 0.35}, 480, 320));
}

TEST(Camera, ImpossibleOnesAreRefused) {
    CameraOptions options = still();
    options.lens = 0;
    EXPECT_THROW(Camera(0, options), std::invalid_argument);
    options = still();
    options.position = {0, 0, 5};  // straight down: left and right mean nothing
    EXPECT_THROW(Camera(0, options), std::invalid_argument);
}

TEST(Camera, SquarePixelsInAPictureOfAnySize) {
    for (const auto& [width, height] : {std::pair(480U, 320U), std::pair(300U, 300U), std::pair(900U, 300U)}) {
        const Camera camera(7, with_square_pixels(width, height));
        EXPECT_NEAR(camera.half_width() / camera.half_height(), static_cast<double>(width) / height, 1e-12);
        EXPECT_GE(camera.half_width(), Camera(7).half_width());
        EXPECT_GE(camera.half_height(), Camera(7).half_height() - 1e-12);
    }
    EXPECT_EQ(Camera(7, with_square_pixels(192, 128)).project({1, 2, 0}, 192, 128),
              Camera(7).project({1, 2, 0}, 192, 128));
}

}  // namespace
}  // namespace neumann
