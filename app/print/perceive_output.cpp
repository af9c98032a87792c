#include "print/perceive_output.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "draw/table.h"
#include "report/annotate.h"

namespace neumann::app {
namespace {

std::vector<std::size_t> objects_from(const SeenObjects& seen, double least) {
    std::vector<std::size_t> objects;
    for (std::size_t i = 0; i < seen.count(); ++i) {
        if (seen.row(i)[column::presence] >= least) objects.push_back(i);
    }
    return objects;
}

}  // namespace

std::string seen_table(const std::string& picture, const LookedAt& looked, double least) {
    const SeenObjects& seen = looked.seen;
    const std::vector<std::size_t> objects = objects_from(seen, least);
    std::string text = fmt::format("{}: {}{}\n", picture, counted(objects.size(), "object"),
                                   looked.note.empty() ? "" : fmt::format(" ({})", looked.note));
    if (objects.empty()) return text;
    std::vector<Table::Column> columns = {{"object"}};
    for (const AttributeColumns& attribute : seen.layout->attributes)
        columns.push_back({attribute.name == "color" ? "colour" : std::string(attribute.name), Table::Align::Left});
    for (const char* title : {"x", "y", "width", "height", "presence"}) columns.push_back({title});
    Table table(std::move(columns));
    for (const std::size_t i : objects) {
        std::vector<std::string> cells = {fmt::format("{}", i)};
        for (const AttributeColumns& attribute : seen.layout->attributes)
            cells.push_back(likely_value(seen, i, attribute));
        const auto row = seen.row(i);
        for (const unsigned one : {column::x, column::y, column::width, column::height, column::presence})
            cells.push_back(fmt::format("{:.3f}", row[one]));
        table.add_row(std::move(cells));
    }
    return text + table.text();
}

std::string seen_json(const std::string& picture, const LookedAt& looked, double least) {
    const SeenObjects& seen = looked.seen;
    std::string text = fmt::format("{{\"image\": {}, \"objects\": [", json_text(picture));
    const char* between = "";
    for (const std::size_t i : objects_from(seen, least)) {
        const auto row = seen.row(i);
        text += fmt::format("{}{{\"presence\": {}, \"x\": {}, \"y\": {}, \"width\": {}, \"height\": {}",
                            std::exchange(between, ", "), row[column::presence], row[column::x], row[column::y],
                            row[column::width], row[column::height]);
        if (seen.layout == &solid_layout())
            text += fmt::format(", \"ground\": [{}, {}]", row[column::ground_x], row[column::ground_y]);
        for (const AttributeColumns& attribute : seen.layout->attributes) {
            const auto [value, probability] = seen.likeliest(i, attribute);
            text += fmt::format(", \"{}\": {{\"value\": \"{}\", \"probability\": {}}}", attribute.name,
                                attribute.values[value], probability);
        }
        text += '}';
    }
    return text + fmt::format("], \"notes\": [{}]}}\n", looked.note.empty() ? "" : json_text(looked.note));
}

}  // namespace neumann::app
