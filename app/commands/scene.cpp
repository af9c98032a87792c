// neumann scene: look at scenes.
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cli/scene_files.h"
#include "cli/text.h"
#include "command.h"

namespace neumann::app {
namespace {

constexpr const char* scene_examples = R"help(Examples:
  neumann scene show closeby/train/scenes.jsonl                  the first scene as a table
  neumann scene show closeby/train/scenes.jsonl -n 7 -o seven.png    … the eighth, drawn too
  neumann scene show hans/test/scenes.json -n 3 -o scene.png --width 960 --height 640
  neumann scene show closeby/train/examples.jsonl -n 7 -o seven.png  an example: its atoms and its scene
  neumann scene show CLEVR_val_scenes.json -n 12 -o scene.png    CLEVR's own files, too)help";

struct ShowCommand {
    std::string path;
    std::size_t number = 0;
    std::string output;
    unsigned width = 0;
    unsigned height = 0;

    void run() const;

private:
    void show_example(const PicturedExample& example) const;
};

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

// The file of scenes beside the examples, and the number of the first image's scene in it.
void ShowCommand::show_example(const PicturedExample& example) const {
    fmt::print("{}\n\n", example.id);
    Table table({{"atom", Table::Align::Left}, {"value"}});
    for (const auto& [atom, value] : example.atoms) table.add_row({atom, fmt::format("{:.4f}", value)});
    fmt::print("{}", table.text());
    const std::filesystem::path scenes = std::filesystem::path(path).parent_path() / "scenes.jsonl";
    for (const std::string& image : example.images) {
        const std::optional<std::size_t> found = find_scene(scenes, image);
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
    if (const std::optional<PicturedExample> example = read_pictured_example(path, number))
        return show_example(*example);
    const auto [scenes, flat] = read_scene_file(path);
    if (number >= scenes.size())
        throw UsageError(
            fmt::format("{} has {}; there is no number {}", path, counted(scenes.size(), "scene"), number));
    const Scene& scene = scenes[number];
    fmt::print("{}\n\n", scene.image.empty() ? fmt::format("scene {}", number) : scene.image);
    print_table(scene, flat);
    if (output.empty()) return;
    draw_scene(scene, flat, output, width, height);
    fmt::print("\ndrawn: {}\n", output);
}

}  // namespace

void add_scene_command(CLI::App& app) {
    CLI::App* scene = app.add_subcommand("scene", "show scenes of data sets");
    scene->require_subcommand(1);
    scene->footer(scene_examples);
    CLI::App* command = scene->add_subcommand("show", "show a scene as a table and an image");
    const auto options = std::make_shared<ShowCommand>();
    command->add_option("FILE", options->path, "scenes or examples of a data set, or CLEVR's scene file")
        ->required()
        ->type_name("");
    command->add_option("-n,--number", options->number, "number of the scene, from 0")
        ->type_name("N")
        ->default_str("0");
    command->add_option("-o,--output", options->output, "draw the scene to this file")->type_name("FILE.png");
    command->add_option("--width", options->width, "width of the image; default: in proportion to the height")
        ->type_name("W")
        ->check(CLI::Range(8, 8192));
    command->add_option("--height", options->height, "height of the image")->type_name("H")->check(CLI::Range(8, 8192));
    command->footer(scene_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
