#!/usr/bin/env python3
"""Tables, claims, numbers and the overview; plots where there is matplotlib."""
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

from written_experiments import experiment_from, record_of

from runner.errors import UsageError
from runner.formats import format_duration, format_number, format_spread, published_number
from runner.overview import with_overview
from runner.placeholders import Placeholders
from runner.plots import draw_plots, plotting_python
from runner.records import Results
from runner.report import Report, told_together
from runner.series import plot_data
from runner.tables import finish_table
from runner.wrap import wrapped

DECLARED = {
    "title": "t", "meaning": "So it is.", "settings": {"kinds": ["a", "b", "c"], "seeds": [1, 2]}, "quick": {"kinds": ["c"]},
    "steps": [{"name": "s", "for": {"kind": "kinds", "seed": "seeds"}, "run": ["x"],
               "values": {"x": {"match": "(.)"}, "curve": {"match": "(.)"}}}],
    "baselines": [{"name": "net", "run": ["y"], "values": {"x": {"match": "(.)"}}}],
    "tables": [{"title": "T", "corner": "w|t", "columns": [{"title": "kind {kind}", "for": {"kind": "kinds"}}],
                "rows": [{"title": "paper", "published": [50, None, "OOM"]},
                         {"title": "ours", "step": "s", "value": "x", "as": "percent", "failed": "refused"},
                         {"title": "ratio", "ratio": ["ours", "paper"]},
                         {"title": "share", "ratio": ["ours", "paper"], "as": "percent"}],
                "claims": [{"row": "ours", "at_least": [80, 100, None], "why": "Because."},
                           {"row": "ours", "at_least": [1.5, None, None], "times": "paper", "quick": True},
                           {"row": "ours", "at_most": 90}]}],
    "plots": [{"file": "a.svg", "kind": "lines", "title": "A <plot>", "overview": True, "series": [
                  {"title": "{kind}", "for": {"kind": "kinds"}, "step": "s", "x": "index", "y": "curve", "band": True}]},
              {"file": "b.svg", "kind": "bars", "title": "B", "log_y": True, "series": [
                  {"title": "ours", "step": "s", "x": "kind", "y": "x", "band": True},
                  {"title": "paper", "published": [["a", 0.5], ["b", 1]]}]}],
}


def some_results():
    runs = (("a", 1, {"x": 0.8, "curve": [3, 2, 1]}, 0), ("a", 2, {"x": 0.9, "curve": [5, 4]}, 0), ("b", 1, {"x": 1}, 0),
            ("b", 2, {}, 2), ("c", 1, {}, 2))
    return Results([("s", record_of({"kind": kind, "seed": seed}, values, code)) for kind, seed, values, code in runs])


def table_of(experiment, results):
    return finish_table(experiment.tables[0], experiment, results, Placeholders(experiment.settings, {}))


class TablesTest(unittest.TestCase):
    def test_put_published_numbers_beside_ours(self):
        table = table_of(experiment_from(DECLARED), some_results())
        self.assertEqual(table.markdown(),
                         "| w\\|t | kind a | kind b | kind c |\n|---|---:|---:|---:|\n| paper | 50 | – | OOM |\n"
                         "| ours | 85 ± 7.07 | 100 (1 of 2 failed) | refused |\n| ratio | 1.7× | – | – |\n"
                         "| share | 170 | – | – |\n")
        # A run that failed gives no right to a claim about the others.
        self.assertEqual([claim.problem for claim in table.claims],
                         ["kind b: 100 (1 of 2 failed)", "", "kind b: 100 (1 of 2 failed); kind c: refused"])
        self.assertEqual([claim.text for claim in table.claims],
                         ["ours: at least 80 (kind a), 100 (kind b)", "ours: at least 1.5 (kind a) times 'paper'",
                          "ours: at most 90"])

    def test_a_claim_about_nothing_does_not_hold(self):
        experiment = experiment_from({
            "title": "t", "settings": {"kinds": []},
            "steps": [{"name": "s", "for": {"kind": "kinds"}, "run": ["x"], "values": {"x": {"match": "(.)"}}}],
            "tables": [{"title": "T", "columns": [{"title": "x", "value": "x"}],
                        "rows": [{"title": "{kind}", "for": {"kind": "kinds"}, "step": "s"}],
                        "claims": [{"column": "x", "equal": 5}]}]})
        self.assertEqual([claim.problem for claim in table_of(experiment, Results()).claims], ["nothing to check"])

    def test_of_quick_runs_have_fewer_columns(self):
        table = table_of(experiment_from(DECLARED, quick=True), some_results())
        self.assertEqual([column.title for column in table.columns], ["kind c"])
        self.assertEqual(table.cells[0][0].text, "OOM")  # the published number of this very column
        self.assertEqual(len(table.claims), 1)

    def test_say_what_has_not_run(self):
        self.assertEqual(table_of(experiment_from(DECLARED), Results()).cells[1][0].text, "not run")


