#include "draw/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "draw/svg_text.h"
#include "draw/svg_writer.h"

namespace neumann {
namespace {

// Lengths in pixels.
constexpr double chart_margin = 24;
constexpr double chart_width = 400;
constexpr double chart_height = 180;
constexpr double tick_room = 52;     // left of a plot
constexpr double heading_room = 48;  // above it: the heading and the legend
constexpr double axis_room = 44;     // below it
constexpr double tick_size = 11;
constexpr double most_ticks = 5;
constexpr double decades_of_logarithms = 2;   // a wider range has a logarithmic scale
constexpr std::size_t most_blocks = 400;      // of points, two drawn of each
constexpr double largest_drawable = 1e100;    // beyond it, coordinates overflow
constexpr double smallest_logarithm = 1e-12;  // smaller values are drawn as this one

constexpr std::array<const char*, 8> colours = {"#2f6fc4", "#c8570c", "#3b978a", "#8657ad",
                                                "#b8860b", "#c2437a", "#5f6b76", "#6b8e23"};

using Points = std::vector<std::pair<double, double>>;

bool drawable(double value) { return std::isfinite(value) && std::abs(value) < largest_drawable; }

struct Scale {
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    std::vector<double> ticks = {};

    double share(double value) const {
        if (logarithmic)
            return share_of(std::log10(std::max(value, smallest_logarithm)), std::log10(low), std::log10(high));
        return share_of(value, low, high);
    }

private:
    static double share_of(double value, double from, double to) { return (value - from) / (to - from); }
};

// 1, 2 or 5 times a power of ten, so that there are few ticks.
double round_step(double range) {
    const double power = std::pow(10, std::floor(std::log10(range / most_ticks)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (range / (factor * power) <= most_ticks) return factor * power;
    return 10 * power;
}

Scale linear_scale(double low, double high) {
    if (!(high > low)) high = low + 1;
    const double step = round_step(high - low);
    const double first = std::floor(low / step + 1e-9);
    const double last = std::ceil(high / step - 1e-9);
    Scale scale{first * step, last * step};
    for (double i = first; i <= last; ++i) scale.ticks.push_back(i * step);
    return scale;
}

Scale scale_of(const LineChart& chart) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Curve& curve : chart.curves) {
        for (const auto& [x, y] : curve.points) {
            if (!drawable(y)) continue;
            low = std::min(low, y);
            high = std::max(high, y);
        }
    }
    if (low > high) return linear_scale(0, 1);
    if (chart.up_to_one) return linear_scale(std::clamp(low, 0.0, 0.9), 1);
    if (low <= 0 || std::log10(high / low) <= decades_of_logarithms) return linear_scale(std::min(low, 0.0), high);
    const double first = std::floor(std::log10(std::max(low, smallest_logarithm)));
    const double last = std::ceil(std::log10(high));
    Scale scale{std::pow(10, first), std::pow(10, std::max(last, first + 1)), true};
    for (double power = first; power <= last; ++power) scale.ticks.push_back(std::pow(10, power));
    return scale;
}

// At most two points for each block of neighbours: its least and its greatest, in their order.
Points thinned(const Points& points) {
    if (points.size() <= 2 * most_blocks) return points;
    Points kept;
    for (std::size_t block = 0; block < most_blocks; ++block) {
        const auto at = [&](std::size_t i) { return points.begin() + static_cast<std::ptrdiff_t>(i); };
        const auto first = at(block * points.size() / most_blocks);
        const auto last = at((block + 1) * points.size() / most_blocks);
        auto [least, greatest] =
            std::minmax_element(first, last, [](const auto& a, const auto& b) { return a.second < b.second; });
        if (greatest < least) std::swap(least, greatest);
        kept.push_back(*least);
        if (greatest != least) kept.push_back(*greatest);
    }
    return kept;
}

class ChartDrawing : SvgWriter {
public:
    std::string draw(const std::string& title, const std::string& subtitle, const std::vector<LineChart>& charts) {
        const std::size_t columns = std::min<std::size_t>(charts.size(), 2);
        const double rows = std::ceil(static_cast<double>(charts.size()) / 2);
        const double cell_width = tick_room + chart_width + chart_margin;
        const double cell_height = heading_room + chart_height + axis_room;
        const double top = chart_margin + (title.empty() ? 0 : 22) + (subtitle.empty() ? 0 : 18);
        const double width = chart_margin + cell_width * static_cast<double>(std::max<std::size_t>(columns, 1));
        add_start(width, top + cell_height * rows, fmt::format(" aria-label='{}'", escaped(title)),
                  fmt::format("font-size='{}' fill='#1f2328'", tick_size));
        add_ground(width, top + cell_height * rows);
        if (!title.empty()) add_text(chart_margin, chart_margin + 12, "font-size='16' font-weight='bold'", title);
        if (!subtitle.empty()) add_text(chart_margin, top - 8, "fill='#59636e'", subtitle);
        for (std::size_t i = 0; i < charts.size(); ++i) {
            left_ = chart_margin + tick_room + cell_width * static_cast<double>(i % 2);
            const std::size_t row = i / 2;
            top_ = top + heading_room + cell_height * static_cast<double>(row);
            add_chart(charts[i]);
        }
        add_end();
        return std::move(out_);
    }

private:
    void add_text(double x, double y, std::string_view attributes, std::string_view text) {
        add("<text x='{:.1f}' y='{:.1f}' {}>{}</text>\n", x, y, attributes, escaped(text));
    }

