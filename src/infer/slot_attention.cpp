#include "infer/slot_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace neumann::infer {
namespace {

using Point = std::array<float, 2>;

constexpr auto slots = static_cast<std::size_t>(SlotSettings::slots);
constexpr auto dim = static_cast<std::size_t>(SlotSettings::dim);

const float* row(const Rows& rows, std::size_t number) { return rows.at(static_cast<std::ptrdiff_t>(number), 0); }
float* row(Rows& rows, std::size_t number) { return rows.at(static_cast<std::ptrdiff_t>(number), 0); }

std::vector<Point> cell_grid(const NetworkSettings& settings) {
    std::vector<Point> grid;
    for (std::int64_t y = 0; y < settings.cells_down(); ++y)
        for (std::int64_t x = 0; x < settings.cells_across(); ++x)
            grid.push_back({(static_cast<float>(x) + 0.5F) / static_cast<float>(settings.cells_across()),
                            (static_cast<float>(y) + 0.5F) / static_cast<float>(settings.cells_down())});
    return grid;
}

// Position encoding of cells: coordinates, and waves from twice the image's width down to an eighth of it.
Rows waves_of(const std::vector<Point>& grid) {
    Rows result = make_rows(grid.size(), SlotSettings::waves);
    for (std::size_t cell = 0; cell < grid.size(); ++cell) {
        float* to = row(result, cell);
        for (const float coordinate : grid[cell]) *to++ = coordinate;
        for (const float coordinate : grid[cell]) *to++ = 1 - coordinate;
        for (const double halves : {1, 2, 4, 8, 16}) {
            const auto angle = [&](float coordinate) {
                return coordinate * static_cast<float>(std::numbers::pi * halves);
            };
            for (const float coordinate : grid[cell]) *to++ = std::sin(angle(coordinate));
            for (const float coordinate : grid[cell]) *to++ = std::cos(angle(coordinate));
        }
    }
    return result;
}

// The cells of the highest local peaks of presence (3×3), the likeliest first.
std::vector<std::size_t> likeliest_peaks(const FeatureMap& map, std::size_t count) {
    std::vector<float> presence;
    for (std::size_t y = 0; y < map.height; ++y)
        for (std::size_t x = 0; x < map.width; ++x)
            presence.push_back(
                logistic(map.at(static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(y))[column::presence]));
    std::vector<float> peak = presence;
    for (std::size_t y = 0; y < map.height; ++y)
        for (std::size_t x = 0; x < map.width; ++x)
            for (std::size_t v = y - std::min<std::size_t>(y, 1); v <= std::min(y + 1, map.height - 1); ++v)
                for (std::size_t u = x - std::min<std::size_t>(x, 1); u <= std::min(x + 1, map.width - 1); ++u)
                    if (presence[v * map.width + u] > presence[y * map.width + x]) peak[y * map.width + x] = 0;
    std::vector<std::size_t> cells(peak.size());
    std::iota(cells.begin(), cells.end(), std::size_t{0});
    std::stable_sort(cells.begin(), cells.end(), [&](std::size_t a, std::size_t b) { return peak[a] > peak[b]; });
    cells.resize(count);
    return cells;
}

float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

void add_to(Rows& rows, const Rows& others) {
    for (std::size_t k = 0; k < rows.values.size(); ++k) rows.values[k] += others.values[k];
}

}  // namespace

SlotAttention::SlotAttention(WeightReader& weights, const NetworkSettings& settings)
    : settings_(settings), grid_(cell_grid(settings)),
      proposals_(weights, "slots.proposals.rows",
                 {.in = settings.features, .out = settings.layout->columns, .taps = 1, .rectified = false}),
      place_(read_linear(weights, "slots.place", SlotSettings::waves, settings.features)),
      begin_(read_linear(weights, "slots.begin", SlotSettings::dim, SlotSettings::dim)),
      key_(read_linear(weights, {"slots.key.weight", "", SlotSettings::dim, SlotSettings::dim})),
      value_(read_linear(weights, {"slots.value.weight", "", SlotSettings::dim, SlotSettings::dim})),
      query_(read_linear(weights, {"slots.query.weight", "", SlotSettings::dim, SlotSettings::dim})),
      narrowness_(read_linear(weights, "slots.narrowness", SlotSettings::dim, 2)),
      input_norm_(weights, "slots.input_norm", settings.features),
      slot_norm_(weights, "slots.slot_norm", SlotSettings::dim),
      output_norm_(weights, "slots.output_norm", SlotSettings::dim),
      input_mlp_(weights, "slots.input_mlp", settings.features, 2 * SlotSettings::dim, SlotSettings::dim),
      slot_mlp_(weights, "slots.slot_mlp", SlotSettings::dim, 2 * SlotSettings::dim, SlotSettings::dim),
      rows_(weights, "slots.rows", SlotSettings::dim, 2 * SlotSettings::dim, settings.layout->columns),
      update_(weights, "slots.update", SlotSettings::dim), places_(place_.times(waves_of(grid_))) {
    const std::span<const float> start = weights.take("slots.start", {2, SlotSettings::dim});
    start_.assign(start.begin(), start.end());
}

