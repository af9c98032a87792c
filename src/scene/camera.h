// Camera of a scene of solid objects: projection of world points into the image, and the directions left, right, front
// and behind. Needs no image.
#pragma once

#include <array>
#include <cstdint>

#include "scene/scene.h"

namespace neumann {

using Point = std::array<double, 3>;

// The published camera. The image's width always spans the sensor; pixels need not be square, so that an image may be
// stretched for a network.
struct CameraOptions {
    Point position{7.4811, -6.5076, 5.3437};
    Point target{0, 0, 0};
    double lens = 35;     // mm
    double sensor = 32;   // mm, across the image
    double aspect = 1.5;  // width of the view over its height
    double jitter = 0.5;  // the position moves by up to this much along each axis
};

// The camera for an image of this size whose pixels are square. Its view contains that of the published one: a taller
// image shows more above and below, a wider one more to the sides.
CameraOptions with_square_pixels(unsigned width, unsigned height, CameraOptions options = {});

// Unit vectors on the ground.
struct Directions {
    Point left;
    Point right;
    Point front;
    Point behind;
};

class Camera {
public:
    // The seed decides the jitter.
    explicit Camera(std::uint64_t seed, const CameraOptions& options = {});

    // x from the left and y from the top in pixels, and the depth: the distance along the line of sight.
    Point project(const Point& world, unsigned width, unsigned height) const;
    // Towards the place (x, y) of the image, in pixels; not a unit vector: its part along the line of sight is 1.
    Point ray(double x, double y, unsigned width, unsigned height) const;
    Directions directions() const;

    const Point& position() const { return position_; }
    const Point& right() const { return right_; }
    const Point& up() const { return up_; }
    const Point& forward() const { return forward_; }
    // Half the width and height of the view at depth 1.
    double half_width() const { return half_width_; }
    double half_height() const { return half_height_; }

private:
    Point position_;
    Point right_;
    Point up_;
    Point forward_;
    double half_width_;
    double half_height_;
};

// The camera of a scene's image.
inline Camera camera_of(const Scene& scene, const CameraOptions& options = {}) { return Camera(scene.seed, options); }

// Fills in the place of each object's centre in an image of this size.
void set_pixels(Scene& scene, const Camera& camera, unsigned width, unsigned height);

}  // namespace neumann
