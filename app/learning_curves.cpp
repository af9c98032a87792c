#include "learning_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "atom_label.h"
#include "base/utf8.h"
#include "svg_text.h"
#include "table.h"

namespace neumann::app {
namespace {

// Lengths are in pixels at the picture's own size.
constexpr double margin = 24;
constexpr double card_width = 1000;
constexpr double small_card_width = 620;
constexpr double panel_gap = 40;
constexpr double plot_height = 170;
constexpr double tick_room = 48;     // left of a plot
constexpr double heading_room = 44;  // above it, for the heading and the legend
constexpr double axis_room = 34;     // below it, for labels and the axis's title
constexpr double start_room = 16;    // above it, where there are several starts
constexpr double title_size = 17;
constexpr double heading_size = 13;
constexpr double label_size = 11;
constexpr double code_size = 12.5;
constexpr double code_pitch = 19;
constexpr double code_indent = 24;  // of continued clauses
constexpr double widest_bar = 64;
constexpr double legend_gap = 34;
constexpr std::size_t longest_label = 16;     // in characters
constexpr std::size_t longest_title = 76;     // on a large card
constexpr std::size_t marked_points = 40;     // of a line; more marks would hide it
constexpr std::size_t dense_points = 500;     // of a line; from here on it is drawn thinly
constexpr std::size_t separated_starts = 60;  // with more, there would be more separators than lines
constexpr std::size_t tooltip_epochs = 400;   // with more, a column is narrower than a pixel
constexpr double largest = 1e30;              // greater numbers count as infinite, smaller inverses as 0

constexpr const char* ink = "#1f2328";
constexpr const char* faint_ink = "#59636e";
constexpr const char* grid_colour = "#e6e9ed";
constexpr const char* line_colour = "#b4bbc3";
constexpr const char* ground_colour = "#f6f8fa";
constexpr std::array<const char*, 4> colours = {"#2f6fc4", "#c8570c", "#3b978a", "#8657ad"};
constexpr const char* training_colour = colours[0];
constexpr const char* validation_colour = colours[1];
constexpr const char* search_colour = colours[2];

double label_width(std::string_view text) { return text_width(text, label_size, 0.57); }
double code_width(std::string_view text) { return text_width(text, code_size, 0.62, 1.24); }

// Broken at spaces if possible, else after commas, else anywhere. All lines but the first will be indented.
std::vector<std::string> wrapped(std::string_view text, double room) {
    std::vector<std::string> lines;
    while (code_width(text) > room) {
        std::size_t end = 0;  // of what fits
        double used = 0;
        for (std::size_t next = 0; next < text.size(); end = next) {
            const std::size_t begin = next;
            for (++next; next < text.size() && continues_character(text[next]);) ++next;
            used += code_width(text.substr(begin, next - begin));
            if (used > room && begin > 0) break;
        }
        std::size_t cut = text.substr(0, end).find_last_of(' ');
        if (cut == std::string_view::npos || cut < end / 3) cut = text.substr(0, end).find_last_of(',');
        cut = cut == std::string_view::npos || cut < end / 3 ? end : cut + 1;
        lines.emplace_back(text.substr(0, cut));
        text.remove_prefix(cut);
        if (lines.size() == 1) room -= code_indent;
    }
    lines.emplace_back(text);
    return lines;
}

bool drawable(double value) { return std::abs(value) <= largest; }  // false for NaN

std::string number(double value, int digits = 6) {
    if (!drawable(value)) return "–";
    std::string text = fmt::format("{:.{}g}", value == 0 ? 0 : value, digits);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return text;
    if (text[exponent + 2] == '0') text.erase(exponent + 2, 1);
    if (text[exponent + 1] == '+') text.erase(exponent + 1, 1);
    return text;
}

std::string accuracy_text(double value) {  // only 1 is written as 1
    return number(value < 1 ? std::min(value, 0.9999) : value, 4);
}

struct Scale {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::vector<double> ticks{};

