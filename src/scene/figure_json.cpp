#include "scene/figure_json.h"

#include <iterator>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "scene/known_word.h"

namespace neumann {
namespace {

const std::vector<std::string> shapes = {"circle", "square", "triangle"};
const std::vector<std::string> colors = {"red", "yellow", "blue"};

double fraction(const FieldReader& field) {
    const double value = field.number();
    if (value < 0 || value > 1) field.refuse(fmt::format("{} is outside the unit square", value));
    return value;
}

}  // namespace

std::string figure_json_line(const Scene& figure, std::optional<unsigned> label) {
    std::string line = fmt::format("{{\"image\": {}, \"seed\": {}", json_text(figure.image), figure.seed);
    if (label) line += fmt::format(", \"label\": {}", *label);
    line += ", \"objects\": [";
    for (std::size_t i = 0; i < figure.objects.size(); ++i) {
        const SceneObject& object = figure.objects[i];
        fmt::format_to(std::back_inserter(line), "{}[\"{}\", \"{}\", {}, {}, {}]", i == 0 ? "" : ", ", object.shape,
                       object.color, object.position[0], object.position[1], object.extent);
    }
    return line + "]}\n";
}

std::vector<Scene> read_figures(const std::filesystem::path& path) {
    std::vector<Scene> result;
    read_json_entries(path, "figures", [&](const FieldReader& entry) {
        Scene scene;
        if (entry.has("image")) scene.image = entry.at("image").text();
        if (entry.has("seed")) scene.seed = entry.at("seed").index();
        const FieldReader objects = entry.at("objects");
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const FieldReader fields = objects.at(i);
            if (fields.size() != 5) fields.refuse("expected [shape, colour, x, y, side]");
            SceneObject object;
            object.shape = known_word(fields.at(0), shapes);
            object.color = known_word(fields.at(1), colors);
            object.position = {fraction(fields.at(2)), fraction(fields.at(3)), 0};
            object.extent = fraction(fields.at(4));
            scene.objects.push_back(std::move(object));
        }
        result.push_back(std::move(scene));
    });
    return result;
}

}  // namespace neumann
