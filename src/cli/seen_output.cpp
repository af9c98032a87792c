#include "cli/seen_output.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "compile/with_errors.h"
#include "image/png.h"
#include "perceive/looking.h"
#include "perceive/scene_of.h"
#include "report/annotate.h"
#include "scene/figure_json.h"
#include "scene/scene_json.h"

namespace neumann {
namespace {

constexpr double certain_from = 0.995;  // reads as 1: not worth a number

std::vector<const SeenObject*> objects_from(const SeenPicture& picture, double least) {
    std::vector<const SeenObject*> objects;
    for (const SeenObject& one : picture.objects)
        if (one.presence >= least) objects.push_back(&one);
    return objects;
}

}  // namespace

std::string seen_table(const SeenPicture& picture, double least) {
    const std::vector<const SeenObject*> objects = objects_from(picture, least);
    std::string text = fmt::format("{}: {}{}\n", picture.file.string(), counted(objects.size(), "object"),
                                   picture.note.empty() ? "" : fmt::format(" ({})", picture.note));
    if (objects.empty()) return text;
    std::vector<Table::Column> columns = {{"object"}};
    for (const std::string& attribute : picture.attributes)
        columns.push_back({attribute == "color" ? "colour" : attribute, Table::Align::Left});
    for (const char* title : {"x", "y", "width", "height", "presence"}) columns.push_back({title});
    Table table(std::move(columns));
    for (const SeenObject* object : objects) {
        std::vector<std::string> cells = {fmt::format("{}", object->number)};
        for (const SeenObject::Attribute& one : object->attributes)
            cells.push_back(one.probability >= certain_from ? one.value
                                                            : fmt::format("{} {:.2f}", one.value, one.probability));
        for (const float one : {object->x, object->y, object->width, object->height, object->presence})
            cells.push_back(fmt::format("{:.3f}", one));
        table.add_row(std::move(cells));
    }
    return text + table.text();
}

std::string seen_json(const SeenPicture& picture, double least) {
    std::string text = fmt::format("{{\"image\": {}, \"objects\": [", json_text(picture.file.string()));
    const char* between = "";
    for (const SeenObject* object : objects_from(picture, least)) {
        text += fmt::format("{}{{\"presence\": {}, \"x\": {}, \"y\": {}, \"width\": {}, \"height\": {}",
                            std::exchange(between, ", "), object->presence, object->x, object->y, object->width,
                            object->height);
        if (object->ground) text += fmt::format(", \"ground\": [{}, {}]", (*object->ground)[0], (*object->ground)[1]);
        for (const SeenObject::Attribute& one : object->attributes)
            text += fmt::format(", \"{}\": {{\"value\": \"{}\", \"probability\": {}}}", one.name, one.value,
                                one.probability);
        text += '}';
    }
    return text + fmt::format("], \"notes\": [{}]}}\n", picture.note.empty() ? "" : json_text(picture.note));
}

std::string seen_scene_json(const SeenPicture& picture, double least, std::size_t number) {
    Scene scene = scene_of(picture.all->seen, least);
    scene.image = picture.file.filename().string();
    if (picture.flat) {
        const bool known = picture.label && *picture.label >= 0;
        return figure_json_line(scene, known ? std::optional(static_cast<unsigned>(*picture.label)) : std::nullopt);
    }
    SceneRecord record;
    record.scene = std::move(scene);
    record.index = number;
    return scenes_json_lines({record});
}

void write_annotated(const SeenPicture& picture, double least, const std::filesystem::path& output) {
    with_errors([&] { write_annotated(picture.file, picture.all->seen, least, output); });
}

std::size_t write_attention(const SeenPicture& picture, double least, const std::filesystem::path& base) {
    const SeenObjects& seen = picture.all->seen;
    std::size_t written = 0;
    with_errors([&] {
        for (std::size_t i = 0; i < seen.attention.size() && i < seen.count(); ++i) {
            if (seen.row(i)[column::presence] < least) continue;
            write_png(base.parent_path() / fmt::format("{}_object{}.png", base.stem().string(), i), seen.attention[i]);
            ++written;
        }
    });
    return written;
}

}  // namespace neumann
