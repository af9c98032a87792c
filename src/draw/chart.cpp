#include "draw/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <neumann/text.h>

#include "draw/atom_label.h"
#include "draw/svg_text.h"

namespace neumann::chart {
namespace {

constexpr double title_size = 17;
constexpr double legend_gap = 34;
constexpr std::size_t longest_axis_name = 16;  // in characters
constexpr std::size_t longest_title = 76;      // on a large chart
constexpr std::size_t marked_points = 40;      // of a line; more marks would hide it
constexpr std::size_t dense_points = 500;      // of a line; from here on it is drawn thinly
constexpr double largest = 1e30;               // greater numbers count as infinite, smaller inverses as 0

constexpr const char* grid_colour = "#e6e9ed";
constexpr const char* line_colour = "#b4bbc3";

// The minimum and the maximum of every few neighbours, so that no peak is lost, and the two ends. A value that cannot
// be drawn leaves a gap only if no value near it can be drawn.
std::vector<Point> thinned(const std::vector<Point>& points) {
    if (points.size() <= max_points) return points;
    std::vector<Point> out{points.front()};
    const std::size_t groups = max_points / 2 - 1;
    for (std::size_t group = 0; group < groups; ++group) {
        std::size_t least = points.size() * group / groups;
        std::size_t greatest = least;
        for (std::size_t i = least; i < points.size() * (group + 1) / groups; ++i) {
            if (!drawable(points[i].y)) continue;
            if (!drawable(points[least].y) || points[i].y < points[least].y) least = i;
            if (!drawable(points[greatest].y) || points[i].y > points[greatest].y) greatest = i;
        }
        out.push_back(points[std::min(least, greatest)]);
        if (least != greatest) out.push_back(points[std::max(least, greatest)]);
    }
    out.push_back(points.back());
    return out;
}

// The least of …, 1, 2, 5, 10, 20, … that is not less.
double nice_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (least <= factor * power * (1 + 1e-9)) return factor * power;
    }
    return 10 * power;
}

// From the nearest 1, 2 or 5 times a power of ten to another.
Scale logarithmic_scale(double low, double high) {
    const double below = std::pow(10, std::floor(std::log10(low)));
    Scale scale{below * (low >= 5 * below ? 5 : low >= 2 * below ? 2 : 1), nice_step(high), true};
    const double first = std::ceil(std::log10(scale.low) - 1e-9);
    const double last = std::floor(std::log10(scale.high) + 1e-9);
    if (last - first < 2) {  // powers of ten alone would be few
        for (double i = first - 1; i <= last; ++i) {
            for (const double factor : {1.0, 2.0, 5.0}) {
                const double tick = factor * std::pow(10, i);
                if (tick >= scale.low * (1 - 1e-9) && tick <= scale.high * (1 + 1e-9)) scale.ticks.push_back(tick);
            }
        }
        return scale;
    }
    for (double i = first; i <= last; i += std::max(1.0, nice_step((last - first) / 6)))
        scale.ticks.push_back(std::pow(10, i));
    return scale;
}

}  // namespace

double label_width(std::string_view text) { return text_width(text, label_size, 0.57); }

bool drawable(double value) { return std::abs(value) <= largest; }

std::string number(double value, int digits) {
    if (!drawable(value)) return "–";
    std::string text = fmt::format("{:.{}g}", value == 0 ? 0 : value, digits);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return text;
    if (text[exponent + 2] == '0') text.erase(exponent + 2, 1);
    if (text[exponent + 1] == '+') text.erase(exponent + 1, 1);
    return text;
}

double Scale::share(double value) const {
    const auto place = [&](double v) { return logarithmic ? std::log10(v) : v; };
    return (place(std::clamp(value, low, high)) - place(low)) / (place(high) - place(low));
}

void Scale::add_ticks(double step) {
    const double last = std::floor(high / step + 1e-9);
    for (double i = std::ceil(low / step - 1e-9); i <= last; ++i) ticks.push_back(i * step);
}