    double share(double value) const {  // of the way from low to high
        const auto place = [&](double v) { return logarithmic ? std::log10(v) : v; };
        return (place(std::clamp(value, low, high)) - place(low)) / (place(high) - place(low));
    }
    void add_ticks(double step) {
        const double last = std::floor(high / step + 1e-9);
        for (double i = std::ceil(low / step - 1e-9); i <= last; ++i) ticks.push_back(i * step);
    }
};

// The least of …, 1, 2, 5, 10, 20, … that is not less.
double nice_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (least <= factor * power * (1 + 1e-9)) return factor * power;
    }
    return 10 * power;
}

// From tick to tick.
Scale linear_scale(double low, double high) {
    high = std::max(high, low + std::max(std::abs(low) * 1e-3, 1e-12));
    const double step = nice_step((high - low) / 5);
    Scale scale{std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
    scale.add_ticks(step);
    return scale;
}

// Of whole numbers, from the first to the last.
Scale counting_scale(double first, double last) {
    if (last <= first) return {first - 1, first + 1, false, {first}};
    Scale scale{first, last};
    scale.add_ticks(std::max(1.0, nice_step((last - first) / 8)));
    return scale;
}

// From the nearest 1, 2 or 5 times a power of ten to another.
Scale logarithmic_scale(double low, double high) {
    const double below = std::pow(10, std::floor(std::log10(low)));
    Scale scale{below * (low >= 5 * below ? 5 : low >= 2 * below ? 2 : 1), nice_step(high), true};
    const double first = std::ceil(std::log10(scale.low) - 1e-9);
    const double last = std::floor(std::log10(scale.high) + 1e-9);
    for (double i = first; i <= last; i += std::max(1.0, nice_step((last - first) / 6)))
        scale.ticks.push_back(std::pow(10, i));
    return scale;
}

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

// Logarithmic for more than two decades, else from 0 unless that would flatten the lines.
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

// The least and the greatest of some neighbours each, so that no peak is lost, and the two ends. What is not drawable
// leaves a gap only where nothing near it is drawable.
std::vector<Point> thinned(const std::vector<Point>& points) {
    if (points.size() <= LearningCurves::max_points) return points;
    std::vector<Point> out{points.front()};
    const std::size_t groups = LearningCurves::max_points / 2 - 1;
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

struct Chart {
    std::string heading, x_title, y_title;
    double left, top, right, bottom;  // of the plot
    double headroom;                  // above it, below the legend
    Scale x{}, y{};
    std::vector<Line> lines{};
    std::string remark{};                                  // at the end of the legend
    std::optional<Point> ring{};                           // what the remark is about
    std::vector<std::pair<double, std::string>> starts{};  // on the x axis, where they are set apart

    double x_of(double value) const { return left + x.share(value) * (right - left); }
    double y_of(double value) const { return bottom - y.share(value) * (bottom - top); }
};

Chart chart_at(double left, double top, double width, double headroom, std::string heading) {
    const double plot_top = top + heading_room + headroom;
    return {std::move(heading), "", "", left + tick_room, plot_top, left + width, plot_top + plot_height, headroom};
}

// A card being written, from top to bottom.
class Drawing {
public:
    Drawing(double width, const std::string& title, const std::string& subtitle);
    void add_rounds(const std::vector<LearningCurves::Round>& rounds);
    void add_epochs(const std::vector<LearningCurves::Epoch>& epochs);
    void add_program(const LearningCurves& curves);
    void add_times(const std::vector<TimePerRound::Search>& searches);
    void add_training(const TrainingCurves& curves);
    std::string svg() &&;

private:
    template <typename... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }
    void add_text(double x, double y, std::string_view attributes, std::string_view text) {
        add("<text x='{:.1f}' y='{:.1f}' {}>{}</text>\n", x, y, attributes, escaped(text));
    }
    void add_turned_text(double x, double y, int angle, std::string_view text) {
        add("<text transform='translate({:.1f} {:.1f}) rotate({})'>{}</text>\n", x, y, angle, escaped(text));
    }
    void add_heading(double x, double y, std::string_view text) {
        add_text(x, y, fmt::format("font-size='{}' font-weight='600'", heading_size), text);
    }
    void add_ring(double x, double y) {
        add("<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='none' stroke='{}' stroke-width='1.6'/>\n", x, y, ink);
    }
    void add_frame(const Chart& chart, double title_drop = axis_room - 2);
    void add_legend(const Chart& chart);
    void add_lines(const Chart& chart);
    void add_tooltips(const Chart& chart, const std::vector<LearningCurves::Epoch>& epochs);
    void add_nothing(const Chart& chart, std::string_view why);

    double width_;
    double y_ = margin;  // of what comes next
    std::string label_;
    std::string out_;
};

Drawing::Drawing(double width, const std::string& title, const std::string& subtitle)
    : width_(width), label_(title + (title.empty() || subtitle.empty() ? "" : ". ") + subtitle) {
    if (!title.empty()) {
        add_text(margin, y_ + 14, fmt::format("font-size='{}' font-weight='600'", title_size),
                 shortened(title, longest_title * static_cast<std::size_t>(width) / 1000));
        y_ += 22;
    }
    if (!subtitle.empty()) add_text(margin, y_ + 14, fmt::format("font-size='12' fill='{}'", faint_ink), subtitle);
    y_ += subtitle.empty() ? 0 : 36;
}

// To the right, as far as the room beside the y axis's title lets it.
void Drawing::add_legend(const Chart& chart) {
    const double room = chart.right - chart.left + tick_room - label_width(chart.y_title);
    const double each = room / static_cast<double>(std::max<std::size_t>(chart.lines.size(), 1)) - 2 * legend_gap;
    const auto longest = static_cast<std::size_t>(std::max(each / label_width("x"), 3.0));
    std::vector<std::pair<std::string, const char*>> entries;  // with the line's colour, if there is one
    for (const Line& line : chart.lines) {
        if (!line.name.empty()) entries.emplace_back(shortened(line.name, longest), line.colour);
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

void Drawing::add_frame(const Chart& chart, double title_drop) {
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
        add_text(chart.x_of(tick), chart.bottom + 17, "text-anchor='middle'",
                 with_separators(static_cast<std::uint64_t>(tick)));
    }
    for (std::size_t i = 0; i < chart.starts.size(); ++i) {
        const auto& [place, name] = chart.starts[i];
        const double end = i + 1 < chart.starts.size() ? chart.starts[i + 1].first : chart.x.high;
        if (chart.x_of(end) - chart.x_of(place) >= label_width(name) + 6)
            add_text(chart.x_of(place) + 4, chart.top - 5, "", name);
    }
    add("</g>\n");
}

void Drawing::add_lines(const Chart& chart) {
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

void Drawing::add_nothing(const Chart& chart, std::string_view why) {
    const double left = chart.left - tick_room;
    add_heading(left, chart.top - chart.headroom - 31, chart.heading);
    const double top = chart.top - chart.headroom - 20;
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='6' fill='{}'/>\n", left, top,
        chart.right - left, chart.bottom + axis_room - top, ground_colour);
    add_text((left + chart.right) / 2, (top + chart.bottom + axis_room) / 2 + 4,
             fmt::format("text-anchor='middle' fill='{}'", faint_ink), why);
}

void Drawing::add_rounds(const std::vector<LearningCurves::Round>& rounds) {
    double widest_label = 0;
    double widest_count = 0;
    double slowest = 0;
    for (const LearningCurves::Round& round : rounds) {
        widest_label = std::max(widest_label, label_width(shortened(round.label, longest_label)));
        widest_count = std::max(widest_count, label_width(with_separators(round.clauses)));
        if (drawable(round.seconds)) slowest = std::max(slowest, round.seconds);
    }
    const double pitch =
        (width_ - 2 * margin - tick_room) / static_cast<double>(std::max<std::size_t>(rounds.size(), 1));
    const bool words = widest_count + label_width(" clauses") + 8 <= pitch;
    const bool upright = widest_count + 4 > pitch;
    const bool counts = !upright || pitch >= label_size + 1;  // there is room for them
    const bool slanted = widest_label + 6 > std::max(pitch, 36.0);
    const auto stride = static_cast<std::size_t>(std::max(1.0, nice_step((slanted ? 16 : widest_label + 6) / pitch)));
    const double drop = slanted ? widest_label * 0.71 + 26 : axis_room - 2;

    Chart chart = chart_at(margin, y_, width_ - 2 * margin, counts && upright ? widest_count + 2 : 10, "Search");
    y_ = chart.bottom + drop + margin;
    if (rounds.empty()) return add_nothing(chart, "no rounds: nothing was searched");
    chart.x_title = "round";
    chart.y_title = "seconds per round";
    chart.y = linear_scale(0, slowest > 0 ? slowest : 1);
    chart.remark = words    ? ""
                   : counts ? "at the bars: the number of clauses scored"
                            : "point at a bar for the number of clauses scored";
    add_frame(chart, drop);
    const double bar = std::min(pitch * 0.7, widest_bar);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const LearningCurves::Round& round = rounds[i];
        const double x = chart.left + (static_cast<double>(i) + 0.5) * pitch;
        const double top = chart.y_of(drawable(round.seconds) ? round.seconds : 0);
        add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}'>", x - bar / 2, top, bar,
            chart.bottom - top, search_colour);
        add("<title>round {}: {} in {} s, best score {}, loss {}</title></rect>\n", escaped(round.label),
            counted(round.clauses, "clause"), number(round.seconds, 4), number(round.best_score, 4),
            number(round.loss, 4));
        const std::string count = words ? counted(round.clauses, "clause") : with_separators(round.clauses);
        if (counts && upright) add_turned_text(x + 4, top - 4, -90, count);
        if (counts && !upright) add_text(x, top - 5, "text-anchor='middle'", count);
        if ((i + 1) % stride != 0) continue;
        const std::string label = shortened(round.label, longest_label);
        add("<g fill='{}' text-anchor='{}'>", faint_ink, slanted ? "end" : "middle");
        slanted ? add_turned_text(x + 4, chart.bottom + 12, -45, label) : add_text(x, chart.bottom + 17, "", label);
        add("</g>\n");
    }
}

