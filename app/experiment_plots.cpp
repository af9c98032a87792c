#include "experiment_plots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "draw/chart.h"
#include "draw/svg_text.h"
#include "experiment_numbers.h"

namespace neumann::app {
namespace {

using namespace chart;

constexpr double tall_plot_height = 260;

// What one series came to: numbers over a text (of bars) or a number (of lines), one from each run.
struct Series {
    std::string title;
    const char* colour = "";
    bool band = false;
    std::vector<std::pair<Json, std::vector<double>>> points;  // by x, in the order in which they came

    void add(const Json& x, const Json& y) {
        if (!y.is_number()) return;
        auto found = std::ranges::find_if(points, [&](const auto& one) { return one.first == x; });
        if (found == points.end()) found = points.emplace(found, x, std::vector<double>());
        found->second.push_back(y.get<double>());
    }
    // The mean, with a band of one deviation, but no further than the runs themselves go: no accuracy above 1.
    Point point(double x, const std::vector<double>& ys) const {
        const Spread both = spread(ys);
        Point result{x, both.mean};
        if (!band || ys.size() < 2) return result;
        const auto [least, most] = std::ranges::minmax(ys);
        result.below = std::min(both.deviation, both.mean - least);
        result.above = std::min(both.deviation, most - both.mean);
        return result;
    }
};

// A number or a list of them, as a list.
std::vector<Json> as_list(const Json& value) {
    std::vector<Json> list;
    if (value.is_array()) {
        list.assign(value.begin(), value.end());
    } else if (!value.is_null()) {
        list.push_back(value);
    }
    return list;
}

void add_run(Series& series, const SeriesDeclaration& declared, const StepRecord& record) {
    const std::vector<Json> ys = as_list(record.values.value(declared.lookup.value, Json()));
    const Json* variable = binding(record.bindings, declared.x);
    const std::vector<Json> xs = as_list(record.values.value(declared.x, Json()));
    for (std::size_t i = 0; i < ys.size(); ++i) {
        if (declared.x == "index") {
            series.add(i + 1, ys[i]);
        } else if (variable != nullptr) {
            series.add(*variable, ys[i]);
        } else if (i < xs.size() && !xs[i].is_null()) {
            series.add(xs[i], ys[i]);
        }
    }
}

std::vector<Series> collect(const PlotDeclaration& plot, const ExperimentResults& results,
                            const Placeholders& placeholders) {
    std::vector<Series> all;
    for (const SeriesDeclaration& declared : plot.series) {
        for (const Bindings& bindings : combinations(declared.loops)) {
            Series series{
                placeholders.fill(declared.title, bindings), colours[all.size() % colours.size()], declared.band, {}};
            for (const Json& pair : declared.published) series.add(pair[0], pair[1]);
            if (declared.published.empty())
                for (const StepRecord* record : results.matching(declared.lookup, bindings))
                    add_run(series, declared, *record);
            all.push_back(std::move(series));
        }
    }
    return all;
}

class PlotCard : public Card {
public:
    PlotCard(const PlotDeclaration& plot, bool quick)
        : Card(small_card_width, plot.title, quick ? "quick run: the numbers mean nothing" : ""), plot_(plot) {}
    void add_line_plot(const std::vector<Series>& all);
    void add_bar_plot(const std::vector<Series>& all);

private:
    Chart begin_chart() {
        y_ += 8;
        Chart chart = chart_at(margin, y_ - 20, width_ - 2 * margin, 4, "");
        chart.bottom = chart.top + tall_plot_height;
        chart.x_title = plot_.x_title;
        chart.y_title = plot_.y_title;
        return chart;
    }
    Scale y_scale(const std::vector<Line>& lines) const;

