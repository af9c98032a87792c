#include "draw/learning_curves.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <neumann/text.h>

#include "base/utf8.h"
#include "draw/atom_label.h"
#include "draw/chart.h"
#include "draw/svg_text.h"

namespace neumann {
namespace {

using namespace chart;

constexpr double start_room = 16;  // above a plot, where there are several starts
constexpr double code_size = 12.5;
constexpr double code_pitch = 19;
constexpr double code_indent = 24;            // of continued clauses
constexpr std::size_t most_lines = 4;         // of one chart
constexpr std::size_t separated_starts = 60;  // with more, there would be more separators than lines
constexpr std::size_t tooltip_epochs = 400;   // with more, a column is narrower than a pixel

constexpr const char* training_colour = colours[0];
constexpr const char* validation_colour = colours[1];
constexpr const char* search_colour = colours[2];

double code_width(std::string_view text) { return text_width(text, code_size, 0.62, 1.24); }

// Broken at spaces if possible, else after commas, else anywhere. All lines but the first will be indented.
std::vector<std::string> drawn_lines(std::string_view text, double room) {
    std::vector<std::string> lines;
    while (code_width(text) > room) {
        std::size_t end = 0;  // of the text that fits
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

std::string accuracy_text(double value) {  // only 1 is written as 1
    return number(value < 1 ? std::min(value, 0.9999) : value, 4);
}

class CurveDrawing : public Card {
public:
    using Card::Card;
    void add_rounds(const std::vector<LearningCurves::Round>& rounds);
    void add_epochs(const std::vector<LearningCurves::Epoch>& epochs);
    void add_program(const LearningCurves& curves);
    void add_times(const std::vector<TimePerRound::Search>& searches);
    void add_training(const TrainingCurves& curves);

private:
    void add_tooltips(const Chart& chart, const std::vector<LearningCurves::Epoch>& epochs);
};

void CurveDrawing::add_rounds(const std::vector<LearningCurves::Round>& rounds) {
    std::vector<std::string> labels;
    double widest_count = 0;
    double slowest = 0;
    for (const LearningCurves::Round& round : rounds) {
        labels.push_back(round.label);
        widest_count = std::max(widest_count, label_width(with_separators(round.clauses)));
        if (drawable(round.seconds)) slowest = std::max(slowest, round.seconds);
    }
    const NameAxis axis(labels, width_ - 2 * margin - tick_room);
    const double pitch = axis.pitch;
    const bool words = widest_count + label_width(" clauses") + 8 <= pitch;
    const bool upright = widest_count + 4 > pitch;
    const bool counts = !upright || pitch >= label_size + 1;  // there is room for them

    Chart chart = chart_at(margin, y_, width_ - 2 * margin, counts && upright ? widest_count + 2 : 10, "Search");
    y_ = chart.bottom + axis.drop + margin;
    if (rounds.empty()) return add_nothing(chart, "no rounds: nothing was searched");
    chart.x_title = "round";
    chart.y_title = "seconds per round";
    chart.y = linear_scale(0, slowest > 0 ? slowest : 1);
    chart.remark = words    ? ""
                   : counts ? "at the bars: the number of clauses scored"
                            : "point at a bar for the number of clauses scored";
    add_frame(chart, axis.drop);
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
        add_name(chart, axis, i, round.label);
    }
}

void CurveDrawing::add_epochs(const std::vector<LearningCurves::Epoch>& epochs) {
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
void CurveDrawing::add_tooltips(const Chart& chart, const std::vector<LearningCurves::Epoch>& epochs) {
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

void CurveDrawing::add_program(const LearningCurves& curves) {
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
        for (double indent = 0; std::string & line : drawn_lines(clause, width_ - 2 * margin - 28)) {
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

void CurveDrawing::add_times(const std::vector<TimePerRound::Search>& searches) {
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

void CurveDrawing::add_training(const TrainingCurves& curves) {
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
    CurveDrawing drawing(card_width, curves.title, summary_of(curves));
    drawing.add_rounds(curves.rounds);
    drawing.add_epochs(curves.epochs);
    drawing.add_program(curves);
    return std::move(drawing).svg();
}

std::string draw_training_curves(const TrainingCurves& curves) {
    for (const auto* lines : {&curves.losses, &curves.accuracies})
        if (lines->size() > most_lines)
            throw std::invalid_argument(
                fmt::format("training curves: {} lines for {} colours", lines->size(), most_lines));
    CurveDrawing drawing(card_width, curves.title, curves.summary);
    drawing.add_training(curves);
    return std::move(drawing).svg();
}

std::string draw_time_per_round(const TimePerRound& times) {
    if (times.searches.size() > most_lines) {
        throw std::invalid_argument(
            fmt::format("time per round: {} searches for {} colours", times.searches.size(), most_lines));
    }
    CurveDrawing drawing(small_card_width, times.title, "");
    drawing.add_times(times.searches);
    return std::move(drawing).svg();
}

}  // namespace neumann
