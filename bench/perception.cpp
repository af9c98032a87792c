// How well and how fast the networks see.
//
//     bench_perception made figures|solids|slots [--pictures 2000] [--seed 77] [--share SHARE | --rows]
//                                                            pictures nobody trained on: so many rows among them, or
//                                                            rows alone
//     bench_perception patterns figures [--pictures 500]     of each pattern
//     bench_perception real FOLDER...                        figures that others drew: truth by segmentation
//     bench_perception speed figures|solids|slots [--pictures 512]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random_draws.h"
#include "datasets/kandinsky.h"
#include "figure_truth.h"
#include "image/pictures.h"
#include "perceive/component.h"
#include "perceive/picture_pool.h"
#include "perceive/scene_of.h"
#include "perceive/score.h"
#include "perceive/weights_folder.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "scene/place_objects.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void print(const std::string& name, const ScoreSum& sum) {
    const auto share = [](std::size_t a, std::size_t b) {
        return 100.0 * static_cast<double>(a) / static_cast<double>(b);
    };
    fmt::print(
        "{:<34} {:>6} pictures  perfect {:6.2f} %  objects found {:6.2f} %  right {:6.2f} %  centre off by {:.4f}\n",
        name, sum.scenes, share(sum.perfect, sum.scenes), share(sum.found, sum.objects), share(sum.right, sum.objects),
        sum.distance / static_cast<double>(std::max<std::size_t>(sum.found, 1)));
}

std::unique_ptr<Perceiver> open_network(const std::string& name) {
    return perception_component().open(TensorFile::read(weights_of(name)), {});
}

struct MadeOptions {
    std::string network;
    std::size_t pictures = 2000;
    std::uint64_t seed = 77;
    double rows = 0;
};

PoolOptions pool_options(const Perceiver& perceiver, const MadeOptions& made) {
    PoolOptions pool;
    pool.layout = find_layout(perceiver.layout().name);
    pool.capacity = made.pictures;
    pool.seed = made.seed;
    pool.split = Split::Test;
    pool.threads = hardware_threads();
    pool.rows = made.rows;
    return pool;
}

void made(const MadeOptions& options) {
    const std::unique_ptr<Perceiver> perceiver = open_network(options.network);
    PicturePool pool(pool_options(*perceiver, options));
    ScoreSum all;
    ScoreSum rows;
    for (std::size_t k = 0; k < options.pictures; ++k) {
        pool.wait_for(k + 1);
        const Image picture = pool.picture(k);
        const SceneScore one = score(perceiver->look({&picture, 1}).front(), pool.seen(k));
        (!perceiver->layout().flat() && one.objects < 3 ? rows : all).add(one);
    }
    print(options.network + ", made", all);
    if (rows.scenes > 0) print(options.network + ", rows of one or two", rows);
}

// Figures of the published patterns, as they are published: 640×640.
void patterns(const MadeOptions& options) {
    const std::unique_ptr<Perceiver> perceiver = open_network(options.network);
    ScoreSum all;
    for (const FigurePattern& pattern : figure_patterns()) {
        const FigureSet set{&pattern, options.seed, Split::Test, {}};
        ScoreSum here;
        for (const Figure& figure : make_figures(set, 0, options.pictures, hardware_threads())) {
            const Image picture = draw_figure(figure.scene, 640, 640);
            const SceneScore one = score(perceiver->look({&picture, 1}).front(), seen_of(figure.scene, 640, 640));
            here.add(one);
            all.add(one);
        }
        print(std::string(pattern.name), here);
    }
    print("all patterns", all);
}

// Rows of large objects in colours that occur once, as questions are asked about.
void made_rows(const MadeOptions& options) {
    const std::unique_ptr<Perceiver> perceiver = open_network(options.network);
    ScoreSum all;
    Rng rng(options.seed);
    TraceOptions trace = TraceOptions::training();
    trace.width = 192;
    for (std::size_t k = 0; k < options.pictures; ++k) {
        std::vector<std::string> colors{"cyan", "gray", "red", "yellow"};
        shuffle_in_place(colors, rng);
        colors.resize(2 + rng.below(2));
        const Scene scene = make_row(colors, rng.next());
        const Image picture = trace_scene(scene, trace).picture;
        all.add(score(perceiver->look({&picture, 1}).front(), seen_of(scene, 192, 128)));
    }
    print(options.network + ", rows", all);
}

void real(const std::vector<std::string>& folders) {
    const std::unique_ptr<Perceiver> perceiver = open_network("figures");
    ScoreSum all;
    for (const std::string& folder : folders) {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && is_picture_name(entry.path())) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        ScoreSum here;
        for (const fs::path& file : files) {
            const Image picture = read_picture(file);
            const SceneScore one = score(perceiver->look({&picture, 1}).front(), bench::figure_truth(picture));
            if (!one.perfect())
                fmt::print("  {}: {} objects, {} found, {} right, {} in vain\n", file.string(), one.objects, one.found,
                           one.right, one.seen_in_vain);
            here.add(one);
            all.add(one);
        }
        print(folder, here);
    }
    if (folders.size() > 1) print("all", all);
}

void speed(const MadeOptions& options) {
    const std::unique_ptr<Perceiver> perceiver = open_network(options.network);
    const ObjectLayout& layout = perceiver->layout();
    const std::vector<Image> pictures(options.pictures, Image::blank(layout.width, layout.height, 3));
    perceiver->look(std::span(pictures).first(std::min<std::size_t>(32, pictures.size())));
    const auto start = Clock::now();
    perceiver->look(pictures);
    fmt::print("{}: {:.0f} pictures/s, network and decoding, in batches, {} threads\n", options.network,
               static_cast<double>(pictures.size()) / seconds_since(start), hardware_threads());
}

}  // namespace
}  // namespace neumann

int main(int argc, char** argv) {
    CLI::App app("measures the networks");
    app.require_subcommand(1);
    neumann::MadeOptions options;
    std::vector<std::string> folders;
    bool rows = false;
    const auto add = [&](const char* name, const char* text) {
        CLI::App* command = app.add_subcommand(name, text);
        command->add_option("NETWORK", options.network)->required();
        command->add_option("--pictures", options.pictures);
        command->add_option("--seed", options.seed);
        return command;
    };
    CLI::App* made = add("made", "on pictures made for it");
    made->add_flag("--rows", rows);
    made->add_option("--share", options.rows);
    made->callback([&] { rows ? neumann::made_rows(options) : neumann::made(options); });
    add("patterns", "on figures of every pattern")->callback([&] { neumann::patterns(options); });
    add("speed", "pictures per second")->callback([&] { neumann::speed(options); });
    CLI::App* real = app.add_subcommand("real", "figures that others drew");
    real->add_option("FOLDER", folders)->required();
    real->callback([&] { neumann::real(folders); });
    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_perception: {}\n", error.what());
        return 2;
    }
}