    void add_chart(const LineChart& chart) {
        double first = std::numeric_limits<double>::infinity();
        double last = -first;
        for (const Curve& curve : chart.curves) {
            if (curve.points.empty()) continue;
            first = std::min(first, curve.points.front().first);
            last = std::max(last, curve.points.back().first);
        }
        add_text(left_ - tick_room, top_ - 30, "font-size='13' font-weight='bold'", chart.heading);
        if (first > last) {
            add_text(left_ - tick_room, top_, "fill='#59636e'", "nothing was measured");
            return;
        }
        x_ = linear_scale(first, last);
        y_ = scale_of(chart);
        add_axes(chart);
        for (std::size_t i = 0; i < chart.curves.size(); ++i) add_curve(chart.curves[i], colours[i % colours.size()]);
        add_legend(chart);
    }

    void add_axes(const LineChart& chart) {
        for (const double tick : y_.ticks) {
            add("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#d8dee4'/>\n", left_, y_at(tick),
                left_ + chart_width, y_at(tick));
            add_text(left_ - 6, y_at(tick) + 4, "text-anchor='end'", fmt::format("{:.6g}", tick));
        }
        for (const double tick : x_.ticks)
            add_text(x_at(tick), top_ + chart_height + 16, "text-anchor='middle'", fmt::format("{:.6g}", tick));
        add_text(left_ + chart_width, top_ + chart_height + 32, "text-anchor='end' fill='#59636e'", chart.x_title);
        add_text(left_ - tick_room, top_ - 12, "fill='#59636e'",
                 chart.y_title + (y_.logarithmic ? " (log scale)" : ""));
    }

    void add_curve(const Curve& curve, const char* colour) {
        std::string path;
        bool drawing = false;
        for (const auto& [x, y] : thinned(curve.points)) {
            if (drawable(y)) path += fmt::format("{}{:.1f} {:.1f}", drawing ? " L" : " M", x_at(x), y_at(y));
            drawing = drawable(y);
        }
        add("<path d='{}' fill='none' stroke='{}' stroke-width='1.8' stroke-linecap='round'/>\n",
            path.empty() ? "M0 0" : path.substr(1), colour);
    }

    // From right to left above the plot; one curve alone needs none.
    void add_legend(const LineChart& chart) {
        double right = left_ + chart_width;
        for (std::size_t i = chart.curves.size(); chart.curves.size() > 1 && i-- > 0;) {
            const std::string& name = chart.curves[i].name;
            add_text(right, top_ - 12, fmt::format("text-anchor='end' fill='{}'", colours[i % colours.size()]), name);
            right -= text_width(name, tick_size) + 12;
        }
    }

    double x_at(double x) const { return left_ + x_.share(x) * chart_width; }
    double y_at(double y) const { return top_ + (1 - y_.share(y)) * chart_height; }

    double left_ = 0;  // of the plot
    double top_ = 0;
    Scale x_;
    Scale y_;
};

}  // namespace

std::string charts_svg(const std::string& title, const std::string& subtitle, const std::vector<LineChart>& charts) {
    return ChartDrawing().draw(title, subtitle, charts);
}

}  // namespace neumann