void Drawing::add_epochs(const std::vector<LearningCurves::Epoch>& epochs) {
    Line training{"training", training_colour};
    Line validation{"validation", validation_colour};
    Line accuracy{"", validation_colour};
    std::vector<std::pair<double, std::string>> starts;
    double before = 0;  // epochs of the starts before this one
    std::size_t best = 0;
    double worst_accuracy = 0.9;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const LearningCurves::Epoch& epoch = epochs[i];
        if (i == 0 || epoch.start != epochs[i - 1].start || epoch.epoch <= epochs[i - 1].epoch) {
            if (i > 0) before += epochs[i - 1].epoch;
            starts.emplace_back(before + 0.5, fmt::format("start {}", epoch.start + 1));
        }
        const double x = before + epoch.epoch;
        training.points.push_back({x, epoch.train_loss, starts.size()});
        validation.points.push_back({x, epoch.validation_loss, starts.size()});
        accuracy.points.push_back({x, epoch.validation_accuracy, starts.size()});
        if (!(epochs[best].validation_loss <= epoch.validation_loss) && drawable(epoch.validation_loss)) best = i;
        if (drawable(epoch.validation_accuracy)) worst_accuracy = std::min(worst_accuracy, epoch.validation_accuracy);
    }
    const bool several = starts.size() > 1;
    const double width = (width_ - 2 * margin - panel_gap) / 2;
    const double headroom = several ? start_room : 4;
    Chart losses = chart_at(margin, y_, width, headroom, "Weights: loss");
    Chart accuracies = chart_at(margin + width + panel_gap, y_, width, headroom, "Weights: accuracy on validation");
    y_ = losses.bottom + axis_room + margin;
    for (Chart* chart : {&losses, &accuracies}) {
        if (epochs.empty()) {
            add_nothing(*chart, "no epochs: no weights were learned");
            continue;
        }
        const bool loss = chart == &losses;
        chart->lines = loss ? std::vector{training, validation} : std::vector{accuracy};
        chart->x = counting_scale(training.points.front().x, training.points.back().x);
        chart->y = loss ? scale_for(chart->lines) : linear_scale(std::max(worst_accuracy, 0.0), 1);
        chart->x_title = several ? "epoch, one start after the other" : "epoch";
        chart->y_title = !loss ? "accuracy" : chart->y.logarithmic ? "loss (log scale)" : "loss";
        if (several && starts.size() <= separated_starts) chart->starts = starts;
        const Point point = chart->lines.back().points[best];
        if (drawable(point.y) && drawable(epochs[best].validation_loss)) {
            chart->ring = point;
            chart->remark =
                loss ? "least: " + number(point.y, 4) : "where the loss is least: " + accuracy_text(point.y);
        }
        add_frame(*chart);
        add_lines(*chart);
        if (epochs.size() <= tooltip_epochs) add_tooltips(*chart, epochs);
    }
}

