#include "render/trace_job.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann::trace {
namespace {

Job make_job(const Scene& scene, const TraceOptions& options) {
    constexpr unsigned longest_side = 1U << 14;
    if (options.width == 0 || options.height == 0 || options.width > longest_side || options.height > longest_side)
        throw std::invalid_argument(fmt::format("no picture of {}×{} pixels", options.width, options.height));
    if (options.samples == 0 || options.samples > (1U << 16) || options.bounces > 64 || options.smoothing > 64)
        throw std::invalid_argument(fmt::format("no picture with {} samples, {} bounces and smoothing over {} pixels",
                                                options.samples, options.bounces, options.smoothing));
    if (scene.objects.size() > 255)
        throw std::invalid_argument(fmt::format("{} objects: a mask has room for 255", scene.objects.size()));
    Job job{};
    job.seed = scene.seed;
    job.width = options.width;
    job.height = options.height;
    job.samples = (options.samples + packet - 1) / packet * packet;
    job.bounces = options.bounces;
    job.filter_radius = static_cast<float>(options.filter_radius);
    job.brightest = static_cast<float>(options.brightest);
    return job;
}

}  // namespace

PreparedScene::PreparedScene(const Scene& scene, const TraceOptions& options) : job(make_job(scene, options)) {
    world = make_world(scene, camera_of(scene, options.camera), options.look, shapes);
    job.world = &world;
}

std::vector<Box> boxes_in(const Image& mask, std::size_t objects) {
    std::vector<Box> boxes(objects, Box{mask.width, mask.height, 0, 0, 0});
    for (unsigned y = 0; y < mask.height; ++y) {
        for (unsigned x = 0; x < mask.width; ++x) {
            const std::uint8_t number = *mask.at(x, y);
            if (number == 0) continue;
            Box& box = boxes[number - 1U];
            box.left = std::min(box.left, x);
            box.top = std::min(box.top, y);
            box.right = std::max(box.right, x + 1);
            box.bottom = std::max(box.bottom, y + 1);
            ++box.pixels;
        }
    }
    for (Box& box : boxes)
        if (box.pixels == 0) box = {};
    return boxes;
}

}  // namespace neumann::trace