    const PlotDeclaration& plot_;
};

// Room for the bands, too, and a logarithmic one only if that is wanted.
Scale PlotCard::y_scale(const std::vector<Line>& lines) const {
    double low = INFINITY, high = -INFINITY, positive = INFINITY;
    for (const Line& line : lines) {
        for (const Point& point : line.points) {
            if (!drawable(point.y)) continue;
            low = std::min(low, point.y - point.below);
            high = std::max(high, point.y + point.above);
            if (point.y > 0) positive = std::min(positive, point.y);
        }
    }
    if (!(low <= high)) return linear_scale(0, 1);
    if (plot_.log_y && drawable(positive)) return logarithmic_scale(positive, std::max(high, positive * 10));
    if (plot_.bars) return linear_scale(std::min(low, 0.0), high > 0 || low < 0 ? std::max(high, 0.0) : 1);
    return linear_scale(low >= 0 && (low < high / 2 || high - low < high / 100) ? 0 : low, high);
}

void PlotCard::add_line_plot(const std::vector<Series>& all) {
    std::vector<Line> lines;
    double first = INFINITY, last = -INFINITY;
    for (const Series& series : all) {
        Line& line = lines.emplace_back(Line{series.title, series.colour});
        for (const auto& [x, ys] : series.points) {
            const double place = x.is_number() ? x.get<double>() : NAN;
            if (!drawable(place) || (plot_.log_x && place <= 0)) continue;
            Point point = series.point(place, ys);
            if (!drawable(point.y) || (plot_.log_y && point.y <= 0)) point.y = NAN;
            line.points.push_back(point);
            first = std::min(first, place);
            last = std::max(last, place);
        }
        std::ranges::sort(line.points, {}, &Point::x);
    }
    add_legend_rows(lines);
    Chart chart = begin_chart();
    y_ = chart.bottom + axis_room + margin;
    if (!(first <= last)) return add_nothing(chart, "nothing has run");
    const bool counted = !plot_.log_x && first == std::round(first) && last == std::round(last);
    chart.x = plot_.log_x ? logarithmic_scale(first, std::max(last, first * 2))
              : counted   ? counting_scale(first, last)
                          : linear_scale(first, last);
    chart.y = y_scale(lines);
    if (chart.y.logarithmic) chart.y_title += " (log scale)";
    chart.lines = std::move(lines);
    for (Line& line : chart.lines) line.name.clear();  // they have a legend
    add_frame(chart);
    add_lines(chart);
}

void PlotCard::add_bar_plot(const std::vector<Series>& all) {
    std::vector<std::string> names;
    std::vector<Line> lines;  // for the legend and the scale
    for (const Series& series : all) {
        Line& line = lines.emplace_back(Line{series.title, series.colour});
        for (const auto& [x, ys] : series.points) {
            const std::string name = plain_text(x);
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
            line.points.push_back(series.point(0, ys));
        }
    }
    if (all.size() > 1) add_legend_rows(lines);
    Chart chart = begin_chart();
    const NameAxis axis(names, chart.right - chart.left);
    y_ = chart.bottom + axis.drop + margin;
    if (names.empty()) return add_nothing(chart, "nothing has run");
    chart.y = y_scale(lines);
    if (chart.y.logarithmic) chart.y_title += " (log scale)";
    chart.x.ticks.clear();
    add_frame(chart, axis.drop);
    const double bar = std::min(axis.pitch * 0.8 / static_cast<double>(all.size()), widest_bar);
    const double ground = chart.y_of(chart.y.logarithmic ? chart.y.low : 0);
    for (std::size_t i = 0; i < names.size(); ++i) {
        add_name(chart, axis, i, names[i]);
        const double middle = chart.left + (static_cast<double>(i) + 0.5) * axis.pitch;
        for (std::size_t s = 0; s < all.size(); ++s) {
            const double x = middle + bar * (static_cast<double>(s) - static_cast<double>(all.size()) / 2);
            for (std::size_t k = 0; k < all[s].points.size(); ++k) {
                const Point& point = lines[s].points[k];
                if (plain_text(all[s].points[k].first) != names[i] || !drawable(point.y)) continue;
                if (chart.y.logarithmic && point.y <= 0) continue;
                const double y = chart.y_of(point.y);
                add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}'><title>{}, {}: {}</title>"
                    "</rect>\n",
                    x + 0.5, std::min(y, ground), std::max(bar - 1, 0.5), std::abs(ground - y), all[s].colour,
                    escaped(all[s].title), escaped(names[i]), number(point.y, 4));
                if (point.below + point.above > 0) {
                    add("<path stroke='{}' stroke-width='1.2' d='M{:.1f} {:.1f}V{:.1f}'/>\n", ink, x + bar / 2,
                        chart.y_of(point.y - point.below), chart.y_of(point.y + point.above));
                }
            }
        }
    }
}

}  // namespace

std::string draw_plot(const PlotDeclaration& plot, const ExperimentResults& results, const Placeholders& placeholders,
                      bool quick) {
    const std::vector<Series> all = collect(plot, results, placeholders);
    PlotCard card(plot, quick);
    plot.bars ? card.add_bar_plot(all) : card.add_line_plot(all);
    return std::move(card).svg();
}

}  // namespace neumann::app
