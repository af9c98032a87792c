"""The points of an experiment's plots, as plain data."""
from .checked_json import is_number
from .formats import spread
from .placeholders import plain_text
from .spec import combinations

LARGEST = 1e30  # greater numbers count as infinite


def plot_data(plot, results, placeholders, quick):
    """What draw_plots.py needs to know. A point is [x, mean, below, above]: x is a number of lines and a text of bars; a
    mean that cannot be drawn is null."""
    series = []
    for declared in plot.series:
        for bindings in combinations(declared.loops):
            runs = runs_by_x(declared, bindings, results)
            points = [point(x, ys, declared.band) for x, ys in runs.items()]
            series.append({"title": placeholders.fill(declared.title, bindings),
                           "points": bar_points(points) if plot.bars else line_points(points, plot)})
    return {"file": plot.file, "bars": plot.bars, "title": plot.title, "x_title": plot.x_title, "y_title": plot.y_title,
            "log_x": plot.log_x, "log_y": plot.log_y, "quick": quick, "series": series}


def runs_by_x(declared, bindings, results):
    """The numbers of all runs for each x, in the order in which they came."""
    runs = {}

    def add(x, y):
        if is_number(y) and x is not None:
            runs.setdefault(x, []).append(y)

    for x, y in declared.published:
        add(x, y)
    for record in [] if declared.published else results.matching(declared.lookup, bindings.items()):
        ys = as_list(record.values.get(declared.lookup.value))
        xs = as_list(record.values.get(declared.x))
        for i, y in enumerate(ys):
            if declared.x == "index":
                add(i + 1, y)
            elif declared.x in record.bindings:
                add(record.bindings[declared.x], y)
            elif i < len(xs):
                add(xs[i], y)
    return runs


def as_list(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def point(x, ys, band):
    """The mean, with a band of one deviation, but no further than the runs themselves go: no accuracy above 1."""
    mean, deviation = spread(ys)
    if not band or len(ys) < 2:
        return [x, mean, 0, 0]
    return [x, mean, min(deviation, mean - min(ys)), min(deviation, max(ys) - mean)]


def drawable(value):
    return is_number(value) and abs(value) <= LARGEST


def line_points(points, plot):
    """In the order of x. Means that cannot be drawn leave a gap."""
    kept = []
    for x, mean, below, above in points:
        if drawable(x) and (x > 0 or not plot.log_x):
            shown = drawable(mean) and (mean > 0 or not plot.log_y)
            kept.append([x, mean if shown else None, below, above])
    return sorted(kept, key=lambda one: one[0])


def bar_points(points):
    return [[plain_text(x), mean if drawable(mean) else None, below, above] for x, mean, below, above in points]