// For all of a column, from half-way to the epoch before to half-way to the next.
void Drawing::add_tooltips(const Chart& chart, const std::vector<LearningCurves::Epoch>& epochs) {
    const std::vector<Point>& points = chart.lines.front().points;
    add("<g fill='none' pointer-events='all'>\n");
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const double left = i == 0 ? chart.left : chart.x_of((points[i - 1].x + points[i].x) / 2);
        const double right = i + 1 == epochs.size() ? chart.right : chart.x_of((points[i].x + points[i + 1].x) / 2);
        add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}'><title>", left, chart.top, right - left,
            plot_height);
        add("{}epoch {}: loss {} on training, {} on validation; accuracy {}</title></rect>\n",
            chart.starts.empty() ? "" : fmt::format("start {}, ", epochs[i].start + 1), epochs[i].epoch,
            number(epochs[i].train_loss, 4), number(epochs[i].validation_loss, 4),
            accuracy_text(epochs[i].validation_accuracy));
    }
    add("</g>\n");
}

void Drawing::add_program(const LearningCurves& curves) {
    add_heading(margin, y_ + 13, "Learned program");
    std::string accuracies;
    for (const auto& [value, name] :
         {std::pair(curves.train_accuracy, "training"), std::pair(curves.validation_accuracy, "validation"),
          std::pair(curves.test_accuracy, "test")}) {
        if (!value || !drawable(*value)) continue;
        accuracies += fmt::format("{}{} on {}", accuracies.empty() ? "accuracy " : ", ", accuracy_text(*value), name);
    }
    add_text(width_ - margin, y_ + 13, fmt::format("text-anchor='end' fill='{}'", faint_ink), accuracies);
    std::vector<std::pair<double, std::string>> lines;  // with their indentation
    for (const std::string& clause : curves.program) {
        for (double indent = 0; std::string & line : wrapped(clause, width_ - 2 * margin - 28)) {
            lines.emplace_back(indent, std::move(line));
            indent = code_indent;
        }
    }
    if (lines.empty()) lines.emplace_back(0, "% no clauses");
    if (lines.size() > LearningCurves::max_lines) {
        const std::size_t more = lines.size() - LearningCurves::max_lines + 1;
        lines.resize(LearningCurves::max_lines - 1);
        lines.emplace_back(0, fmt::format("% … {} left out", counted(more, "line")));
    }
    const double height = code_pitch * static_cast<double>(lines.size()) + 18;
    add("<rect x='{}' y='{:.1f}' width='{}' height='{:.1f}' rx='6' fill='{}'/>\n", margin, y_ + 24, width_ - 2 * margin,
        height, ground_colour);
    add("<g font-family='ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace' font-size='{}'>\n",
        code_size);
    double y = y_ + 27;
    for (const auto& [indent, line] : lines)
        add_text(margin + 14 + indent, y += code_pitch, "xml:space='preserve'", line);
    add("</g>\n");
    y_ += 24 + height + margin;
}

