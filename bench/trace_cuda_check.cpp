// Compares pictures by the GPU with those by the processor, and their speed.
//
//     trace_cuda_check [SCENES [SCENES_ON_THE_PROCESSOR [WIDTH HEIGHT [SAMPLES]]]]
//
// The exit code is 1 if masks differ, or pictures by more than a step of 8 bits. No libraries, so that a machine with
// nothing but compilers can build it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "base/rng.h"
#include "render/trace.h"
#include "render/trace_cuda.h"
#include "scene/place_objects.h"

namespace {

using namespace neumann;

std::vector<Scene> random_scenes(std::size_t count) {
    std::vector<Scene> scenes(count);
    for (std::size_t n = 0; n < count; ++n) {
        Rng rng(n);
        scenes[n].seed = n;
        const unsigned objects = 3 + rng.below(8);
        for (unsigned k = 0; k < objects; ++k) scenes[n].objects.push_back(random_solid(rng));
        place_objects(scenes[n].objects, {}, rng);
    }
    return scenes;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Difference {
    int most = 0;
    double sum = 0;
    std::size_t values = 0;
    std::size_t pixels = 0;
    std::size_t pixels_that_differ = 0;
    std::size_t masks_that_differ = 0;

    void add(const TracedScene& a, const TracedScene& b) {
        for (std::size_t p = 0; p < a.picture.data.size(); p += 3) {
            int here = 0;
            for (std::size_t c = p; c < p + 3; ++c) {
                const int difference = std::abs(int{a.picture.data[c]} - int{b.picture.data[c]});
                sum += difference;
                here = std::max(here, difference);
            }
            most = std::max(most, here);
            pixels_that_differ += here > 0 ? 1 : 0;
        }
        values += a.picture.data.size();
        pixels += a.mask.data.size();
        masks_that_differ += a.mask == b.mask && a.boxes == b.boxes ? 0 : 1;
    }
};

std::size_t argument(int argc, char** argv, int k, std::size_t otherwise) {
    return k < argc ? std::strtoull(argv[k], nullptr, 10) : otherwise;
}

int check(int argc, char** argv) {
    const std::vector<Scene> scenes = random_scenes(argument(argc, argv, 1, 4096));
    const std::size_t on_processor = std::min(argument(argc, argv, 2, 64), scenes.size());
    TraceOptions options = TraceOptions::training();
    options.width = static_cast<unsigned>(argument(argc, argv, 3, 192));
    options.height = static_cast<unsigned>(argument(argc, argv, 4, 128));
    options.samples = static_cast<unsigned>(argument(argc, argv, 5, options.samples));
    if (scenes.empty() || on_processor == 0) {
        std::fprintf(stderr, "nothing to compare\n");
        return 2;
    }
    if (!cuda_tracer_available()) {
        std::fprintf(stderr, "no GPU that runs this program\n");
        return 2;
    }
    const std::vector<Scene> few(scenes.begin(), scenes.begin() + static_cast<std::ptrdiff_t>(on_processor));
    trace_scenes_cuda({few.data(), 1}, options);  // wakes the GPU
    auto start = std::chrono::steady_clock::now();
    const std::vector<TracedScene> gpu = trace_scenes_cuda(scenes, options);
    const double gpu_seconds = seconds_since(start);
    start = std::chrono::steady_clock::now();
    std::vector<TracedScene> processor;
    for (const Scene& scene : few) processor.push_back(trace_scene(scene, options));
    const double processor_seconds = seconds_since(start);
    Difference difference;
    for (std::size_t k = 0; k < on_processor; ++k) difference.add(gpu[k], processor[k]);
    std::printf("%u x %u pixels, %u samples, %u bounces\n", options.width, options.height, options.samples,
                options.bounces);
    std::printf("GPU:      %zu pictures in %.3f s, %.1f per second\n", scenes.size(), gpu_seconds,
                static_cast<double>(scenes.size()) / gpu_seconds);
    std::printf("processor: %zu pictures in %.3f s, %.1f per second\n", on_processor, processor_seconds,
                static_cast<double>(on_processor) / processor_seconds);
    std::printf("difference in 8-bit values: at most %d, on average %.6f\n", difference.most,
                difference.sum / static_cast<double>(difference.values));
    std::printf("pixels that differ: %zu of %zu (%.4f %%); masks or boxes: %zu of %zu\n", difference.pixels_that_differ,
                difference.pixels,
                100.0 * static_cast<double>(difference.pixels_that_differ) / static_cast<double>(difference.pixels),
                difference.masks_that_differ, on_processor);
    return difference.most > 1 || difference.masks_that_differ > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return check(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "trace_cuda_check: %s\n", error.what());
        return 2;
    }
}