Scale linear_scale(double low, double high) {
    high = std::max(high, low + std::max(std::abs(low) * 1e-3, 1e-12));
    const double step = nice_step((high - low) / 5);
    Scale scale{std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
    scale.add_ticks(step);
    return scale;
}

Scale counting_scale(double first, double last) {
    if (last <= first) return {first - 1, first + 1, false, {first}};
    Scale scale{first, last};
    scale.add_ticks(std::max(1.0, nice_step((last - first) / 8)));
    return scale;
}

Scale scale_for(const std::vector<Line>& lines) {
    double low = largest;
    double high = -largest;
    double positive = largest;  // the least
    for (const Line& line : lines) {
        for (const Point& point : line.points) {
            if (!drawable(point.y)) continue;
            low = std::min(low, point.y);
            high = std::max(high, point.y);
            if (point.y >= 1 / largest) positive = std::min(positive, point.y);
        }
    }
    if (low > high || (low == 0 && high == 0)) return linear_scale(0, 1);
    if (low >= 0 && positive * 100 < high) return logarithmic_scale(positive, high);
    return linear_scale(low >= 0 && (low < high / 2 || high - low < high / 100) ? 0 : low, high);
}

Chart chart_at(double left, double top, double width, double headroom, std::string heading) {
    const double plot_top = top + heading_room + headroom;
    return {std::move(heading), "", "", left + tick_room, plot_top, left + width, plot_top + plot_height, headroom};
}

NameAxis::NameAxis(const std::vector<std::string>& names, double room)
    : pitch(room / static_cast<double>(std::max<std::size_t>(names.size(), 1))) {
    double widest = 0;
    for (const std::string& name : names)
        widest = std::max(widest, label_width(without_middle(name, longest_axis_name)));
    slanted = widest + 6 > std::max(pitch, 36.0);
    stride = static_cast<std::size_t>(std::max(1.0, nice_step((slanted ? 16 : widest + 6) / pitch)));
    drop = slanted ? widest * 0.71 + 26 : axis_room - 2;
}

Card::Card(double width, const std::string& title, const std::string& subtitle)
    : width_(width), label_(title + (title.empty() || subtitle.empty() ? "" : ". ") + subtitle) {
    if (!title.empty()) {
        add_text(margin, y_ + 14, fmt::format("font-size='{}' font-weight='600'", title_size),
                 without_middle(title, longest_title * static_cast<std::size_t>(width) / 1000));
        y_ += 22;
    }
    if (!subtitle.empty()) add_text(margin, y_ + 14, fmt::format("font-size='12' fill='{}'", faint_ink), subtitle);
    y_ += subtitle.empty() ? 0 : 36;
}

void Card::add_text(double x, double y, std::string_view attributes, std::string_view text) {
    add("<text x='{:.1f}' y='{:.1f}' {}>{}</text>\n", x, y, attributes, escaped(text));
}

void Card::add_turned_text(double x, double y, int angle, std::string_view text) {
    add("<text transform='translate({:.1f} {:.1f}) rotate({})'>{}</text>\n", x, y, angle, escaped(text));
}

void Card::add_heading(double x, double y, std::string_view text) {
    add_text(x, y, fmt::format("font-size='{}' font-weight='600'", heading_size), text);
}

void Card::add_ring(double x, double y) {
    add("<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='none' stroke='{}' stroke-width='1.6'/>\n", x, y, ink);
}

// To the right, as far as the room beside the y axis's title lets it.
void Card::add_legend(const Chart& chart) {
    const double room = chart.right - chart.left + tick_room - label_width(chart.y_title);
    const double each = room / static_cast<double>(std::max<std::size_t>(chart.lines.size(), 1)) - 2 * legend_gap;
    const auto longest = static_cast<std::size_t>(std::max(each / label_width("x"), 3.0));
    std::vector<std::pair<std::string, const char*>> entries;  // with the line's colour, if there is one
    for (const Line& line : chart.lines) {
        if (!line.name.empty()) entries.emplace_back(without_middle(line.name, longest), line.colour);
    }
    if (!chart.remark.empty()) entries.emplace_back(chart.remark, nullptr);
    const double y = chart.top - chart.headroom - 10;
    double x = chart.right + legend_gap;
    for (const auto& [text, colour] : entries) x -= label_width(text) + legend_gap;
    for (const auto& [text, colour] : entries) {
        if (colour != nullptr) {
            add("<path d='M{:.1f} {:.1f}h-16' stroke='{}' stroke-width='2.4'/>\n", x - 5, y - 4, colour);
            add_text(x, y, "", text);
        } else {
            if (chart.ring) add_ring(x - 9, y - 4);
            add_text(chart.ring ? x : chart.right, y,
                     fmt::format("fill='{}' text-anchor='{}'", faint_ink, chart.ring ? "start" : "end"), text);
        }
        x += label_width(text) + legend_gap;
    }
}

void Card::add_frame(const Chart& chart, double title_drop) {
    const double start = chart.left - tick_room;
    if (!chart.heading.empty()) add_heading(start, chart.top - chart.headroom - 31, chart.heading);
    add_legend(chart);
    add("<path stroke='{}' d='", grid_colour);
    for (const double tick : chart.y.ticks) add("M{:.1f} {:.1f}H{:.1f}", chart.left, chart.y_of(tick), chart.right);
    add("'/>\n<path stroke='{}' d='M{:.1f} {:.1f}H{:.1f}", line_colour, chart.left, chart.bottom, chart.right);
    for (const double tick : chart.x.ticks) add("M{:.1f} {:.1f}v4", chart.x_of(tick), chart.bottom);
    for (const auto& [place, name] : chart.starts) {
        if (place > chart.x.low) add("M{:.1f} {:.1f}V{:.1f}", chart.x_of(place), chart.top - 14, chart.bottom);
    }
    add("'/>\n<g fill='{}'>\n", faint_ink);
    add_text(start, chart.top - chart.headroom - 10, "", chart.y_title);
    add_text((chart.left + chart.right) / 2, chart.bottom + title_drop, "text-anchor='middle'", chart.x_title);
    for (const double tick : chart.y.ticks)
        add_text(chart.left - 7, chart.y_of(tick) + 4, "text-anchor='end'", number(tick));
    for (const double tick : chart.x.ticks) {
        const bool whole = tick >= 0 && tick == std::round(tick) && tick < 1e15;
        add_text(chart.x_of(tick), chart.bottom + 17, "text-anchor='middle'",
                 whole ? with_separators(static_cast<std::uint64_t>(tick)) : number(tick));
    }
    for (std::size_t i = 0; i < chart.starts.size(); ++i) {
        const auto& [place, name] = chart.starts[i];
        const double end = i + 1 < chart.starts.size() ? chart.starts[i + 1].first : chart.x.high;
        if (chart.x_of(end) - chart.x_of(place) >= label_width(name) + 6)
            add_text(chart.x_of(place) + 4, chart.top - 5, "", name);
    }
    add("</g>\n");
}

void Card::add_lines(const Chart& chart) {
    for (const Line& line : chart.lines) {
        const std::vector<Point> points = thinned(line.points);
        std::string path;
        std::string dots;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!drawable(points[i].y)) continue;
            const auto continues_at = [&](std::size_t other) {
                return other < points.size() && points[i].piece == points[other].piece && drawable(points[other].y);
            };
            const bool continued = i > 0 && continues_at(i - 1);
            const bool alone = !continued && !continues_at(i + 1);
            const double x = chart.x_of(points[i].x);
            const double y = chart.y_of(points[i].y);
            path += fmt::format("{}{:.1f} {:.1f}", continued ? 'L' : 'M', x, y);
            if (alone || points.size() <= marked_points)
                dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'/>", x, y, alone ? 3.0 : 2.2);
        }
        add("<path fill='none' stroke='{0}' stroke-width='{3}' stroke-linejoin='round' d='{1}'/>\n"
            "<g fill='{0}'>{2}</g>\n",
            line.colour, path, dots, points.size() < dense_points ? 1.8 : 1.0);
    }
    if (chart.ring) add_ring(chart.x_of(chart.ring->x), chart.y_of(chart.ring->y));
}