void Drawing::add_times(const std::vector<TimePerRound::Search>& searches) {
    Chart chart = chart_at(margin, y_ - 20, width_ - 2 * margin, 4, "");
    std::size_t rounds = 0;
    for (std::size_t i = 0; i < searches.size(); ++i) {
        Line& line = chart.lines.emplace_back(Line{searches[i].name, colours.at(i)});
        for (const double seconds : searches[i].seconds)
            line.points.push_back({static_cast<double>(line.points.size() + 1), seconds, 0});
        rounds = std::max(rounds, line.points.size());
    }
    y_ = chart.bottom + axis_room + margin;
    if (rounds == 0) return add_nothing(chart, "no rounds: nothing was searched");
    chart.x = counting_scale(1, static_cast<double>(rounds));
    chart.y = scale_for(chart.lines);
    chart.x_title = "round";
    chart.y_title = chart.y.logarithmic ? "seconds (log scale)" : "seconds";
    add_frame(chart);
    add_lines(chart);
}

void Drawing::add_training(const TrainingCurves& curves) {
    const double width = (width_ - 2 * margin - panel_gap) / 2;
    Chart losses = chart_at(margin, y_, width, 4, "Loss on training pictures");
    Chart accuracies = chart_at(margin + width + panel_gap, y_, width, 4, "Accuracy on validation pictures");
    y_ = losses.bottom + axis_room + margin;
    for (const auto& [chart, lines] :
         {std::pair(&losses, &curves.losses), std::pair(&accuracies, &curves.accuracies)}) {
        double last = 0;
        double least = 1;
        for (std::size_t k = 0; k < lines->size(); ++k) {
            Line& line = chart->lines.emplace_back(Line{lines->size() > 1 ? (*lines)[k].name : "", colours.at(k)});
            for (const auto& [step, value] : (*lines)[k].points) {
                line.points.push_back({step, value, 0});
                last = std::max(last, step);
                if (drawable(value)) least = std::min(least, value);
            }
        }
        if (last == 0) {
            add_nothing(*chart, "nothing was measured");
            continue;
        }
        const bool loss = chart == &losses;
        chart->x = counting_scale(0, last);
        chart->y = loss ? scale_for(chart->lines) : linear_scale(std::min(std::max(least, 0.0), 0.9), 1);
        chart->x_title = "step";
        chart->y_title = !loss && lines->size() == 1 ? lines->front().name
                         : !loss                     ? "share"
                         : chart->y.logarithmic      ? "loss (log scale)"
                                                     : "loss";
        add_frame(*chart);
        add_lines(*chart);
    }
}

