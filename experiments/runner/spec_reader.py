"""Reads the file of an experiment, checked as far as that is possible before anything runs."""
import pathlib
import re

from .checked_json import CheckedJson, compact, is_number, is_scalar, read_json_file
from .partners import PARTNERS
from .spec import Claim, Experiment, Figure, Loop, Lookup, Plot, Series, Step, Table, TableLine, Text, ValueSource
from .spec_check import (check_figure, check_filled, check_lookup, check_placeholders, check_series, check_table, require_format,
                         require_step)
from .suggest import did_you_mean

GIVEN_BY_THE_RUNNER = ("work", "root", "neumann", "threads")
MEASURED = ("seconds", "peak_bytes", "exit_code", "timed_out")
SOURCE_KINDS = ("json", "match", "text", "csv", "measured", "sum", "ratio")


def read_experiment(path, quick, replaced=None):
    """`replaced` has texts for settings, by name. Raises JsonFileError with file and key path."""
    return Reader(path, quick, replaced or {}).read()


class Reader:
    """Reads one file; knows the settings with and without those of --quick."""

    def __init__(self, path, quick, replaced):
        self.replaced = replaced
        self.root = CheckedJson(path, read_json_file(path))
        self.full_settings = {}
        self.result = Experiment(pathlib.Path(path).stem, quick)

    def read(self):
        root, result = self.root, self.result
        root.require_keys("title", "paper", "order", "about", "meaning", "needs", "alone", "minutes", "programs", "requires", "settings", "quick", "steps",
                          "tables", "texts", "plots", "figures", "baselines")
        result.title = root.at("title").text()
        result.paper = root.text_or("paper", "")
        result.order = root.at("order").number() if root.has("order") else 0
        result.about = root.at("about").texts() if root.has("about") else []
        result.meaning = root.text_or("meaning", "")
        result.needs = root.at("needs").texts() if root.has("needs") else []
        result.alone = root.flag_or("alone", False)
        result.minutes = root.at("minutes").number() if root.has("minutes") else 0
        self.read_settings()
        result.programs = root.at("programs").texts() if root.has("programs") else []
        for path in root.elements_of("requires"):
            result.requires.append(path.text())
            check_filled(path, result)
        for key, steps in (("steps", result.steps), ("baselines", result.baselines)):
            for json in root.elements_of(key):
                step = self.step(json)
                if any(step.name == other.name for other in steps):
                    json.at("name").fail("this name is used twice")
                steps.append(step)
                check_placeholders(json, step, result)
        result.tables = [self.table(json) for json in root.elements_of("tables")]
        result.texts = [self.text(json) for json in root.elements_of("texts")]
        result.plots = [self.plot(json) for json in root.elements_of("plots")]
        result.figures = [self.figure(json) for json in root.elements_of("figures")]
        return result

    def read_settings(self):
        if self.root.has("settings"):
            for name, value in self.root.at("settings").members():
                if name in GIVEN_BY_THE_RUNNER:
                    value.fail(f"'{name}' is given by the runner")
                self.full_settings[name] = value.value
        self.result.settings = dict(self.full_settings)
        if self.root.has("quick"):
            self.root.at("quick").require_keys(*self.full_settings)
            if self.result.quick:
                self.result.settings.update(self.root.at("quick").value)
        for name, text in self.replaced.items():
            if name in self.full_settings:
                if not isinstance(self.full_settings[name], str):
                    self.root.at("settings").at(name).fail("only a setting that is a text can be replaced by --set")
                self.full_settings[name] = self.result.settings[name] = text

    def list_of(self, source, settings):
        if isinstance(source.value, list):
            return [one.scalar() for one in source.elements()]
        if not isinstance(source.value, str):
            source.fail("expected the name of a setting, or a list")
        name = source.text()
        if name not in settings:
            source.fail(f"there is no setting '{name}'; "
                        + (did_you_mean(name, list(settings)) if settings else "the file has none"))
        if not isinstance(settings[name], list) or not all(map(is_scalar, settings[name])):
            source.fail(f"the setting '{name}' is not a list of texts and numbers")
        return settings[name]

    def loops(self, owner):
        if not owner.has("for"):
            return []
        return [Loop(variable, self.list_of(source, self.result.settings), self.list_of(source, self.full_settings))
                for variable, source in owner.at("for").members()]

    def value_source(self, json, before):
        """`before` are the values that the step has so far."""
        json.require_keys(*SOURCE_KINDS, "jsonl", "which", "in", "file")
        kinds = [kind for kind in SOURCE_KINDS if json.has(kind)]
        if len(kinds) != 1:
            json.fail("expected one of json, match, text, csv, measured, sum and ratio")
        source = ValueSource(kinds[0])
        said = json.at(source.kind)
        if source.kind == "json":
            if not isinstance(said.value, str) or (said.value and not said.value.startswith("/")):
                said.fail("expected a JSON pointer, such as /accuracy/test")
            source.what = said.value
        elif source.kind == "text":
            if not said.flag():
                said.fail("expected true")
        elif source.kind in ("sum", "ratio"):
            source.parts = said.texts()
        else:
            source.what = said.text()
        if source.kind == "match":
            check_expression(said)
        if source.kind == "measured" and source.what not in MEASURED:
            said.fail(f"unknown: '{source.what}'; {did_you_mean(source.what, MEASURED)}")
        for part in source.parts:
            if part not in before:
                json.fail(f"there is no value '{part}' before this one")
        if source.kind == "ratio" and len(source.parts) != 2:
            said.fail("expected two values")
        read_place(json, source)
        return source

    def step(self, json):
        json.require_keys("name", "for", "run", "limit_s", "may_fail", "with", "values")
        name = json.at("name").text()
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            json.at("name").fail("expected letters, digits, - and _")
        step = Step(name, self.loops(json), json.at("run").texts(), may_fail=json.flag_or("may_fail", False))
        if not step.run:
            json.at("run").fail("expected a command")
        if json.has("with"):
            step.program = json.at("with").text()
            if step.program not in PARTNERS:
                json.at("with").fail(f"expected a partner: {', '.join(PARTNERS)}")
        if json.has("limit_s"):
            limit = json.at("limit_s")
            seconds = limit.value
            if isinstance(seconds, str):
                seconds = self.result.settings.get(seconds)
            if not is_number(seconds) or seconds <= 0:
                limit.fail("expected a positive number, or the name of such a setting")
            step.limit_seconds = seconds
        if json.has("values"):
            step.values_text = compact(json.at("values").value)
            for value, source in json.at("values").members():
                if step.has_variable(value):
                    source.fail(f"'{value}' is a loop variable, too")
                step.values[value] = self.value_source(source, step.values)
        return step

    def lookup(self, json):
        result = Lookup(json.text_or("step", ""), json.text_or("baseline", ""), json.text_or("value", ""))
        if result.step and result.baseline:
            json.fail("either a step or a baseline")
        if result.step:
            require_step(json.at("step"), result.step, self.result.steps, "step")
        if result.baseline:
            require_step(json.at("baseline"), result.baseline, self.result.baselines, "baseline")
        if json.has("where"):
            result.where = [(variable, value.scalar()) for variable, value in json.at("where").members()]
        return result

    def table_line(self, json):
        json.require_keys("title", "for", "where", "step", "baseline", "value", "as", "failed", "published", "ratio")
        line = TableLine(json.at("title").text(), self.loops(json), self.lookup(json), json.text_or("as", ""),
                         json.text_or("failed", ""))
        if json.has("as"):
            require_format(json.at("as"), line.format)
        if json.has("published"):
            line.published = [one.scalar_or_null() for one in json.at("published").elements()]
        if json.has("ratio"):
            line.ratio = tuple(json.at("ratio").texts())
            if len(line.ratio) != 2:
                json.at("ratio").fail("expected two titles")
        return line

    def claim(self, json):
        json.require_keys("row", "column", "at_least", "at_most", "equal", "times", "why", "quick")
        if json.has("row") == json.has("column"):
            json.fail("expected a row or a column")
        bounds = [bound for bound in ("at_least", "at_most", "equal") if json.has(bound)]
        if len(bounds) != 1:
            json.fail("expected one of at_least, at_most and equal")
        limits = json.at(bounds[0])
        if isinstance(limits.value, list):
            limits = [None if one.value is None else one.number() for one in limits.elements()]
        else:
            limits = [limits.number()]
        title = json.at("row" if json.has("row") else "column").text()
        return Claim(json.has("row"), title, bounds[0], limits, json.text_or("times", ""), json.text_or("why", ""),
                     json.flag_or("quick", False))

    def table(self, json):
        json.require_keys("title", "corner", "note", "columns", "rows", "claims")
        columns = [self.table_line(column) for column in json.at("columns").elements()]
        rows = [self.table_line(row) for row in json.at("rows").elements()]
        claims = [self.claim(claim) for claim in json.elements_of("claims")]
        table = Table(json.at("title").text(), json.text_or("corner", ""), json.text_or("note", ""), columns, rows, claims)
        if not columns:
            json.at("columns").fail("a table needs columns")
        check_table(json, table, self.result)
        return table

    def text(self, json):
        json.require_keys("title", "step", "baseline", "value", "by", "names", "where")
        text = Text(json.at("title").text(), self.lookup(json), json.at("by").texts() if json.has("by") else [])
        if json.has("names"):
            text.names = self.result.settings.get(json.at("names").text())
            if not isinstance(text.names, dict):
                json.at("names").fail("expected the name of a setting that is an object")
        check_lookup(json, text.lookup, text.lookup.where, self.result)
        return text

    def series(self, json):
        json.require_keys("title", "for", "where", "step", "baseline", "x", "y", "band", "published")
        series = Series(json.at("title").text(), self.loops(json), self.lookup(json), band=json.flag_or("band", False))
        if json.has("published"):
            for pair in json.at("published").elements():
                parts = pair.elements()
                if len(parts) != 2:
                    pair.fail("expected a pair of x and y")
                series.published.append((parts[0].scalar(), parts[1].number()))
            return series
        series.x = json.at("x").text()
        series.lookup.value = json.at("y").text()
        check_series(json, series, self.result)
        return series

    def plot(self, json):
        json.require_keys("file", "kind", "title", "x_title", "y_title", "series", "log_x", "log_y", "overview")
        file = json.at("file").plain_file_name(".svg")
        kind = json.at("kind").text()
        if kind not in ("lines", "bars"):
            json.at("kind").fail("expected lines or bars")
        return Plot(file, kind == "bars", json.at("title").text(), json.text_or("x_title", ""),
                    json.text_or("y_title", ""), json.flag_or("log_x", False), json.flag_or("log_y", False),
                    json.flag_or("overview", False), [self.series(one) for one in json.at("series").elements()])

    def figure(self, json):
        json.require_keys("step", "for", "file", "as", "caption", "overview")
        figure = Figure(json.at("step").text(), json.at("file").text(), json.at("as").text(), json.text_or("caption", ""),
                        self.loops(json), json.flag_or("overview", False))
        require_step(json.at("step"), figure.step, self.result.steps, "step")
        check_figure(json, figure, self.result)
        return figure


def check_expression(json):
    try:
        if re.compile(json.text()).groups == 0:
            json.fail("the regular expression needs a group, in parentheses")
    except re.error as error:
        json.fail(f"not a regular expression: {error}")


def read_place(json, source):
    """From which line, match and file the value is taken."""
    if json.has("jsonl"):
        line = json.at("jsonl")
        if source.kind != "json":
            line.fail("goes with json")
        if not isinstance(line.value, int) or isinstance(line.value, bool):
            line.fail("expected the number of a line")
        source.line = line.value
    if json.has("which"):
        which = json.at("which")
        if source.kind != "match":
            which.fail("goes with match")
        if which.text() not in ("first", "last", "all"):
            which.fail("expected first, last or all")
        source.which = which.value
    stream = json.text_or("in", "stdout")
    if stream not in ("stdout", "stderr"):
        json.at("in").fail("expected stdout or stderr")
    source.from_errors = stream == "stderr"
    source.file = json.text_or("file", "")
    if json.has("in") and json.has("file"):
        json.at("in").fail("goes without file")
