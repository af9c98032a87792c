#include "scene/scene_json.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/known_word.h"
#include "scene/place_objects.h"

namespace neumann {
namespace {

SceneObject read_object(const FieldReader& field) {
    SceneObject object;
    object.shape = known_word(field.at("shape"), solid_shapes);
    object.size = known_word(field.at("size"), solid_sizes);
    object.material = known_word(field.at("material"), solid_materials);
    object.color = known_word(field.at("color"), solid_colors);
    object.position = field.at("3d_coords").triple();
    if (field.has("rotation")) object.rotation = field.at("rotation").number();
    if (field.has("pixel_coords")) object.pixel = field.at("pixel_coords").triple();
    return object;
}

SceneObject read_compact_object(const FieldReader& field) {
    if (field.size() != 8) {
        field.refuse(
            fmt::format("{} entries; shape, size, material, color, x, y, z, rotation are expected", field.size()));
    }
    const auto at = [&](std::size_t i) { return field.at(i); };
    SceneObject object;
    object.shape = known_word(at(0), solid_shapes);
    object.size = known_word(at(1), solid_sizes);
    object.material = known_word(at(2), solid_materials);
    object.color = known_word(at(3), solid_colors);
    object.position = {at(4).number(), at(5).number(), at(6).number()};
    object.rotation = at(7).number();
    return object;
}

CameraFields read_camera(const FieldReader& entry, std::size_t objects) {
    CameraFields camera;
    if (entry.has("directions")) {
        const FieldReader directions = entry.at("directions");
        for (const std::string& name : directions.keys()) camera.directions[name] = directions.at(name).triple();
    }
    if (!entry.has("relationships")) return camera;
    const FieldReader relationships = entry.at("relationships");
    for (const std::string& name : relationships.keys()) {
        const FieldReader lists = relationships.at(name);
        if (lists.size() != objects) lists.refuse(fmt::format("{} lists for {} objects", lists.size(), objects));
        auto& related = camera.relationships[name];
        for (std::size_t i = 0; i < objects; ++i) {
            const FieldReader list = lists.at(i);
            related.emplace_back();
            for (std::size_t k = 0; k < list.size(); ++k) {
                const std::uint64_t number = list.at(k).index();
                if (number >= objects) list.refuse(fmt::format("object {} of {}", number, objects));
                related.back().push_back(static_cast<std::uint32_t>(number));
            }
        }
    }
    return camera;
}

SceneRecord read_scene(const FieldReader& entry) {
    SceneRecord record;
    Scene& scene = record.scene;
    const FieldReader objects = entry.at("objects");
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const FieldReader object = objects.at(i);
        scene.objects.push_back(object.is_array() ? read_compact_object(object) : read_object(object));
        scene.objects.back().extent = solid_extent(scene.objects.back().size);
    }
    if (entry.has("pixels")) {
        const FieldReader pixels = entry.at("pixels");
        if (pixels.size() != scene.objects.size()) {
            pixels.refuse(fmt::format("{} places for {} objects", pixels.size(), scene.objects.size()));
        }
        for (std::size_t i = 0; i < pixels.size(); ++i) scene.objects[i].pixel = pixels.at(i).triple();
    }
    for (const char* key : {"image", "image_filename"}) {
        if (entry.has(key)) scene.image = entry.at(key).text();
    }
    for (const char* key : {"index", "image_index"}) {
        if (entry.has(key)) record.index = entry.at(key).index();
    }
    if (entry.has("seed")) scene.seed = entry.at("seed").index();
    if (entry.has("split")) record.split = entry.at("split").text();
    record.camera = read_camera(entry, scene.objects.size());
    return record;
}

std::string triple_text(const std::array<double, 3>& triple) { return fmt::format("[{}]", fmt::join(triple, ", ")); }

bool has_pixels(const Scene& scene) {
    return std::any_of(scene.objects.begin(), scene.objects.end(),
                       [](const SceneObject& object) { return object.pixel != std::array<double, 3>{}; });
}

std::string directions_text(const CameraFields& camera) {
    std::vector<std::string> entries;
    for (const auto& [name, direction] : camera.directions) {
        entries.push_back(fmt::format("{}: {}", json_text(name), triple_text(direction)));
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string relationships_text(const CameraFields& camera) {
    std::vector<std::string> entries;
    for (const auto& [name, related] : camera.relationships) {
        std::vector<std::string> lists;
        for (const auto& list : related) lists.push_back(fmt::format("[{}]", fmt::join(list, ", ")));
        entries.push_back(fmt::format("{}: [{}]", json_text(name), fmt::join(lists, ", ")));
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

void write_scene(std::string& out, const SceneRecord& record) {
    const Scene& scene = record.scene;
    auto to = std::back_inserter(out);
    fmt::format_to(to, R"({{"split": {}, "image_index": {}, "image_filename": {}, )", json_text(record.split),
                   record.index, json_text(scene.image));
    if (scene.seed != 0) fmt::format_to(to, R"("seed": {}, )", scene.seed);
    out += R"("objects": [)";
    const bool pixels = has_pixels(scene);
    for (const SceneObject& object : scene.objects) {
        if (out.back() == '}') out += ", ";
        fmt::format_to(
            to, R"({{"3d_coords": {}, "rotation": {}, "shape": "{}", "size": "{}", "material": "{}", "color": "{}")",
            triple_text(object.position), object.rotation, object.shape, object.size, object.material, object.color);
        if (pixels) fmt::format_to(to, R"(, "pixel_coords": {})", triple_text(object.pixel));
        out += '}';
    }
    out += ']';
    if (!record.camera.directions.empty()) fmt::format_to(to, R"(, "directions": {})", directions_text(record.camera));
    if (!record.camera.relationships.empty()) {
        fmt::format_to(to, R"(, "relationships": {})", relationships_text(record.camera));
    }
    out += '}';
}

void write_line(std::string& out, const SceneRecord& record) {
    const Scene& scene = record.scene;
    auto to = std::back_inserter(out);
    fmt::format_to(to, R"({{"image": {}, "index": {}, "split": {}, "seed": {}, "objects": [)", json_text(scene.image),
                   record.index, json_text(record.split), scene.seed);
    for (const SceneObject& object : scene.objects) {
        if (out.back() == ']') out += ", ";
        fmt::format_to(to, R"(["{}", "{}", "{}", "{}", {}, {}])", object.shape, object.size, object.material,
                       object.color, fmt::join(object.position, ", "), object.rotation);
    }
    out += ']';
    if (has_pixels(scene)) {
        out += R"(, "pixels": [)";
        for (const SceneObject& object : scene.objects) {
            if (out.back() == ']') out += ", ";
            out += triple_text(object.pixel);
        }
        out += ']';
    }
    if (!record.camera.directions.empty()) fmt::format_to(to, R"(, "directions": {})", directions_text(record.camera));
    out += "}\n";
}

}  // namespace

CameraFields camera_fields(const Scene& scene, std::map<std::string, std::array<double, 3>> directions,
                           double tolerance) {
    CameraFields camera;
    const std::size_t count = scene.objects.size();
    for (const auto& [name, direction] : directions) {
        if (name == "above" || name == "below") continue;
        auto& related = camera.relationships[name];
        related.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::uint32_t j = 0; j < count; ++j) {
                double along = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    along += direction[axis] * (scene.objects[j].position[axis] - scene.objects[i].position[axis]);
                }
                if (j != i && along > tolerance) related[i].push_back(j);
            }
        }
    }
    camera.directions = std::move(directions);
    return camera;
}

std::vector<SceneRecord> read_scenes(const std::filesystem::path& path) {
    std::vector<SceneRecord> scenes;
    read_json_entries(path, "scenes", [&](const FieldReader& entry) { scenes.push_back(read_scene(entry)); });
    return scenes;
}

std::string scenes_json(const std::vector<SceneRecord>& scenes, const std::string& info_split) {
    std::string out = fmt::format(R"({{"info": {{"split": {}}}, "scenes": [)", json_text(info_split));
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        write_scene(out, scenes[i]);
    }
    return out + "\n]}\n";
}

std::string scenes_json_lines(const std::vector<SceneRecord>& scenes) {
    std::string out;
    for (const SceneRecord& record : scenes) write_line(out, record);
    return out;
}

}  // namespace neumann
