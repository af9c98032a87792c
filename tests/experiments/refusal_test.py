#!/usr/bin/env python3
"""Runs that fail and files that are wrong: exit codes, and what is said."""
import unittest
from unittest import mock

from runs import RunTest, shell

from runner import plots
from runner.errors import UsageError

STEP = {"name": "s", "run": ["true"], "values": {"x": {"match": "(.)"}}}
WRONG = [
    ({"steps": [{**STEP, "ran": 1}]}, "/steps/0: unknown key 'ran'; did you mean 'run'?"),
    ({"steps": [STEP, STEP]}, "/steps/1/name: this name is used twice"),
    ({"steps": [{**STEP, "run": ["{sed}"]}], "settings": {"seed": 1}}, "/steps/0/run: there is no setting or loop"),
    ({"steps": [{**STEP, "for": {"a": "lists"}}]}, "/steps/0/for/a: there is no setting 'lists'"),
    ({"settings": {"a": 1}, "quick": {"b": 1}}, "/quick: unknown key 'b'"),
    ({"steps": [STEP], "tables": [{"title": "t", "columns": [{"title": "c"}],
                                   "rows": [{"title": "r", "step": "z", "value": "x"}]}]},
     "/tables/0/rows/0/step: there is no step 'z'"),
    ({"steps": [STEP], "tables": [{"title": "t", "columns": [{"title": "c", "where": {"k": 1}}],
                                   "rows": [{"title": "r", "step": "s", "value": "x"}]}]},
     "/tables/0/rows/0: 's' has no loop variable 'k'"),
    ({"steps": [STEP], "texts": [{"title": "t", "step": "s", "value": "y"}]}, "/texts/0: 's' has no value 'y'"),
    ({"steps": [{**STEP, "may_fail": "yes"}]}, "/steps/0/may_fail: expected true or false"),
    ({"steps": [{"name": "s"}]}, "/steps/0: 'run' is missing"),
    ({"settings": {"none": []}, "steps": [{"name": "s", "run": ["{none}"]}]}, "/steps/0/run: nothing is left of the command"),
    ({"steps": [STEP], "texts": [{"title": "t", "step": "s", "value": "x", "names": "none"}]},
     "/texts/0/names: expected the name of a setting that is an object"),
    ({"steps": [{**STEP, "for": {"i": [1, 2]}}], "texts": [{"title": "t", "step": "s", "value": "x", "where": {"i": "1"}}]},
     "/texts/0: 'i' of 's' is 1, not \"1\""),
]


class FailedTest(RunTest):
    def test_a_step(self):
        self.write("bad-step", steps=[{"name": "fails", "run": shell("echo so it is >&2; exit 3")},
                                      {"name": "never", "run": shell("touch {work}/never")}])
        self.write("next", steps=[STEP | {"values": {}}])
        run = self.run_it("bad-step", "next", expect=1)
        for part in ("step 'fails': failed with exit code 3", "so it is", "steps/fails-", "again to go on"):
            self.assertIn(part, run.stderr)
        self.assertFalse((self.folder / "results" / "bad-step" / "never").exists())
        self.assertIn("about next", self.page("next"))  # the next experiment was run

    def test_what_may_fail_is_a_result(self):
        self.write("may-fail", steps=[
            {"name": "refuses", "may_fail": True, "run": shell("exit 4"),
             "values": {"x": {"match": "(.+)"}, "code": {"measured": "exit_code"}}},
            {"name": "sleeps", "may_fail": True, "limit_s": 0.3, "run": shell("sleep 100 & sleep 100"),
             "values": {"x": {"match": "(.+)"}, "late": {"measured": "timed_out"}}}],
            tables=[{"title": "T", "columns": [{"title": "x", "value": "x"}],
                     "rows": [{"title": "a", "step": "refuses", "failed": "OOM"}, {"title": "b", "step": "refuses"},
                              {"title": "c", "step": "sleeps"}]}])
        self.run_it("may-fail")
        for part in ("| a | OOM |", "| b | failed (4) |", "| c | > 0.3"):
            self.assertIn(part, self.page("may-fail"))

    def test_values_and_limits(self):
        self.write("no-value", steps=[{"name": "mute", "run": shell("echo hello"), "values": {"x": {"match": "(bye)"}}}])
        self.write("late", steps=[{"name": "sleeps", "limit_s": 0.2, "run": shell("sleep 100")}])
        self.write("none", steps=[{"name": "s", "run": ["/no/such/command"]}])
        for name, part in (("no-value", "value 'x': nothing matches '(bye)'"), ("late", "stopped at its limit of 0.2 s"),
                           ("none", "cannot start /no/such/command: No such file or directory")):
            self.assertIn(part, self.run_it(name, expect=1).stderr)

    def test_claims(self):
        self.write("claims", steps=[{"name": "say", "run": shell("echo 5"), "values": {"x": {"match": "(.+)"}}}],
                   tables=[{"title": "T", "columns": [{"title": "x"}], "rows": [{"title": "r", "step": "say", "value": "x"}],
                            "claims": [{"row": "r", "at_least": 6, "why": "It is *too small*."},
                                       {"row": "r", "equal": [5]}, {"row": "r", "at_most": 1, "times": "r"}]}])
        run = self.run_it("claims")  # with its reason it is known
        self.assertIn("does not hold: r: at least 6; found x: 5", run.stderr)
        page = self.page("claims")
        self.assertIn("✗ **does not hold**: r: at least 6. Found: x: 5. It is *too small*.", page)
        self.assertEqual(page.count("✓"), 2)
        self.write("claims", steps=[{"name": "say", "run": shell("echo 5"), "values": {"x": {"match": "(.+)"}}}],
                   tables=[{"title": "T", "columns": [{"title": "x"}], "rows": [{"title": "r", "step": "say", "value": "x"}],
                            "claims": [{"row": "r", "at_least": 6}]}])
        self.run_it("claims", expect=1)


