#include "cli/scene_files.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "compile/with_errors.h"
#include "image/png.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "scene/figure_json.h"
#include "scene/scene_json.h"

namespace neumann {
namespace {

constexpr unsigned figure_side = 640;

// Flat figures have five fields for an object, solid ones have eight or names.
bool holds_figures(const std::filesystem::path& path) {
    bool flat = false;
    bool first = true;
    read_json_entries(path, "scenes", [&](const FieldReader& entry) {
        if (!first) return;
        first = false;
        const FieldReader objects = entry.at("objects");
        flat = objects.size() > 0 && objects.at(std::size_t{0}).is_array() && objects.at(std::size_t{0}).size() == 5;
    });
    return flat;
}

std::pair<unsigned, unsigned> picture_size(unsigned width, unsigned height, unsigned usual_width,
                                           unsigned usual_height) {
    if (width == 0 && height == 0) return {usual_width, usual_height};
    const double aspect = static_cast<double>(usual_width) / usual_height;
    const auto other = [](double side) { return static_cast<unsigned>(std::max(1.0, std::round(side))); };
    return {width != 0 ? width : other(height * aspect), height != 0 ? height : other(width / aspect)};
}

}  // namespace

SceneFile read_scene_file(const std::filesystem::path& path) {
    return with_errors([&] {
        SceneFile file;
        file.flat = holds_figures(path);
        if (file.flat) {
            file.scenes = read_figures(path);
        } else {
            for (SceneRecord& record : read_scenes(path)) file.scenes.push_back(std::move(record.scene));
        }
        return file;
    });
}

std::optional<std::size_t> find_scene(const std::filesystem::path& path, const std::string& image) {
    std::optional<std::size_t> found;
    with_errors([&] {
        std::size_t at = 0;
        read_json_entries(path, "scenes", [&](const FieldReader& entry) {
            if (entry.has("image") && entry.at("image").text() == image) found = at;
            ++at;
        });
    });
    return found;
}

void draw_scene(const Scene& scene, bool flat, const std::filesystem::path& output, unsigned width, unsigned height) {
    with_errors([&] {
        if (flat) {
            const auto [across, down] = picture_size(width, height, figure_side, figure_side);
            write_png(output, draw_figure(scene, across, down));
            return;
        }
        TraceOptions options = TraceOptions::display();
        std::tie(options.width, options.height) = picture_size(width, height, options.width, options.height);
        options.camera = with_square_pixels(options.width, options.height, options.camera);
        write_png(output, trace_scene(scene, options).picture);
    });
}

std::optional<PicturedExample> read_pictured_example(const std::filesystem::path& path, std::size_t number) {
    std::optional<PicturedExample> result;
    with_errors([&] {
        std::size_t at = 0;
        read_json_entries(path, "examples", [&](const FieldReader& entry) {
            if (at++ != number || !entry.has("atoms")) return;
            result.emplace();
            if (entry.has("id")) result->id = entry.at("id").text();
            const FieldReader atoms = entry.at("atoms");
            for (const std::string& atom : atoms.keys()) result->atoms.emplace_back(atom, atoms.at(atom).number());
            for (std::size_t i = 0; entry.has("images") && i < entry.at("images").size(); ++i)
                result->images.push_back(entry.at("images").at(i).text());
        });
    });
    return result;
}

}  // namespace neumann
