#include "draw/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "draw/atom_label.h"
#include "draw/svg_text.h"
#include "draw/svg_writer.h"

namespace neumann {
namespace {

// Lengths are in pixels at the image's own size.
constexpr double margin = 20;
constexpr double plot_width = 1000;  // cells are sized for this room, but have at least one pixel
constexpr double plot_height = 620;
constexpr double largest_cell = 30;
constexpr double slant = std::numbers::sqrt2 / 2;  // of 45 degrees
constexpr double slanted_cell = 16;                // the narrowest cell under which slanted labels stay apart
constexpr double line_pitch = 13;                  // the least distance between upright ones
constexpr double heading_size = 15;
constexpr double subtitle_size = 12;
constexpr double label_size = 11;
constexpr double note_size = 10;
constexpr double bar_width = 140;
constexpr double bar_height = 10;
constexpr double legend_width = 310;
constexpr double legend_height = 24;
constexpr std::size_t longest_heading = 140;   // in characters
constexpr std::size_t tooltip_cells = 10'000;  // with more, a tooltip in every cell makes files of many megabytes
constexpr double rounding = 1e-6;              // by which values may miss [0, 1]
constexpr unsigned shades = 64;                // to which cells without tooltips are rounded, so that they merge

constexpr const char* ink = "#1f2328";
constexpr const char* faint_ink = "#59636e";
constexpr const char* cell_border_colour = "#dde1e6";
constexpr const char* swatch_line = "#c4cad1";
constexpr const char* zero_colour = "#fff";  // clearly lighter than where the scale begins

// Equal steps of lightness in OKLCH, 0.94 to 0.30, at a hue of 248 to 262 degrees. In between, linear in sRGB as SVG's
// gradients are, so that the bar shows exactly the colours of the cells.
constexpr std::array<std::uint32_t, 9> scale = {0xddedfe, 0xb1d5fa, 0x8bbcf1, 0x69a2e4, 0x4c88d2,
                                                0x356ebb, 0x2456a0, 0x183f81, 0x0f2a5f};

// The least of 1, 2, 5, 10, 20, 50, … that keeps labels apart.
std::size_t label_stride(double cell) {
    std::size_t stride = 1;
    for (int i = 1; static_cast<double>(stride) * cell < line_pitch; ++i)
        stride = i % 3 == 2 ? stride / 2 * 5 : stride * 2;
    return stride;
}

bool has_grid(double cell) { return cell >= 5; }

double line_width(double cell) { return has_grid(cell) && cell < 8 ? 0.5 : 1; }

void require_drawable(const HeatMap& map) {
    if (map.columns.empty() || map.rows.empty())
        throw std::invalid_argument("there is nothing to draw: no atoms or no steps");
    if (map.columns.size() > HeatMap::max_columns || map.rows.size() > HeatMap::max_rows) {
        throw std::invalid_argument(
            fmt::format("{} over {} are too many for a readable picture; ask for at most {} atoms and {} steps",
                        counted(map.columns.size(), "atom"), counted(map.rows.size(), "step"),
                        with_separators(HeatMap::max_columns), with_separators(HeatMap::max_rows)));
    }
    for (std::size_t step = 0; step < map.rows.size(); ++step) {
        const std::vector<double>& row = map.rows[step];
        if (row.size() != map.columns.size()) {
            throw std::invalid_argument(
                fmt::format("heat map: step {} has {} values for {} columns", step, row.size(), map.columns.size()));
        }
        const auto wrong =
            std::ranges::find_if_not(row, [](double value) { return value >= -rounding && value <= 1 + rounding; });
        if (wrong != row.end()) {
            throw std::invalid_argument(fmt::format("heat map: the value {} of column {} at step {} is not in [0, 1]",
                                                    *wrong, wrong - row.begin(), step));
        }
    }
}

// Texts and positions of a heat map.
struct Layout {
    std::string title, subtitle;
    double cell_width, cell_height;
    std::size_t atom_stride, step_stride;  // every how many are labelled
    bool merged;                           // cells of one shade are drawn as one, without tooltips
    std::vector<std::string> labels;       // of every atom_stride-th atom
    double label_angle;                    // in degrees; 0 if they fit below their cells
    std::vector<std::string> notes;        // on omitted or abbreviated parts
    double left, top, right, bottom;       // of the cells
    double legend_left, legend_top;
    double width, height;  // of the image
};

// First the size of the cells and all that depends on it, then from left to right, then from top to bottom.
Layout layout_of(const HeatMap& map) {
    const auto atoms = static_cast<double>(map.columns.size());
    const auto steps = static_cast<double>(map.rows.size());
    Layout at{};
    at.title = without_middle(map.title, longest_heading);
    at.subtitle = without_middle(map.subtitle, longest_heading);
    at.cell_width = std::clamp(std::floor(plot_width / atoms), 1.0, largest_cell);
    at.cell_height = std::clamp(std::floor(plot_height / steps), 1.0, largest_cell);
    at.atom_stride = label_stride(at.cell_width);
    at.step_stride = label_stride(at.cell_height);
    at.merged = atoms * steps > tooltip_cells;

    double longest = 0;
    double overhang = 0;  // of slanted labels, to the left of the cells
    bool any_shortened = false;
    bool any_power = false;
    for (std::size_t i = 0; i < map.columns.size(); i += at.atom_stride) {
        const std::string& label = at.labels.emplace_back(label_of(map.columns[i]));
        const double width = text_width(label, label_size);
        longest = std::max(longest, width);
        overhang = std::max(overhang, width * slant - static_cast<double>(i) * at.cell_width);
        const bool cut = label.find("…") != std::string::npos;
        any_shortened = any_shortened || cut;
        any_power = any_power || (!cut && label != map.columns[i]);
    }
    at.label_angle = longest <= at.cell_width ? 0 : at.cell_width >= slanted_cell ? 45 : 90;
    if (at.atom_stride > 1) at.notes.push_back(fmt::format("One atom in {} is labelled.", at.atom_stride));
    if (any_shortened) at.notes.emplace_back("Names with … are shortened; point at them for the full ones.");
    if (any_power) at.notes.emplace_back("f²(x) stands for f(f(x)).");
    if (at.merged) {
        at.notes.push_back(fmt::format("Values are rounded to {} shades; point at a column for its atom.", shades));
    }

    const double numbers = std::max(text_width("step", label_size), text_width(fmt::format("{}", steps), label_size));
    at.left = std::ceil(margin + std::max(numbers + 8, at.label_angle == 45 ? overhang : 0));
    at.right = at.left + at.cell_width * atoms;
    const double heading = std::max(text_width(at.title, heading_size), text_width(at.subtitle, subtitle_size));
    const bool beside = heading > 0 && at.right - at.left >= heading + 30 + legend_width;
    at.legend_left = beside ? at.right - legend_width : at.left;
    double end = std::max({at.right, at.left + heading, at.legend_left + legend_width});
    for (const std::string& note : at.notes) end = std::max(end, at.left + text_width(note, note_size));
    at.width = std::ceil(end + margin);

    const double heading_height = (at.title.empty() ? 0 : 22) + (at.subtitle.empty() ? 0 : 18);
    at.legend_top = margin + (beside ? 5 : heading_height == 0 ? 0 : heading_height + 8);
    at.top = std::max(margin + heading_height, at.legend_top + legend_height) + 18;
    at.bottom = at.top + at.cell_height * steps;
    const double labels = at.label_angle == 0 ? label_size : at.label_angle == 45 ? longest * slant : longest;
    at.height = std::ceil(at.bottom + labels + 22 + 15 * static_cast<double>(at.notes.size()) + margin / 2);
    return at;
}

// An SVG image of a heat map under construction.
class HeatMapDrawing : SvgWriter {
public:
    explicit HeatMapDrawing(const HeatMap& map) : map_(map), at_(layout_of(map)) {}
    std::string svg() &&;

private:
    void add_heading();
    void add_legend();
    void add_cells();
    void add_merged_cells();
    void add_column_tooltips();
    void add_grid();
    void add_step_labels();
    void add_atom_labels();

