#include "scene/camera.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/rng.h"

namespace neumann {
namespace {

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point scaled(const Point& a, double by) { return {a[0] * by, a[1] * by, a[2] * by}; }
Point unit(const Point& a) { return scaled(a, 1 / std::sqrt(dot(a, a))); }
Point on_ground(const Point& a) { return unit({a[0], a[1], 0}); }

}  // namespace

CameraOptions with_square_pixels(unsigned width, unsigned height, CameraOptions options) {
    const double aspect = static_cast<double>(width) / height;
    if (aspect > options.aspect) options.sensor *= aspect / options.aspect;
    options.aspect = aspect;
    return options;
}

Camera::Camera(std::uint64_t seed, const CameraOptions& options) : position_(options.position) {
    Rng rng(seed ^ 0x63616d657261ULL);  // a separate sequence: independent of all other draws from the seed
    for (double& coordinate : position_) coordinate += options.jitter * (2 * rng.uniform() - 1);
    forward_ = unit(minus(options.target, position_));
    right_ = unit(cross(forward_, {0, 0, 1}));
    up_ = cross(right_, forward_);
    half_width_ = options.sensor / (2 * options.lens);
    half_height_ = half_width_ / options.aspect;
    if (!(options.lens > 0) || !(options.sensor > 0) || !(options.aspect > 0) || !std::isfinite(right_[0]))
        throw std::invalid_argument(
            fmt::format("no camera: lens {} mm, sensor {} mm, aspect {}, line of sight ({}, {}, {})", options.lens,
                        options.sensor, options.aspect, forward_[0], forward_[1], forward_[2]));
}

Point Camera::project(const Point& world, unsigned width, unsigned height) const {
    const Point seen = minus(world, position_);
    const double depth = dot(seen, forward_);
    const double x = dot(seen, right_) / (depth * half_width_);
    const double y = dot(seen, up_) / (depth * half_height_);
    return {(1 + x) / 2 * width, (1 - y) / 2 * height, depth};
}

Point Camera::ray(double x, double y, unsigned width, unsigned height) const {
    const double across = (2 * x / width - 1) * half_width_;
    const double upwards = (1 - 2 * y / height) * half_height_;
    Point direction = forward_;
    for (unsigned k = 0; k < 3; ++k) direction[k] += across * right_[k] + upwards * up_[k];
    return direction;
}

Directions Camera::directions() const {
    const Point right = on_ground(right_);
    const Point behind = on_ground(forward_);
    return {scaled(right, -1), right, scaled(behind, -1), behind};
}

void set_pixels(Scene& scene, const Camera& camera, unsigned width, unsigned height) {
    for (SceneObject& object : scene.objects) object.pixel = camera.project(object.position, width, height);
}

}  // namespace neumann