class FormatsTest(unittest.TestCase):
    def test_numbers_are_written_for_people(self):
        for value, number_format, text in (
                (97.429, "percent", "97.43"), (100, "percent", "100"), (1234567, "", "1,234,567"),
                (0.123456, "number", "0.1235"), (12.3456, "seconds", "12.3"), (0, "seconds", "0"),
                (2.5e-7, "number", "2.5e-07"), (-1234.4, "integer", "-1,234"), (0.5, "integer", "1"),
                (-0.00001, "percent", "0"), (1536, "bytes", "1.5 KiB"), (12, "bytes", "12 bytes"),
                (float("inf"), "number", "–")):
            self.assertEqual(format_number(value, number_format), text)
        self.assertEqual(format_spread([1, 2, 3], "number"), "2 ± 1")
        self.assertEqual(format_spread([2], "number"), "2")
        self.assertEqual(format_spread([0.1, 0.1, 0.1], "number"), "0.1 ± 0")
        self.assertEqual([published_number(one) for one in (52.33, 6957, -3)], ["52.33", "6,957", "-3"])
        self.assertEqual([format_duration(one) for one in (0.25, 600, 7500)], ["0.25 s", "10 min", "2 h 5 min"])


class PagesTest(unittest.TestCase):
    def test_keep_the_rest_of_the_overview(self):
        experiment, results = experiment_from(DECLARED), some_results()
        report = Report(experiment, results, Placeholders(experiment.settings, {}), [table_of(experiment, results)])
        page = ("By hand.\n<!-- results -->\n<!-- experiment: z -->\nLast.\n<!-- experiment: old -->\nGone.\n"
                "<!-- end -->\nMore.\n")
        once = with_overview(page, report, ["test", "z"])
        self.assertTrue(once.startswith("By hand.\n<!-- results -->\n<!-- experiment: test -->\n- **[t](test.md)**: So it is. 1 of 3 claims hold, not those of *ours*"), once)
        self.assertTrue(once.endswith("<!-- end -->\nMore.\n"), once)
        for part in ("<!-- experiment: z -->\nLast.\n", 'src="a.svg"'):
            self.assertIn(part, once)
        for part in ("Gone.", "b.svg"):
            self.assertNotIn(part, once)
        self.assertEqual(with_overview(once, report, ["test", "z"]), once)
        self.assertEqual(with_overview("No place.", report, ["test"]), "No place.")

    def test_tell_runs_together(self):
        self.assertEqual(told_together([{"p": "a", "s": 1}, {"p": "a", "s": 2}]), "p a; s 1, 2")
        self.assertEqual(told_together([{"p": "a", "s": 1}, {"p": "b", "s": 2}]), "p a, s 1; p b, s 2")


class PlotsTest(unittest.TestCase):
    def data(self, results, quick=False):
        experiment = experiment_from(DECLARED)
        return [plot_data(plot, results, Placeholders(experiment.settings, {}), quick) for plot in experiment.plots]

    def test_points_are_means_with_bands_within_the_runs(self):
        lines, bars = self.data(some_results())
        self.assertEqual([series["title"] for series in lines["series"]], ["a", "b", "c"])
        self.assertEqual(lines["series"][0]["points"], [[1, 4, 1, 1], [2, 3, 1, 1], [3, 1, 0, 0]])
        (name, mean, below, above), (other, *_) = bars["series"][0]["points"]
        self.assertEqual((name, round(mean, 9), round(below, 9), round(above, 9), other), ("a", 0.85, 0.05, 0.05, "b"))
        self.assertEqual(bars["series"][1]["points"], [["a", 0.5, 0, 0], ["b", 1, 0, 0]])

    def test_are_sound_pictures(self):
        try:
            plotting_python()
        except UsageError as missing:
            self.skipTest(str(missing))
        with tempfile.TemporaryDirectory() as name:
            drawn = []
            for results, quick in ((some_results(), True), (some_results(), True), (Results(), False)):
                draw_plots(self.data(results, quick), name)
                drawn.append([(pathlib.Path(name) / file).read_text(encoding="utf-8") for file in ("a.svg", "b.svg")])
        self.assertEqual(drawn[0], drawn[1])  # the same bytes
        for svg in drawn[0] + drawn[2]:
            xml.etree.ElementTree.fromstring(svg)
            self.assertNotIn("<plot>", svg)
            self.assertNotIn("nan", svg)
        for part in ("quick run", ">a</text>", "opacity: 0.16"):
            self.assertIn(part, drawn[0][0])
        self.assertIn("nothing has run", drawn[2][0])


class WrapTest(unittest.TestCase):
    def test_prose_alone(self):
        words = "word " * 30
        kept = f"| {words} |\n\n# {words}\n\n```\n{words}\n```\n\n- setting: `{words}`\n![{words}](a.svg)"
        self.assertEqual(wrapped(kept), kept)
        lines = wrapped(f"{words.strip()}\n\n- {words.strip()}").split("\n")
        self.assertEqual([len(line) <= 100 for line in lines], [True] * len(lines))
        self.assertEqual(lines[2:5], ["", "- " + ("word " * 19).strip(), "  " + ("word " * 11).strip()])

    def test_no_line_becomes_a_list(self):
        for marker in ("161.", "-", "#"):
            lines = wrapped("word " * 19 + f"words {marker} more").split("\n")
            self.assertEqual(lines[1:], [f"words {marker} more"])
        self.assertEqual(wrapped(wrapped("some words " * 40)), wrapped("some words " * 40))


if __name__ == "__main__":
    unittest.main()