    const HeatMap& map_;
    Layout at_;
};

void HeatMapDrawing::add_heading() {
    double y = margin - 6;
    if (!at_.title.empty()) {
        add("<text x='{}' y='{}' font-size='{}' font-weight='600'>{}</text>\n", at_.left, y += 20, heading_size,
            escaped(at_.title));
    }
    if (!at_.subtitle.empty()) {
        add("<text x='{}' y='{}' font-size='{}' fill='{}'>{}</text>\n", at_.left, y += 20, subtitle_size, faint_ink,
            escaped(at_.subtitle));
    }
}

void HeatMapDrawing::add_legend() {
    add("<linearGradient id='neumann-scale'>");
    for (std::size_t i = 0; i < scale.size(); ++i) {
        const double value = static_cast<double>(i) / (scale.size() - 1);
        add("<stop offset='{}' stop-color='{}'/>", value, colour_of(value));
    }
    add("</linearGradient>\n<g transform='translate({} {})' fill='{}'>\n", at_.legend_left, at_.legend_top, faint_ink);
    add("<rect width='{0}' height='{0}' fill='{1}' stroke='{2}'/>", bar_height, zero_colour, swatch_line);
    add("<text x='{}' y='9'>exactly 0 (not derived)</text>\n", bar_height + 6);
    const double x = legend_width - bar_width;
    add("<rect x='{}' width='{}' height='{}' fill='url(#neumann-scale)'/>", x, bar_width, bar_height);
    add("<text x='{}' y='{}'>0</text>", x, legend_height);
    add("<text x='{}' y='{}' text-anchor='middle'>½</text>", x + bar_width / 2, legend_height);
    add("<text x='{}' y='{}' text-anchor='end'>1</text>\n</g>\n", x + bar_width, legend_height);
}

// This and the next three draw in units of cells.
void HeatMapDrawing::add_cells() {
    for (std::size_t step = 0; step < map_.rows.size(); ++step) {
        for (std::size_t atom = 0; atom < map_.columns.size(); ++atom) {
            const double value = map_.rows[step][atom];
            add("<rect x='{}' y='{}' width='1' height='1' fill='{}'><title>{}, step {}: {:.4g}</title></rect>\n", atom,
                step, value == 0 ? zero_colour : colour_of(value), escaped(map_.columns[atom]), step, value);
        }
    }
}

// Each shade is one path of horizontal strokes, one cell high, on a ground of exact zeros.
void HeatMapDrawing::add_merged_cells() {
    const std::size_t atoms = map_.columns.size();
    std::vector<std::string> paths(shades);
    std::vector<std::size_t> ends(shades);  // of the shades' last strokes in this row; 0 if there is none yet
    for (std::size_t step = 0; step < map_.rows.size(); ++step) {
        const auto shade_of = [&](std::size_t atom) {
            const double value = map_.rows[step][atom];
            return value == 0 ? shades : static_cast<unsigned>(std::lround(std::clamp(value, 0.0, 1.0) * (shades - 1)));
        };
        std::ranges::fill(ends, 0);
        for (std::size_t first = 0, next = 0; first < atoms; first = next) {
            const unsigned shade = shade_of(first);
            for (next = first + 1; next < atoms && shade_of(next) == shade;) ++next;
            if (shade == shades) continue;
            paths[shade] +=
                ends[shade] == 0 ? fmt::format("M{} {}", first, step) : fmt::format("m{} 0", first - ends[shade]);
            paths[shade] += fmt::format("h{}", next - first);
            ends[shade] = next;
        }
    }
    add("<rect width='{}' height='{}' fill='{}'/>\n", atoms, map_.rows.size(), zero_colour);
    add("<g transform='translate(0 0.5)' fill='none'>\n");
    for (unsigned shade = 0; shade < shades; ++shade) {
        if (paths[shade].empty()) continue;
        add("<path stroke='{}' d='{}'/>\n", colour_of(static_cast<double>(shade) / (shades - 1)), paths[shade]);
    }
    add("</g>\n");
}

void HeatMapDrawing::add_column_tooltips() {
    const std::size_t steps = map_.rows.size();
    add("<g fill='none' pointer-events='all'>\n");
    for (std::size_t atom = 0; atom < map_.columns.size(); ++atom) {
        std::size_t derived = 0;
        while (derived < steps && map_.rows[derived][atom] == 0) ++derived;
        add("<rect x='{}' width='1' height='{}'><title>{}, step 0: {:.4g}, step {}: {:.4g}", atom, steps,
            escaped(map_.columns[atom]), map_.rows.front()[atom], steps - 1, map_.rows.back()[atom]);
        if (derived > 0 && derived < steps) add(", above 0 from step {}", derived);
        add("</title></rect>\n");
    }
    add("</g>\n");
}

// Lines between the cells, or around them all where there is no room in between.
void HeatMapDrawing::add_grid() {
    const std::size_t atoms = map_.columns.size();
    const std::size_t steps = map_.rows.size();
    add("<g fill='none' stroke='{}' pointer-events='none'>\n<path stroke-width='{:.3g}' d='", cell_border_colour,
        line_width(at_.cell_width) / at_.cell_width);
    for (std::size_t i = 0; i <= atoms; i += has_grid(at_.cell_width) ? 1 : atoms) add("M{} 0v{}", i, steps);
    add("'/>\n<path stroke-width='{:.3g}' d='", line_width(at_.cell_height) / at_.cell_height);
    for (std::size_t i = 0; i <= steps; i += has_grid(at_.cell_height) ? 1 : steps) add("M0 {}h{}", i, atoms);
    add("'/>\n</g>\n");
}

void HeatMapDrawing::add_step_labels() {
    const double x = at_.left - 7;
    const double first = at_.top + at_.cell_height / 2 + label_size * 0.35;  // the digits are 0.7 high
    add("<g text-anchor='end'>\n<text x='{}' y='{:.6g}' fill='{}'>step</text>\n", x,
        std::min(at_.top - 6, first - line_pitch), faint_ink);
    const std::size_t last = map_.rows.size() - 1;
    for (std::size_t step = 0; step <= last; ++step) {
        const bool apart = static_cast<double>(last - step) * at_.cell_height >= line_pitch;
        if (step != last && (step % at_.step_stride != 0 || !apart)) continue;
        add("<text x='{}' y='{:.6g}'>{}</text>\n", x, first + static_cast<double>(step) * at_.cell_height, step);
    }
    add("</g>\n");
}

void HeatMapDrawing::add_atom_labels() {
    const auto [anchor, right, down] = at_.label_angle == 0    ? std::tuple("middle", 0.0, 15.0)
                                       : at_.label_angle == 45 ? std::tuple("end", 4.0, 11.0)
                                                               : std::tuple("end", label_size * 0.35, 8.0);
    add("<g text-anchor='{}'>\n", anchor);
    for (std::size_t atom = 0; atom < map_.columns.size(); atom += at_.atom_stride) {
        const std::string& label = at_.labels[atom / at_.atom_stride];
        const double x = at_.left + (static_cast<double>(atom) + 0.5) * at_.cell_width;
        if (at_.atom_stride > 1) add("<path d='M{} {}v4' stroke='{}'/>", x, at_.bottom + 1, faint_ink);
        add("<text transform='translate({:.6g} {}) rotate({})'>", x + right, at_.bottom + down, -at_.label_angle);
        if (label != map_.columns[atom]) add("<title>{}</title>", escaped(map_.columns[atom]));
        add("{}</text>\n", escaped(label));
    }
    add("</g>\n");
}

std::string HeatMapDrawing::svg() && {
    add_start(at_.width, at_.height,
              fmt::format("\n aria-label='{}{}{}{}{} at {}: the darker, the nearer to 1'", escaped(map_.title),
                          map_.title.empty() ? "" : ". ", escaped(map_.subtitle), map_.subtitle.empty() ? "" : ". ",
                          counted(map_.columns.size(), "atom"), counted(map_.rows.size(), "step")),
              fmt::format("font-size='{}' fill='{}'", label_size, ink));
    add_ground(at_.width, at_.height);
    add_heading();
    add_legend();
    add("<g transform='translate({} {}) scale({} {})'>\n<g shape-rendering='crispEdges'>\n", at_.left, at_.top,
        at_.cell_width, at_.cell_height);
    at_.merged ? add_merged_cells() : add_cells();
    add("</g>\n");
    if (at_.merged) add_column_tooltips();
    add_grid();
    add("</g>\n");
    add_step_labels();
    add_atom_labels();
    double y = at_.height - margin + 5 - 15 * static_cast<double>(at_.notes.size());
    for (const std::string& note : at_.notes) {
        add("<text x='{}' y='{}' font-size='{}' fill='{}'>{}</text>\n", at_.left, y += 15, note_size, faint_ink, note);
    }
    add_end();
    return std::move(out_);
}

}  // namespace

std::string colour_of(double value) {
    const double place = std::clamp(value, 0.0, 1.0) * (scale.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), scale.size() - 2);
    const auto channel = [&](unsigned shift) {
        const double low = scale[below] >> shift & 0xFFU;
        const double high = scale[below + 1] >> shift & 0xFFU;
        return std::lround(low + (place - static_cast<double>(below)) * (high - low));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(16), channel(8), channel(0));
}

std::string heat_map_svg(const HeatMap& map) {
    require_drawable(map);
    return HeatMapDrawing(map).svg();
}

}  // namespace neumann
