#!/usr/bin/env python3
"""Files of experiments: what they declare, and what is wrong with them, with its place."""
import unittest

from written_experiments import experiment_from, problem_of

from runner.placeholders import bindings_text
from runner.spec import combinations


def with_step(**more):
    """One step "s" that loops over "seed" and has a value "x"."""
    return {"title": "t", "settings": {"seeds": [1, 2]},
            "steps": [{"name": "s", "for": {"seed": "seeds"}, "run": ["echo", "{seed}"], "values": {"x": {"match": "(.*)"}}}],
            **more}


class SpecTest(unittest.TestCase):
    def test_reads_what_is_declared(self):
        full = experiment_from(with_step(quick={"seeds": [3]}))
        self.assertEqual(len(combinations(full.steps[0].loops)), 2)
        quick = experiment_from(with_step(quick={"seeds": [3]}), quick=True)
        self.assertEqual([bindings_text(one) for one in combinations(quick.steps[0].loops)], ["seed 3"])
        self.assertEqual(len(combinations(quick.steps[0].loops, full=True)), 2)

    def test_files_that_are_no_experiments(self):
        self.assertEqual(problem_of({}), "/: 'title' is missing")
        self.assertEqual(problem_of([]), "/: expected an object")
        self.assertEqual(problem_of({"title": "t", "step": []}), "/: unknown key 'step'; did you mean 'steps'?")
        self.assertEqual(problem_of('{"title": "x",\n # no\n}').split(": not JSON")[0], "line 2, column 2")
        self.assertEqual(problem_of('{"title": "x", "title": "y"}'), "the key 'title' stands twice in one object")
        self.assertEqual(problem_of('{"title": "x", "order": NaN}'), "NaN is not JSON")
        self.assertEqual(problem_of("[" * 100000), "nested too deeply")
        self.assertEqual(problem_of({"title": "t", "settings": {"work": 1}}), "/settings/work: 'work' is given by the runner")

    def test_steps(self):
        def step(**more):
            return problem_of({"title": "t", "steps": [{"name": "s", "run": ["true"], **more}]})

        def value(**source):
            return step(values={"x": source})

        self.assertEqual(step(limit_s=0), "/steps/0/limit_s: expected a positive number, or the name of such a setting")
        self.assertEqual(step(name="a/b"), "/steps/0/name: expected letters, digits, - and _")
        self.assertEqual(step(**{"with": "prolog"}), "/steps/0/with: expected a partner: problog")
        self.assertEqual(step(run=[]), "/steps/0/run: expected a command")
        self.assertEqual(value(), "/steps/0/values/x: expected one of json, match, text, csv, measured, sum and ratio")
        self.assertEqual(value(match="a"), "/steps/0/values/x/match: the regular expression needs a group, in parentheses")
        self.assertIn("/steps/0/values/x/match: not a regular expression", value(match="(a"))
        self.assertEqual(value(json="a"), "/steps/0/values/x/json: expected a JSON pointer, such as /accuracy/test")
        self.assertEqual(value(measured="second"), "/steps/0/values/x/measured: unknown: 'second'; did you mean 'seconds'?")
        self.assertEqual(value(sum=["y"]), "/steps/0/values/x: there is no value 'y' before this one")
        self.assertEqual(value(match="(a)", jsonl=1), "/steps/0/values/x/jsonl: goes with json")
        self.assertEqual(value(json="/a", jsonl=1.5), "/steps/0/values/x/jsonl: expected the number of a line")
        self.assertEqual(value(json="/a", which="last"), "/steps/0/values/x/which: goes with match")
        self.assertEqual(value(match="(a)", which="one"), "/steps/0/values/x/which: expected first, last or all")
        self.assertEqual(value(text=False), "/steps/0/values/x/text: expected true")
        self.assertEqual(value(text=True, file="a", **{"in": "stderr"}), "/steps/0/values/x/in: goes without file")
        self.assertEqual(value(text=True, **{"in": "out"}), "/steps/0/values/x/in: expected stdout or stderr")
        self.assertEqual(problem_of(with_step(baselines=[{"name": "b", "for": {"x": "seeds"}, "run": ["true"],
                                                          "values": {"x": {"text": True}}}])),
                         "/baselines/0/values/x: 'x' is a loop variable, too")

    def test_tables(self):
        column, row = {"title": "c"}, {"title": "r", "step": "s", "value": "x"}

        def table(columns, rows, **more):
            return problem_of(with_step(tables=[{"title": "t", "columns": columns, "rows": rows, **more}]))

        self.assertEqual(table([column], [row]), "none")
        self.assertEqual(table([], [row]), "/tables/0/columns: a table needs columns")
        self.assertEqual(table([column], [{"title": "r", "step": "s"}]), "/tables/0/rows/0: 'value' is missing")
        self.assertEqual(table([column], [{"title": "r", "value": "x"}]), "/tables/0/rows/0: a step or a baseline is missing")
        self.assertEqual(table([column], [{**row, "baseline": "b"}]), "/tables/0/rows/0: either a step or a baseline")
        self.assertEqual(table([column], [{**row, "value": "y"}]), "/tables/0/rows/0: 's' has no value 'y'; known are x")
        self.assertEqual(table([column], [{"title": "r", "published": [1, 2]}]),
                         "/tables/0/rows/0/published: 2 numbers for 1 columns")
        self.assertEqual(table([column], [{**row, "as": "percents"}]),
                         "/tables/0/rows/0/as: unknown format 'percents'; did you mean 'percent'?")
        self.assertEqual(table([{"title": "{sed}"}], [row]).split(" for ")[0],
                         "/tables/0: there is no setting or loop variable 'sed'")
        self.assertEqual(table([column], [row, {"title": "q", "ratio": ["r", "z"]}]),
                         "/tables/0/rows/1/ratio: there is no 'z' in this table; known are r, q")

    def test_claims(self):
        def claim(**members):
            return problem_of(with_step(tables=[{"title": "t", "columns": [{"title": "c"}], "claims": [members],
                                                 "rows": [{"title": "rows", "step": "s", "value": "x"}]}]))

        self.assertEqual(claim(row="rows", at_least=1), "none")
        self.assertEqual(claim(row="column", at_least=1),
                         "/tables/0/claims/0: there is no 'column' in this table; known are rows")
        self.assertEqual(claim(row="rows", at_least=[1, 2]), "/tables/0/claims/0: 2 limits for 1 cells")
        self.assertEqual(claim(row="rows"), "/tables/0/claims/0: expected one of at_least, at_most and equal")
        self.assertEqual(claim(row="rows", column="c", equal=1), "/tables/0/claims/0: expected a row or a column")
        self.assertEqual(claim(row="rows", equal="1"), "/tables/0/claims/0/equal: expected a number")

    def test_plots_and_figures(self):
        def plot(**members):
            return problem_of(with_step(plots=[{"file": "a.svg", "kind": "lines", "title": "t", "series": [], **members}]))

        series = {"title": "s", "step": "s", "x": "seed", "y": "x"}
        self.assertEqual(plot(series=[series]), "none")
        self.assertEqual(plot(file="../a.svg"), "/plots/0/file: expected a plain file name")
        self.assertEqual(plot(file="a.png"), "/plots/0/file: the name must end in .svg")
        self.assertEqual(plot(kind="pie"), "/plots/0/kind: expected lines or bars")
        self.assertEqual(plot(series=[{**series, "x": "z"}]),
                         "/plots/0/series/0/x: expected index, or a loop variable or a value of 's'")
        self.assertEqual(plot(series=[{"title": "p", "published": [[1]]}]),
                         "/plots/0/series/0/published/0: expected a pair of x and y")
        self.assertEqual(problem_of(with_step(figures=[{"step": "s", "file": "{work}/a.png", "as": "../a.png"}])),
                         "/figures/0/as: expected a plain file name")


if __name__ == "__main__":
    unittest.main()