void Card::add_name(const Chart& chart, const NameAxis& axis, std::size_t index, const std::string& name) {
    if ((index + 1) % axis.stride != 0) return;
    const double x = chart.left + (static_cast<double>(index) + 0.5) * axis.pitch;
    const std::string label = without_middle(name, longest_axis_name);
    add("<g fill='{}' text-anchor='{}'>", faint_ink, axis.slanted ? "end" : "middle");
    axis.slanted ? add_turned_text(x + 4, chart.bottom + 12, -45, label) : add_text(x, chart.bottom + 17, "", label);
    add("</g>\n");
}

void Card::add_nothing(const Chart& chart, std::string_view why) {
    const double left = chart.left - tick_room;
    add_heading(left, chart.top - chart.headroom - 31, chart.heading);
    const double top = chart.top - chart.headroom - 20;
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='6' fill='{}'/>\n", left, top,
        chart.right - left, chart.bottom + axis_room - top, ground_colour);
    add_text((left + chart.right) / 2, (top + chart.bottom + axis_room) / 2 + 4,
             fmt::format("text-anchor='middle' fill='{}'", faint_ink), why);
}

std::string Card::svg() && {
    std::string drawn = std::exchange(out_, {});
    add_start(width_, y_, fmt::format(" aria-label='{}'", escaped(label_)),
              fmt::format("font-size='{}' fill='{}'", label_size, ink));
    add_ground(width_, y_, " rx='8'");
    out_ += drawn;
    add_end();
    return std::move(out_);
}

}  // namespace neumann::chart
