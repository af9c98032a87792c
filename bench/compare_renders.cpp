// Renders random scenes and compares the pictures, by numbers, with real ones of the same kind: the background's
// brightness over the picture, the colours of objects, highlights and shadows. Also measures the renderer's speed.
//
//     compare_renders --real FOLDER [--scenes 60] [--out FOLDER]    side by side: theirs, ours
//     compare_renders --speed [--scenes 20]                         pictures per second, and the noise that is left
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "datasets/training_scenes.h"
#include "image/png.h"
#include "render/trace.h"

namespace {

using namespace neumann;

// What a heap of pictures looks like. The ground is what has next to no colour (gray objects count as ground, in both
// heaps alike); a pixel of clear colour belongs to an object.
struct Statistics {
    static constexpr unsigned rows = 6;
    static constexpr unsigned columns = 6;
    static constexpr std::array<const char*, 6> hue_names{"red/brown", "yellow", "green", "cyan", "blue", "purple"};
    struct Mean {
        std::array<double, 3> sum{};
        double count = 0;
        void add(const std::uint8_t* p) {
            for (unsigned c = 0; c < 3; ++c) sum[c] += p[c];
            ++count;
        }
        std::string text() const {
            return fmt::format("{:5.1f} {:5.1f} {:5.1f}", sum[0] / count, sum[1] / count, sum[2] / count);
        }
    };
    std::array<std::array<std::vector<std::uint8_t>, columns>, rows> cell;
    Mean ground;
    std::array<Mean, 6> hue;
    std::array<std::array<double, 256>, 6> hue_levels{};  // how often each brightness occurs
    std::array<double, 10> levels{};                      // brightness of coloured pixels, in tenths
    std::array<double, 10> ground_levels{};
    double pixels = 0;
    double colored = 0;
    double white = 0;
    double dark = 0;

    void add(const Image& image) {
        for (unsigned y = 0; y < image.height; ++y)
            for (unsigned x = 0; x < image.width; ++x)
                add(image.at(x, y), cell[y * rows / image.height][x * columns / image.width]);
    }
    void add(const std::uint8_t* p, std::vector<std::uint8_t>& here) {
        const int high = std::max({p[0], p[1], p[2]});
        const int low = std::min({p[0], p[1], p[2]});
        ++pixels;
        white += low >= 225 ? 1 : 0;
        dark += high <= 40 ? 1 : 0;
        if (high - low < 14) {
            ground.add(p);
            ++ground_levels[std::min(9, p[1] * 10 / 255)];
            here.push_back(p[1]);
        } else if (high - low > 40) {
            ++colored;
            ++levels[std::min(9, high * 10 / 255)];
            const unsigned h = hue_of(p, high, low);
            hue[h].add(p);
            ++hue_levels[h][static_cast<unsigned>(high)];
        }
    }
    static unsigned hue_of(const std::uint8_t* p, int high, int low) {
        const double span = high - low;
        double h = 0;
        if (high == p[0])
            h = (p[1] - p[2]) / span;
        else if (high == p[1])
            h = 2 + (p[2] - p[0]) / span;
        else
            h = 4 + (p[0] - p[1]) / span;
        h = h < 0 ? h + 6 : h;
        if (h < 0.75 || h > 5.6) return 0;
        if (h < 1.4) return 1;
        if (h < 2.5) return 2;
        if (h < 3.4) return 3;
        return h < 4.4 ? 4 : 5;
    }
    unsigned percentile(unsigned h, double part) const {
        double left = part * hue[h].count;
        unsigned level = 0;
        while (level < 255 && (left -= hue_levels[h][level]) > 0) ++level;
        return level;
    }
    std::string percentiles(unsigned h) const {
        return fmt::format("{:4}{:4}{:4}{:4}{:4}", percentile(h, 0.05), percentile(h, 0.25), percentile(h, 0.5),
                           percentile(h, 0.75), percentile(h, 0.95));
    }
    // Out of the shadows: the upper quartile.
    double lit(unsigned row, unsigned column) {
        std::vector<std::uint8_t>& values = cell[row][column];
        if (values.empty()) return 0;
        const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 3 / 4);
        std::nth_element(values.begin(), upper, values.end());
        return *upper;
    }
};