SlotAttention::Start SlotAttention::begin_at_proposals(const FeatureMap& map, const Rows& inputs) const {
    const std::vector<std::size_t> cells = likeliest_peaks(map, slots - 1);
    Rows of_cells = make_rows(slots, dim);
    Start start;
    for (std::size_t slot = 0; slot + 1 < slots; ++slot) {
        const std::size_t cell = cells[slot];
        const float* proposed =
            map.at(static_cast<std::ptrdiff_t>(cell % map.width), static_cast<std::ptrdiff_t>(cell / map.width));
        std::copy_n(row(inputs, cell), dim, row(of_cells, slot));
        start.presence.push_back(proposed[column::presence]);
        start.centre.push_back({grid_[cell][0] + proposed[column::x] / static_cast<float>(map.width),
                                grid_[cell][1] + proposed[column::y] / static_cast<float>(map.height)});
    }
    start.presence.push_back(static_cast<float>(SlotSettings::ground_presence));
    start.centre.push_back({0.5F, 0.5F});
    start.held = begin_.times(of_cells);
    for (std::size_t slot = 0; slot + 1 < slots; ++slot)
        for (std::size_t k = 0; k < dim; ++k) row(start.held, slot)[k] += start_[k];
    std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(dim), dim, row(start.held, slots - 1));
    return start;
}

// Softmax over slots: how well a key answers a slot's query, less the cell's distance from the slot's centre.
Rows SlotAttention::attention_of(const Rows& keys, const Rows& known, const std::vector<Point>& centre) const {
    const Rows asked = query_.times(known);
    const Rows narrow = narrowness_.times(known);
    PackedWeights queries(slots, 1, dim);
    std::array<Point, slots> narrowness{};
    for (std::size_t slot = 0; slot < slots; ++slot) {
        for (std::size_t k = 0; k < dim; ++k)
            queries.at(slot, 0, k) = row(asked, slot)[k] / std::sqrt(static_cast<float>(dim));
        for (std::size_t axis = 0; axis < 2; ++axis)
            narrowness[slot][axis] = softplus(row(narrow, slot)[axis]) / static_cast<float>(SlotSettings::near_by);
    }
    Rows attention = queries.times(keys);
    for (std::size_t cell = 0; cell < attention.width; ++cell) {
        const std::span<float> of_cell(row(attention, cell), slots);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            for (std::size_t axis = 0; axis < 2; ++axis) {
                const float far = (grid_[cell][axis] - centre[slot][axis]) * narrowness[slot][axis];
                of_cell[slot] -= far * far;
            }
        }
        softmax(of_cell);
    }
    return attention;
}

// Each slot's mean of the values, weighted by its attention.
Rows SlotAttention::updates_of(const Rows& attention, const Rows& values) const {
    std::array<float, slots> sum{};
    for (std::size_t cell = 0; cell < attention.width; ++cell)
        for (std::size_t slot = 0; slot < slots; ++slot)
            sum[slot] += row(attention, cell)[slot] + static_cast<float>(SlotSettings::least_share);
    Rows shares = make_rows(slots, attention.width);
    PackedWeights packed(dim, 1, attention.width);
    for (std::size_t cell = 0; cell < attention.width; ++cell) {
        for (std::size_t slot = 0; slot < slots; ++slot)
            row(shares, slot)[cell] =
                (row(attention, cell)[slot] + static_cast<float>(SlotSettings::least_share)) / sum[slot];
        for (std::size_t k = 0; k < dim; ++k) packed.at(k, 0, cell) = row(values, cell)[k];
    }
    return packed.times(shares);
}

// A slot's centre and presence are its initial ones, corrected by its state.
Rows SlotAttention::rows_of(const Rows& held, const Start& start) const {
    Rows rows = rows_(held);
    for (std::size_t slot = 0; slot < slots; ++slot) {
        float* to = row(rows, slot);
        to[column::presence] += start.presence[slot];
        for (const auto& [at, axis] : {std::pair(column::x, 0U), std::pair(column::y, 1U)})
            to[at] = to[at] * static_cast<float>(SlotSettings::centre_scale) + start.centre[slot][axis];
    }
    return rows;
}

SlotAttention::Result SlotAttention::operator()(const FeatureMap& features) const {
    Rows inputs = places_;
    for (std::size_t cell = 0; cell < grid_.size(); ++cell) {
        const float* of_cell = features.at(static_cast<std::ptrdiff_t>(cell % features.width),
                                           static_cast<std::ptrdiff_t>(cell / features.width));
        for (std::size_t k = 0; k < features.channels; ++k) row(inputs, cell)[k] += of_cell[k];
    }
    inputs = input_mlp_(input_norm_(inputs));
    const Rows keys = key_.times(inputs);
    const Rows values = value_.times(inputs);
    const Start start = begin_at_proposals(proposals_(features, 0), inputs);
    Rows held = start.held;
    std::vector<Point> centre = start.centre;
    Result result;
    for (int round = 0; round < SlotSettings::rounds; ++round) {
        result.attention = attention_of(keys, slot_norm_(held), centre);
        held = update_(updates_of(result.attention, values), held);
        add_to(held, slot_mlp_(output_norm_(held)));
        result.rows = rows_of(held, start);
        for (std::size_t slot = 0; slot < slots; ++slot)
            centre[slot] = {row(result.rows, slot)[column::x], row(result.rows, slot)[column::y]};
    }
    return result;
}

}  // namespace neumann::infer
