// Charts in SVG: scales with round ticks, frames, legends and lines, in one style for all curves.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/svg_writer.h"

namespace neumann::chart {

// Lengths are in pixels at the image's own size.
inline constexpr double margin = 24;
inline constexpr double card_width = 1000;
inline constexpr double small_card_width = 620;
inline constexpr double panel_gap = 40;
inline constexpr double plot_height = 170;
inline constexpr double tick_room = 48;     // left of a plot
inline constexpr double heading_room = 44;  // above it, for the heading and the legend
inline constexpr double axis_room = 34;     // below it, for labels and the axis's title
inline constexpr double heading_size = 13;
inline constexpr double label_size = 11;
inline constexpr double widest_bar = 64;
inline constexpr std::size_t max_points = 1000;  // of a line; of more, the least and the greatest nearby are drawn

inline constexpr const char* ink = "#1f2328";
inline constexpr const char* faint_ink = "#59636e";
inline constexpr const char* ground_colour = "#f6f8fa";
inline constexpr std::array<const char*, 8> colours = {"#2f6fc4", "#c8570c", "#3b978a", "#8657ad",
                                                       "#b8860b", "#c2437a", "#5f6b76", "#6b8e23"};

double label_width(std::string_view text);
bool drawable(double value);                       // false for NaN and for infinite or nearly infinite values
std::string number(double value, int digits = 6);  // "–" for values that are not drawable

struct Scale {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::vector<double> ticks{};

    double share(double value) const;  // of the way from low to high
    void add_ticks(double step);
};

Scale linear_scale(double low, double high);      // from tick to tick
Scale counting_scale(double first, double last);  // of whole numbers, from the first to the last

struct Point {
    double x = 0;
    double y = 0;           // perhaps not drawable
    std::size_t piece = 0;  // of the line; pieces are not connected
};

struct Line {
    std::string name;  // in the legend
    const char* colour = "";
    std::vector<Point> points{};
};

// Of all y values. Logarithmic for more than two decades, else from 0 unless that would flatten the lines.
Scale scale_for(const std::vector<Line>& lines);

struct Chart {
    std::string heading, x_title, y_title;
    double left, top, right, bottom;  // of the plot
    double headroom;                  // above it, below the legend
    Scale x{}, y{};
    std::vector<Line> lines{};
    std::string remark{};                                  // at the end of the legend
    std::optional<Point> ring{};                           // the point that the remark describes
    std::vector<std::pair<double, std::string>> starts{};  // on the x axis, where they are set apart

    double x_of(double value) const { return left + x.share(value) * (right - left); }
    double y_of(double value) const { return bottom - y.share(value) * (bottom - top); }
};

Chart chart_at(double left, double top, double width, double headroom, std::string heading);

// Names in a row below bars, slanted where they are too wide; of very many only some.
struct NameAxis {
    NameAxis(const std::vector<std::string>& names, double room);
    double pitch = 0;  // from bar to bar
    bool slanted = false;
    std::size_t stride = 1;
    double drop = 0;  // from the axis to its title
};

// An SVG image under construction, from top to bottom.
class Card : protected SvgWriter {
public:
    Card(double width, const std::string& title, const std::string& subtitle);
    std::string svg() &&;

protected:
    void add_text(double x, double y, std::string_view attributes, std::string_view text);
    void add_turned_text(double x, double y, int angle, std::string_view text);
    void add_heading(double x, double y, std::string_view text);
    void add_ring(double x, double y);
    void add_frame(const Chart& chart, double title_drop = axis_room - 2);
    void add_lines(const Chart& chart);
    void add_name(const Chart& chart, const NameAxis& axis, std::size_t index, const std::string& name);
    void add_nothing(const Chart& chart, std::string_view why);

    double width_;
    double y_ = margin;  // top of the next element

private:
    void add_legend(const Chart& chart);

    std::string label_;
};

}  // namespace neumann::chart
