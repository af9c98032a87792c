#!/usr/bin/env python3
"""Draws the plots of an experiment with matplotlib: lines with bands, and bars, as SVG.

    draw_plots.py FOLDER < PLOTS

PLOTS is a JSON list as runner/series.py makes it. The same data and the same version of matplotlib give the same bytes.
"""
import json
import math
import os
import sys
import textwrap

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

INK, FAINT, GRID = "#1f2328", "#59636e", "#e6e9ed"
COLOURS = ("#2f6fc4", "#c8570c", "#3b978a", "#8657ad", "#b8860b", "#c2437a", "#5f6b76", "#6b8e23")
STYLE = {
    "svg.hashsalt": "neumann", "svg.fonttype": "none",  # names of parts that stay the same, text that stays text
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"], "font.size": 8.5,
    "text.color": INK, "axes.labelcolor": FAINT, "xtick.color": FAINT, "ytick.color": FAINT, "axes.edgecolor": "#b4bbc3",
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True, "axes.grid": True, "axes.grid.axis": "y",
    "grid.color": GRID, "legend.frameon": False, "legend.handlelength": 1.6, "axes.unicode_minus": False,
}
WIDTH, PLOT_HEIGHT, ROW_HEIGHT = 6.5, 3.1, 0.2  # inches
MARKED_POINTS = 40  # of a line; more marks would hide it
TITLE_CHARACTERS, LEGEND_CHARACTERS = 72, 88  # that fit beside each other
LONGEST_NAME = 16  # characters of a bar's name


def number_text(value, _=None):
    """100,000 and 1e6."""
    if value == round(value) and 1 <= abs(value) < 1e6:
        return f"{value:,.0f}"
    return f"{value:.6g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def round_ticks(most, integer=False):
    return MaxNLocator(most, steps=(1, 2, 5, 10), integer=integer)


def colour_of(number):
    return COLOURS[number % len(COLOURS)]


def powers_between(low, high):
    return math.floor(math.log10(high)) - math.ceil(math.log10(low)) + 1