std::string Drawing::svg() && {
    // White also on dark pages, where the colours of lines and text would be too dark.
    return fmt::format("<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1:.0f}' viewBox='0 0 {0} {1:.0f}' "
                       "role='img' aria-label='{2}'\n font-family='Helvetica, Arial, sans-serif' font-size='{3}' "
                       "fill='{4}'>\n<rect width='{0}' height='{1:.0f}' rx='8' fill='#fff'/>\n{5}</svg>\n",
                       width_, y_, escaped(label_), label_size, ink, out_);
}

std::string summary_of(const LearningCurves& curves) {
    std::uint64_t clauses = 0;
    double seconds = 0;
    for (const LearningCurves::Round& round : curves.rounds) {
        clauses += round.clauses;
        if (drawable(round.seconds)) seconds += round.seconds;
    }
    return fmt::format("{} of search, {} scored in {} s; {} of learning weights",
                       counted(curves.rounds.size(), "round"), counted(clauses, "clause"), number(seconds, 3),
                       counted(curves.epochs.size(), "epoch"));
}

}  // namespace

std::string draw_learning_curves(const LearningCurves& curves) {
    Drawing drawing(card_width, curves.title, summary_of(curves));
    drawing.add_rounds(curves.rounds);
    drawing.add_epochs(curves.epochs);
    drawing.add_program(curves);
    return std::move(drawing).svg();
}

std::string draw_training_curves(const TrainingCurves& curves) {
    for (const auto* lines : {&curves.losses, &curves.accuracies})
        if (lines->size() > colours.size())
            throw std::invalid_argument(
                fmt::format("training curves: {} lines for {} colours", lines->size(), colours.size()));
    Drawing drawing(card_width, curves.title, curves.summary);
    drawing.add_training(curves);
    return std::move(drawing).svg();
}

std::string draw_time_per_round(const TimePerRound& times) {
    if (times.searches.size() > colours.size()) {
        throw std::invalid_argument(
            fmt::format("time per round: {} searches for {} colours", times.searches.size(), colours.size()));
    }
    Drawing drawing(small_card_width, times.title, "");
    drawing.add_times(times.searches);
    return std::move(drawing).svg();
}

}  // namespace neumann::app
