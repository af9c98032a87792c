// neumann scene: look at scenes.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "command.h"
#include "draw/table.h"
#include "image/png.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "scene/figure_json.h"
#include "scene/scene_json.h"

namespace neumann::app {
namespace {

constexpr const char* examples_text = R"help(Examples:
  neumann scene show closeby/train/scenes.jsonl                  the first scene as a table
  neumann scene show closeby/train/scenes.jsonl -n 7 -o seven.png    … the eighth, drawn too
  neumann scene show hans/test/scenes.json -n 3 -o scene.png --width 960 --height 640
  neumann scene show closeby/train/examples.jsonl -n 7 -o seven.png  an example: its atoms and its scene
  neumann scene show CLEVR_val_scenes.json -n 12 -o scene.png    CLEVR's own files, too)help";

struct ShownExample;

struct ShowCommand {
    std::string path;
    std::size_t number = 0;
    std::string output;
    unsigned width = 0;
    unsigned height = 0;

    void run() const;

private:
    void show_example(const ShownExample& example) const;
    std::pair<unsigned, unsigned> picture_size(unsigned usual_width, unsigned usual_height) const;
};

// One side that is given implies the other.
std::pair<unsigned, unsigned> ShowCommand::picture_size(unsigned usual_width, unsigned usual_height) const {
    if (width == 0 && height == 0) return {usual_width, usual_height};
    const double aspect = static_cast<double>(usual_width) / usual_height;
    const auto other = [](double side) { return static_cast<unsigned>(std::max(1.0, std::round(side))); };
    return {width != 0 ? width : other(height * aspect), height != 0 ? height : other(width / aspect)};
}

// Flat figures have five fields for an object, solid ones have eight or names.
bool holds_figures(const std::string& path) {
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

void print_table(const Scene& scene, bool flat) {
    if (flat) {
        Table table(
            {{"object"}, {"shape", Table::Align::Left}, {"colour", Table::Align::Left}, {"x"}, {"y"}, {"side"}});
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
            const SceneObject& object = scene.objects[i];
            table.add_row({fmt::format("{}", i), object.shape, object.color, fmt::format("{:.3f}", object.position[0]),
                           fmt::format("{:.3f}", object.position[1]), fmt::format("{:.3f}", object.extent)});
        }
        fmt::print("{}", table.text());
        return;
    }
    Table table({{"object"},
                 {"shape", Table::Align::Left},
                 {"colour", Table::Align::Left},
                 {"material", Table::Align::Left},
                 {"size", Table::Align::Left},
                 {"x"},
                 {"y"},
                 {"rotation"}});
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const SceneObject& object = scene.objects[i];
        table.add_row({fmt::format("{}", i), object.shape, object.color, object.material, object.size,
                       fmt::format("{:.2f}", object.position[0]), fmt::format("{:.2f}", object.position[1]),
                       fmt::format("{:.0f}°", object.rotation)});
    }
    fmt::print("{}", table.text());
}

struct ShownExample {
    std::vector<std::pair<std::string, double>> atoms;
    std::vector<std::string> images;
    std::string id;
};

// An example of a data set, if the file holds such: its lines have "atoms" and name their pictures.
std::optional<ShownExample> read_example(const std::string& path, std::size_t number) {
    std::optional<ShownExample> result;
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
    return result;
}

// The file of scenes beside the examples, and the number of the first picture's scene in it.
void ShowCommand::show_example(const ShownExample& example) const {
    fmt::print("{}\n\n", example.id);
    Table table({{"atom", Table::Align::Left}, {"value"}});
    for (const auto& [atom, value] : example.atoms) table.add_row({atom, fmt::format("{:.4f}", value)});
    fmt::print("{}", table.text());
    const std::filesystem::path scenes = std::filesystem::path(path).parent_path() / "scenes.jsonl";
    for (const std::string& image : example.images) {
        std::size_t at = 0;
        std::optional<std::size_t> found;
        read_json_entries(scenes, "scenes", [&](const FieldReader& entry) {
            if (entry.has("image") && entry.at("image").text() == image) found = at;
            ++at;
        });
        if (!found) throw UsageError(fmt::format("{} has no scene of {}", scenes.string(), image));
        ShowCommand scene = *this;
        scene.path = scenes.string();
        scene.number = *found;
        if (!output.empty() && example.images.size() > 1) {
            const std::string ending = fmt::format("_{}.png", &image - example.images.data() + 1);
            scene.output = output.substr(0, output.rfind('.')) + ending;
        }
        fmt::print("\n");
        scene.run();
    }
}

void ShowCommand::run() const {
    if (!output.empty() && !output.ends_with(".png"))
        throw UsageError(fmt::format("cannot write '{}': pictures are PNG", output));
    try {
        if (const std::optional<ShownExample> example = read_example(path, number)) return show_example(*example);
        const bool flat = holds_figures(path);
        std::vector<Scene> scenes;
        if (flat) {
            scenes = read_figures(path);
        } else {
            for (SceneRecord& record : read_scenes(path)) scenes.push_back(std::move(record.scene));
        }
        if (number >= scenes.size())
            throw UsageError(
                fmt::format("{} has {}; there is no number {}", path, counted(scenes.size(), "scene"), number));
        const Scene& scene = scenes[number];
        fmt::print("{}\n\n", scene.image.empty() ? fmt::format("scene {}", number) : scene.image);
        print_table(scene, flat);
        if (output.empty()) return;
        if (flat) {
            const auto [across, down] = picture_size(640, 640);
            write_png(output, draw_figure(scene, across, down));
        } else {
            TraceOptions options = TraceOptions::display();
            std::tie(options.width, options.height) = picture_size(options.width, options.height);
            options.camera = with_square_pixels(options.width, options.height, options.camera);
            write_png(output, trace_scene(scene, options).picture);
        }
        fmt::print("\ndrawn: {}\n", output);
    } catch (const SceneError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace

void add_scene_command(CLI::App& app) {
    CLI::App* scene = app.add_subcommand("scene", "look at scenes");
    scene->require_subcommand(1);
    scene->footer(examples_text);
    CLI::App* command = scene->add_subcommand("show", "show a scene as a table and a picture");
    const auto options = std::make_shared<ShowCommand>();
    command->add_option("FILE", options->path, "scenes or examples of a data set, or CLEVR's scene file")
        ->required()
        ->type_name("");
    command->add_option("-n,--number", options->number, "which one, from 0")->type_name("N")->default_str("0");
    command->add_option("-o,--output", options->output, "draw it to this file")->type_name("FILE.png");
    command->add_option("--width", options->width, "of the picture; one side implies the other")
        ->type_name("W")
        ->check(CLI::Range(8, 8192));
    command->add_option("--height", options->height, "of the picture")->type_name("H")->check(CLI::Range(8, 8192));
    command->footer(examples_text);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