def use_logarithmic(axis, set_scale, low, high):
    """Powers of ten, and 2 and 5 times them where those alone would be few."""
    set_scale("log")
    axis.set_major_locator(LogLocator(subs=(1,) if powers_between(low, high) > 2 else (1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(number_text))


def drawn_points(plot):
    """Those that can be drawn: on a logarithmic scale only what is positive."""
    return [point for series in plot["series"] for point in series["points"] if is_drawn(point, plot)]


def is_drawn(point, plot):
    return point[1] is not None and (point[1] > 0 or not plot["log_y"])


def set_y_range(axes, plot):
    """Room for the bands, too; from 0 unless that would flatten the lines, and logarithmic only if that is wanted."""
    points = drawn_points(plot)
    low = min(mean - below for _, mean, below, _ in points)
    high = max(mean + above for _, mean, _, above in points)
    axes.yaxis.set_major_formatter(FuncFormatter(number_text))
    axes.yaxis.set_major_locator(round_ticks(6))
    if plot["log_y"]:
        least = min(point[1] for point in points)
        most = max(high, least * 10)
        use_logarithmic(axes.yaxis, axes.set_yscale, least, most)
        axes.set_ylim(10 ** math.floor(math.log10(least)) if plot["bars"] else least / 1.3, most * 1.3)
    elif plot["bars"]:
        axes.set_ylim(min(low, 0) * 1.05, max(high, 0) * 1.05 if high > 0 or low < 0 else 1)
    elif low >= 0 and (low < high / 2 or high - low < high / 100):
        axes.set_ylim(0, high * 1.05 if high > 0 else 1)


def set_x_range(axes, plot):
    places = [point[0] for series in plot["series"] for point in series["points"]]
    axes.xaxis.set_major_formatter(FuncFormatter(number_text))
    if min(places) == max(places):
        axes.set_xticks(places[:1])
    elif plot["log_x"]:
        use_logarithmic(axes.xaxis, axes.set_xscale, min(places), max(places))
    else:
        axes.xaxis.set_major_locator(round_ticks(10, all(place == round(place) for place in places)))


def draw_lines(axes, plot):
    for number, series in enumerate(plot["series"]):
        colour = colour_of(number)
        xs = [point[0] for point in series["points"]]
        means = [math.nan if mean is None else mean for _, mean, _, _ in series["points"]]
        if any(below + above > 0 for _, _, below, above in series["points"]):
            lower = [mean - point[2] for mean, point in zip(means, series["points"])]
            upper = [mean + point[3] for mean, point in zip(means, series["points"])]
            axes.fill_between(xs, lower, upper, color=colour, alpha=0.16, linewidth=0)
        line, = axes.plot(xs, means, color=colour, linewidth=1.8, markersize=3.5, clip_on=False,
                          marker="o" if len(xs) <= MARKED_POINTS else None)
        line.set_in_layout(False)  # its gaps would be laid out as points at 0
    set_x_range(axes, plot)
    set_y_range(axes, plot)


def draw_bars(axes, plot):
    set_y_range(axes, plot)
    ground = axes.get_ylim()[0] if plot["log_y"] else 0
    names = list(dict.fromkeys(point[0] for series in plot["series"] for point in series["points"]))
    width = 0.8 / len(plot["series"])
    for number, series in enumerate(plot["series"]):
        points = [point for point in series["points"] if is_drawn(point, plot)]
        places = [names.index(point[0]) + (number + 0.5) * width - 0.4 for point in points]
        axes.bar(places, [point[1] - ground for point in points], width * 0.94, ground, color=colour_of(number))
        spread = [(place, point) for place, point in zip(places, points) if point[2] + point[3] > 0]
        if spread:
            axes.errorbar([place for place, _ in spread], [point[1] for _, point in spread], fmt="none", ecolor=INK,
                          elinewidth=1.2, yerr=[[point[i] for _, point in spread] for i in (2, 3)])
    short = [name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "…" for name in names]
    slanted = sum(map(len, short)) > LEGEND_CHARACTERS or len(names) > 12
    axes.set_xticks(range(len(names)), short, rotation=35 if slanted else 0, ha="right" if slanted else "center")
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.tick_params(axis="x", length=0)


def legend_columns(plot):
    longest = max((len(series["title"]) for series in plot["series"]), default=0)
    return max(1, min(len(plot["series"]), LEGEND_CHARACTERS // (longest + 6)))


def add_legend(axes, plot):
    """Of all series, also those without a point."""
    handles = [Line2D([], [], color=colour_of(number), linewidth=4 if plot["bars"] else 1.8, label=series["title"])
               for number, series in enumerate(plot["series"])]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=legend_columns(plot),
                borderaxespad=0.2)


def draw(plot):
    rows = math.ceil(len(plot["series"]) / legend_columns(plot))
    title = textwrap.wrap(plot["title"], TITLE_CHARACTERS) + ["quick run: the numbers mean nothing"] * plot["quick"]
    figure = Figure(figsize=(WIDTH, PLOT_HEIGHT + ROW_HEIGHT * (rows + len(title))), layout="constrained")
    figure.suptitle("\n".join(title), x=0.012, ha="left", fontsize=11, fontweight="bold")
    axes = figure.add_subplot()
    axes.set_xlabel(plot["x_title"])
    axes.set_ylabel(f"{plot['y_title']} (log scale)".strip() if plot["log_y"] else plot["y_title"])
    if drawn_points(plot):
        (draw_bars if plot["bars"] else draw_lines)(axes, plot)
        if not plot["bars"] or len(plot["series"]) > 1:
            add_legend(axes, plot)
    else:
        axes.text(0.5, 0.5, "nothing has run", ha="center", color=FAINT, transform=axes.transAxes)
        axes.set_xticks([])
        axes.set_yticks([])
    return figure


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with matplotlib.rc_context(STYLE):
        for plot in json.load(sys.stdin):
            path = os.path.join(sys.argv[1], plot["file"])
            draw(plot).savefig(f"{path}.tmp", format="svg", metadata={"Date": None, "Creator": None, "Title": plot["title"]})
            os.replace(f"{path}.tmp", path)


if __name__ == "__main__":
    main()