class WrongTest(RunTest):
    def refused(self, *arguments):
        """What is said; nothing has run."""
        run = self.run_it(*arguments, expect=2)
        self.assertFalse((self.folder / "results" / "wrong").exists())
        return run.stderr

    def test_files(self):
        for content, problem in WRONG:
            self.write("wrong", **content)
            self.assertIn(f"experiments/wrong.json: {problem}", self.refused("wrong"))

    def test_files_disturb_only_those_who_want_them(self):
        self.write("good", steps=[{"name": "s", "run": ["true"]}])
        wrong = self.folder / "experiments" / "wrong.json"
        wrong.write_text('{"title": "x",\n # no\n}')
        self.assertIn("experiments/wrong.json: line 2, column 2", self.refused("wrong"))
        self.assertIn("wrong.json", self.refused("all"))
        listed = self.run_it("--list", expect=2)
        self.assertIn("about good", listed.stdout)
        self.assertIn("wrong.json", listed.stderr)
        self.run_it("good")
        self.write("needy", needs=["wrong"])
        self.assertIn("line 2", self.refused("needy"))
        wrong.unlink()
        self.assertIn("experiments/needy.json: /needs: there is no experiment 'wrong'", self.refused("needy"))
        self.write("needy", needs=["needy"])
        self.assertIn("experiment 'needy' needs itself", self.refused("needy"))

    def test_calls(self):
        self.write("good", steps=[{"name": "s", "run": ["true"]}])
        (self.folder / "a-file").write_text("")
        for arguments, problem in (
                (["good", "--results", "a-file"], "cannot make the folder a-file"),
                (["good", "--docs", "a-file"], "cannot make the folder a-file"),
                (["good", "--experiments", "nowhere"], "--experiments DIR"),
                (["good", "--neumann", "nowhere/neumann"], "there is no command nowhere/neumann"),
                (["good", "--neumann", "/bin/true"], "/bin/true --version does not say which neumann it is"),
                (["good", "--threads", "0"], "expected a number from 1 to 4096"),
                (["good", "--only-report", "--fresh"], "nothing for --fresh"),
                (["good", "--only-report", "--baselines"], "nothing for --baselines"),
                (["good", "--only-report", "--with-problog"], "--with-problog is about steps"),
                (["good", "--fresh", "--keep-records"], "--fresh forgets the records"),
                (["good", "--only", "net"], "add --baselines"),
                (["good", "--baselines", "--only", "net"], "there is no such baseline; there are none"),
                (["good", "--baselines", "--only", "net:seed"], "expected NAME or NAME:VARIABLE=VALUE"),
                (["god"], "did you mean 'good'?"), (["good", "--quik"], "--quik"), ([], "which experiment?")):
            with self.subTest(arguments):
                self.assertIn(problem, self.refused(*arguments))


class NoMatplotlibTest(unittest.TestCase):
    def test_says_what_to_install(self):
        self.addCleanup(plots.plotting_python.cache_clear)
        plots.plotting_python.cache_clear()
        with mock.patch.object(plots, "has_matplotlib", return_value=False):
            with self.assertRaisesRegex(UsageError, "scripts/setup.sh experiments installs the package python3-matplotlib"):
                plots.plotting_python()


if __name__ == "__main__":
    unittest.main()
