#include "infer/decode.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "infer/layers.h"

namespace neumann {
namespace {

// The place that a cell points to, in cells.
std::pair<double, double> place(const RawRows& cells, std::size_t cell, const NetworkSettings& settings) {
    const auto across = static_cast<std::size_t>(settings.cells_across());
    const std::size_t down = cell / across;
    return {cells.at(cell, column::x) + static_cast<double>(cell % across),
            cells.at(cell, column::y) + static_cast<double>(down)};
}

// The rows whose presence is at least `least`, the most certain first.
std::vector<std::size_t> by_presence(const RawRows& rows, float least) {
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < rows.count; ++row)
        if (rows.at(row, column::presence) >= least) order.push_back(row);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t row) { return rows.at(row, column::presence); });
    return order;
}

float raw_least_presence() { return static_cast<float>(std::log(least_presence / (1 - least_presence))); }

// Appends a row in its ranges. Centres of cells count from the middle of the cell, those of slots from the image.
void append_activated(const RawRows& rows, std::size_t number, std::optional<std::size_t> cell,
                      const NetworkSettings& settings, std::vector<float>& out) {
    const std::size_t first = out.size();
    for (std::size_t k = 0; k < settings.layout->columns; ++k) out.push_back(rows.at(number, k));
    const std::span<float> row = std::span(out).subspan(first);
    row[column::presence] = infer::logistic(row[column::presence]);
    if (cell) {
        const auto across = static_cast<std::size_t>(settings.cells_across());
        const std::size_t down = *cell / across;
        row[column::x] =
            (row[column::x] + static_cast<float>(*cell % across) + 0.5F) / static_cast<float>(settings.cells_across());
        row[column::y] = (row[column::y] + static_cast<float>(down) + 0.5F) / static_cast<float>(settings.cells_down());
    }
    for (const unsigned k : {column::width, column::height}) row[k] *= static_cast<float>(box_scale);
    for (const unsigned k : {column::ground_x, column::ground_y}) row[k] *= static_cast<float>(ground_scale);
    for (const AttributeColumns& attribute : settings.layout->attributes)
        infer::softmax(row.subspan(attribute.first, attribute.values.size()));
}

// The attention of a slot, 255 at its maximum.
Image attention_image(const RawRows& attention, std::size_t slot, const NetworkSettings& settings) {
    Image image =
        Image::blank(static_cast<unsigned>(settings.cells_across()), static_cast<unsigned>(settings.cells_down()), 1);
    float most = 1e-6F;
    for (std::size_t cell = 0; cell < image.data.size(); ++cell) most = std::max(most, attention.at(cell, slot));
    for (std::size_t cell = 0; cell < image.data.size(); ++cell)
        image.data[cell] = static_cast<std::uint8_t>(std::lround(255 * attention.at(cell, slot) / most));
    return image;
}

}  // namespace

std::vector<std::size_t> pick_cells(const RawRows& cells, const NetworkSettings& settings) {
    const double merge = settings.merge / static_cast<double>(settings.cell);
    std::vector<std::size_t> picked;
    for (const std::size_t cell : by_presence(cells, raw_least_presence())) {
        const std::pair<double, double> here = place(cells, cell, settings);
        const bool seen_already = std::ranges::any_of(picked, [&](std::size_t other) {
            const auto [u, v] = place(cells, other, settings);
            return std::hypot(here.first - u, here.second - v) < merge;
        });
        if (!seen_already) picked.push_back(cell);
    }
    return picked;
}

SeenObjects objects_of_map(const RawRows& cells, const NetworkSettings& settings) {
    SeenObjects seen{settings.layout, {}, {}};
    for (const std::size_t cell : pick_cells(cells, settings)) append_activated(cells, cell, cell, settings, seen.rows);
    return seen;
}

SeenObjects objects_of_slots(const RawRows& slots, const RawRows& attention, const NetworkSettings& settings) {
    SeenObjects seen{settings.layout, {}, {}};
    for (const std::size_t slot : by_presence(slots, raw_least_presence())) {
        append_activated(slots, slot, {}, settings, seen.rows);
        seen.attention.push_back(attention_image(attention, slot, settings));
    }
    return seen;
}

}  // namespace neumann