void print(Statistics& theirs, Statistics& ours) {
    std::cout << "brightness of the lit ground over the picture (theirs | ours)\n";
    for (unsigned r = 0; r < Statistics::rows; ++r) {
        for (unsigned c = 0; c < Statistics::columns; ++c) std::cout << fmt::format("{:5.0f}", theirs.lit(r, c));
        std::cout << "   |";
        for (unsigned c = 0; c < Statistics::columns; ++c) std::cout << fmt::format("{:5.0f}", ours.lit(r, c));
        std::cout << '\n';
    }
    std::cout << fmt::format("{:22} {:>20} | {:>20}\n", "mean colour", "theirs", "ours");
    std::cout << fmt::format("{:22} {:>20} | {:>20}\n", "ground", theirs.ground.text(), ours.ground.text());
    for (unsigned k = 0; k < 6; ++k)
        std::cout << fmt::format("{:22} {:>20} | {:>20}   ({:.3f} | {:.3f} of coloured pixels)\n",
                                 Statistics::hue_names[k], theirs.hue[k].text(), ours.hue[k].text(),
                                 theirs.hue[k].count / theirs.colored, ours.hue[k].count / ours.colored);
    std::cout << fmt::format("{:22} {:>20} | {:>20}\n", "brightest channel", "5 25 50 75 95 %", "5 25 50 75 95 %");
    for (unsigned k = 0; k < 6; ++k)
        std::cout << fmt::format("{:22} {:>20} | {:>20}\n", Statistics::hue_names[k], theirs.percentiles(k),
                                 ours.percentiles(k));
    const auto share = [](const char* name, double a, double b) {
        std::cout << fmt::format("{:22} {:>20.5f} | {:>20.5f}\n", name, a, b);
    };
    share("share coloured", theirs.colored / theirs.pixels, ours.colored / ours.pixels);
    share("share white", theirs.white / theirs.pixels, ours.white / ours.pixels);
    share("share dark", theirs.dark / theirs.pixels, ours.dark / ours.pixels);
    std::cout << "brightness in tenths\n";
    for (unsigned k = 0; k < 10; ++k)
        std::cout << fmt::format("{:5.1f}  ground {:.4f} | {:.4f}   objects {:.4f} | {:.4f}\n", k / 10.0,
                                 theirs.ground_levels[k] / theirs.ground.count,
                                 ours.ground_levels[k] / ours.ground.count, theirs.levels[k] / theirs.colored,
                                 ours.levels[k] / ours.colored);
}

std::vector<std::filesystem::path> pictures_under(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".png") paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

// Root mean square and largest difference, in steps of 1/255.
std::pair<double, double> difference(const Image& a, const Image& b) {
    double sum = 0;
    double most = 0;
    for (std::size_t k = 0; k < a.data.size(); ++k) {
        const double d = std::abs(static_cast<double>(a.data[k]) - b.data[k]);
        sum += d * d;
        most = std::max(most, d);
    }
    return {std::sqrt(sum / static_cast<double>(a.data.size())), most};
}

void measure(const std::vector<Scene>& scenes, const char* name, const TraceOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    for (const Scene& scene : scenes) trace_scene(scene, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
    TraceOptions clean = options;
    clean.samples = 2048;
    clean.smoothing = 0;
    const auto [rms, most] = difference(trace_scene(scenes[0], options).picture, trace_scene(scenes[0], clean).picture);
    std::cout << fmt::format(
        "{:10} {:4}×{:<4} {:4} samples {:>9}: {:.4f} s a picture ({:.4f} s of one core), {:.1f} pictures/s; noise rms {:.2f}, most {:.0f} of 255\n",
        name, options.width, options.height, options.samples,
        options.instructions.empty() ? "best" : options.instructions,
        seconds.count() / static_cast<double>(scenes.size()), cpu / static_cast<double>(scenes.size()),
        static_cast<double>(scenes.size()) / seconds.count(), rms, most);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("compares rendered scenes with real pictures");
    std::string real;
    std::string out;
    unsigned count = 60;
    std::uint64_t seed = 1;
    bool speed = false;
    TraceOptions options;
    auto* real_option = app.add_option("--real", real, "folder of real pictures (480×320)");
    app.add_option("--out", out, "folder for our pictures");
    app.add_option("--scenes", count, "number of scenes")->check(CLI::PositiveNumber);
    app.add_option("--seed", seed, "of the first scene");
    app.add_option("--samples", options.samples, "per pixel");
    app.add_option("--threads", options.threads, "0: all");
    app.add_flag("--speed", speed, "measure speed and noise instead")->excludes(real_option);
    app.add_option("--light-scale", options.look.light_scale);
    app.add_option("--sun", options.look.sun_irradiance);
    app.add_option("--sun-spread", options.look.sun_spread);
    app.add_option("--sun-x", options.look.sun_direction[0]);
    app.add_option("--sun-y", options.look.sun_direction[1]);
    app.add_option("--sun-z", options.look.sun_direction[2]);
    app.add_option("--ground-end", options.look.ground_end);
    app.add_option("--lamp-tilt", options.look.lamp_tilt);
    app.add_option("--gloss-share", options.look.gloss_share);
    app.add_option("--gloss", options.look.gloss);
    app.add_option("--mirror", options.look.mirror);
    app.add_option("--rough", options.look.rough);
    app.add_option("--anisotropy", options.look.anisotropy);
    app.add_option("--cube-bevel", options.look.cube_bevel);
    app.add_option("--cylinder-bevel", options.look.cylinder_bevel);
    CLI11_PARSE(app, argc, argv);
    try {
        std::vector<Scene> scenes;
        for (unsigned k = 0; k < count; ++k) scenes.push_back(training_solids(seed, Split::Val, k, {.rows = 0}));
        if (speed) {
            TraceOptions training = TraceOptions::training();
            training.threads = options.threads;
            measure(scenes, "training", training);
            scenes.resize(std::min<std::size_t>(scenes.size(), 3));
            measure(scenes, "display", options);
            for (const std::string_view name : trace_instructions()) {
                training.instructions = name;
                measure(scenes, "training", training);
            }
            return 0;
        }
        Statistics theirs;
        Statistics ours;
        for (unsigned k = 0; k < count; ++k) {
            const Image picture = trace_scene(scenes[k], options).picture;
            ours.add(picture);
            if (!out.empty()) write_png(std::filesystem::path(out) / fmt::format("scene_{:03}.png", k), picture);
        }
        if (real.empty()) return 0;
        for (const auto& path : pictures_under(real)) theirs.add(read_png(path));
        print(theirs, ours);
    } catch (const std::exception& error) {
        std::cerr << "compare_renders: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
