#include "valuation/object_vectors.h"

#include <algorithm>

#include "render/draw_figure.h"
#include "scene/place_objects.h"

namespace neumann {
namespace {

ObjectLayout make_layout(std::string_view name, unsigned width, unsigned height,
                         std::vector<AttributeColumns> attributes) {
    ObjectLayout layout{name, std::move(attributes), width, height, column::first_attribute};
    for (AttributeColumns& attribute : layout.attributes) {
        attribute.first = layout.columns;
        layout.columns += static_cast<unsigned>(attribute.values.size());
    }
    return layout;
}

}  // namespace

const AttributeColumns* ObjectLayout::find(std::string_view attribute) const {
    const auto found = std::ranges::find(attributes, attribute, &AttributeColumns::name);
    return found == attributes.end() ? nullptr : &*found;
}

const ObjectLayout& flat_layout() {
    static const ObjectLayout layout = make_layout("flat", 128, 128, {{"shape", flat_shapes}, {"color", flat_colors}});
    return layout;
}

const ObjectLayout& solid_layout() {
    static const ObjectLayout layout = make_layout(
        "solid", 192, 128,
        {{"shape", solid_shapes}, {"size", solid_sizes}, {"material", solid_materials}, {"color", solid_colors}});
    return layout;
}

const ObjectLayout* find_layout(std::string_view name) {
    for (const ObjectLayout* layout : {&flat_layout(), &solid_layout()})
        if (layout->name == name) return layout;
    return nullptr;
}

SeenObjects::Likeliest SeenObjects::likeliest(std::size_t object, const AttributeColumns& attribute) const {
    const std::span<const float> values = row(object).subspan(attribute.first, attribute.values.size());
    const auto most = std::ranges::max_element(values);
    return {static_cast<unsigned>(most - values.begin()), *most};
}

}  // namespace neumann
