#!/usr/bin/env python3
"""Whole runs: pages, and what runs again after a stop or a change."""
import json
import os
import shutil
import signal
import subprocess
import unittest
from unittest import mock

from runs import PATIENCE, RunTest, shell
from written_experiments import REPOSITORY

from runner.errors import UsageError
from runner.plots import plotting_python

GOOD = {
    "paper": "Table 1", "about": ["What *this* shows."],
    "settings": {"seeds": [1, 2, 3], "factor": 10, "programs": {"wet": "07_wet.nm"}, "program": "wet", "called": {"3": "three"}},
    "quick": {"seeds": [1]},
    "steps": [{"name": "check", "run": ["neumann", "check", "{root}/examples/{programs[program]}", "--json"],
               "values": {"problems": {"text": True}}},
              {"name": "ground", "run": ["neumann", "ground", "{root}/examples/07_wet.nm", "--json"],
               "values": {"atoms": {"json": "/atoms"}, "exit": {"measured": "exit_code"}}},
              {"name": "say", "for": {"seed": "seeds"}, "run": shell("echo score $(({seed} * {factor})); echo 0.{seed} >&2"),
               "values": {"score": {"match": "score ([0-9]+)"}, "share": {"match": "(.*)", "in": "stderr"}}}],
    "tables": [{"title": "Sizes", "corner": "what",
                "columns": [{"title": "paper", "published": [7, None, "OOM"]}, {"title": "ours"}],
                "rows": [{"title": "score", "step": "say", "value": "score"},
                         {"title": "share", "step": "say", "value": "share", "as": "percent"},
                         {"title": "problems", "step": "check", "value": "problems"}],
                "claims": [{"column": "ours", "at_least": [20, 20, None]}]}],
    "texts": [{"title": "Texts", "step": "say", "value": "score", "by": ["seed"], "names": "called"}],
    "plots": [{"file": "score.svg", "kind": "lines", "title": "Scores", "x_title": "seed", "y_title": "score",
               "series": [{"title": "ours", "step": "say", "x": "seed", "y": "score"}]}],
}


class PagesTest(RunTest):
    def setUp(self):
        super().setUp()
        self.write("good", **GOOD)
        self.docs = self.folder / "docs" / "results"

    def test_page_and_overview(self):
        self.docs.mkdir(parents=True)
        (self.docs / "README.md").write_text(
            "# Mine\n\n<!-- results -->\n<!-- experiment: gone -->\nLeft over.\n<!-- end -->\n\nMore.\n")
        run = self.run_it("good", "--no-plots")
        self.assertIn("step 5 of 5: say, seed 3", run.stderr)
        page = self.page("good")
        for part in ("# about good", "*Table 1 of the paper.*", "What *this* shows.", "| score | 7 | 20 ± 10 |",
                     "| share | – | 20 ± 10 |", "| problems | OOM | [] |", "✓ **holds**", "*Not drawn",
                     "experiments/run.py good", "seeds: `1, 2, 3`", "| say | 3 |", "seed 2\n\n```\n20\n```", "seed three\n\n```\n30\n```"):
            self.assertIn(part, page)
        self.assertIn("(binary ", self.unwrapped("good"))
        overview = (self.docs / "README.md").read_text(encoding="utf-8")
        self.assertIn("- **[about good](good.md)** (Table 1): ", overview)
        self.assertTrue(overview.endswith("<!-- end -->\n\nMore.\n"))
        self.assertNotIn("Left over", overview)

        said = self.run_json("good", "--no-plots")
        self.assertEqual((said["ran"], said["reused"]), (0, 5))
        self.assertEqual(self.page("good"), page)  # the same page from the same results
        self.assertEqual(self.run_json("good", "--no-plots", "--fresh")["ran"], 5)
        self.assertIn("about good", self.run_it("--list").stdout)

    def test_quick(self):
        said = self.run_json("good", "--quick", "--no-plots")
        self.assertEqual((said["ran"], said["tables"][0]["claims"]), (3, []))  # claims nothing
        page = (self.folder / "results" / "good.quick" / "report" / "good.md").read_text(encoding="utf-8")
        self.assertIn("A quick run", page)
        self.assertIn("| score | 7 | 10 |", page)  # no ± for one seed
        self.assertFalse(self.docs.exists())

    def test_plots(self):
        try:
            plotting_python()
        except UsageError as missing:
            self.skipTest(str(missing))
        self.run_it("good")
        self.assertIn("![Scores](score.svg)", self.page("good"))
        self.assertIn("<svg", (self.docs / "score.svg").read_text(encoding="utf-8"))

    def test_only_report_of_nothing_leaves_the_page_alone(self):
        self.run_it("good", "--no-plots")
        page = self.page("good")
        run = self.run_it("good", "--only-report", "--no-plots", "--results", "empty", expect=1)
        self.assertIn("nothing of it has run", run.stderr)
        self.assertEqual(self.page("good"), page)

    def test_what_is_required(self):
        self.write("apart", settings={"data": "{root}/apart"}, requires=["{data}/words"], steps=[
            {"name": "read", "run": ["cat", "{data}/words"], "values": {"word": {"text": True}}}],
            texts=[{"title": "Word", "step": "read", "value": "word"}])
        run = self.run_it("apart")
        self.assertIn(f"note: apart: skipped, as {self.folder}/apart/words is not there", run.stderr)
        self.assertFalse((self.docs / "apart.md").exists())
        self.assertIn("is not there", self.run_json("apart", "--quick")["skipped"])
        (self.folder / "apart").mkdir()
        (self.folder / "apart" / "words").write_text("hello")
        self.run_it("apart")
        self.assertIn("hello", self.page("apart"))
        (self.folder / "other").mkdir()
        (self.folder / "other" / "words").write_text("goodbye")
        self.run_it("apart", "--set", "data={root}/other")
        self.assertIn("goodbye", self.page("apart"))
        self.assertIn("no experiment that runs has a setting", self.run_it("apart", "--set", "date=x", expect=2).stderr)
        self.assertIn("expected NAME=TEXT", self.run_it("apart", "--set", "data", expect=2).stderr)

    def test_programs_are_looked_for_before_anything_runs(self):
        self.write("apart", programs=["no-such-program"], steps=[{"name": "go", "run": ["touch", "{root}/ran"]}])
        run = self.run_it("good", "apart", expect=2)
        self.assertIn("apart runs no-such-program, and there is no such command on the path", run.stderr)
        self.assertFalse((self.folder / "results").exists())

    def test_the_documented_experiment(self):
        """The experiment of docs/experiments.md runs as it stands there."""
        page = (REPOSITORY / "docs" / "experiments.md").read_text(encoding="utf-8")
        sample = page.split("```json\n", 1)[1].split("```", 1)[0]
        (self.folder / "experiments" / "documented.json").write_text(sample)
        said = self.run_json("documented", "--quick")
        self.assertEqual(said["tables"][0]["cells"], {"close by": {"paper": "100", "softor": "100"}})


class StoppedTest(RunTest):
    def stopped_by(self, number):
        """The second step sleeps for as long as a file says, so that the command stays the same."""
        wait, log = self.folder / "wait", "results/slow/log"
        mark = "echo {step} >> {work}/log"
        self.write("slow", steps=[
            {"name": "first", "run": shell(mark.replace("{step}", "first"))},
            {"name": "slow", "run": shell(f"{mark.replace('{step}', 'slow')}; sleep $(cat {wait}); echo done"),
             "values": {"word": {"match": "(.*)"}}},
            {"name": "last", "run": shell(mark.replace("{step}", "last"))}])
        wait.write_text("100")
        run = self.start("slow")
        self.wait_until(lambda: "slow" in self.words_in(log), "the second step begins")
        children = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split()
        run.send_signal(number)
        _, errors = run.communicate(timeout=PATIENCE)
        for child in children:
            self.wait_until(lambda: not os.path.exists(f"/proc/{child}"), "the command ends with its runner")
        wait.write_text("0")
        self.run_it("slow")
        self.assertEqual(self.words_in(log), ["first", "slow", "slow", "last"])
        return run.returncode, errors

    def test_killed(self):
        self.assertEqual(self.stopped_by(signal.SIGKILL)[0], -signal.SIGKILL)

    def test_interrupted_or_terminated(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            shutil.rmtree(self.folder / "results", ignore_errors=True)
            code, errors = self.stopped_by(number)
            self.assertEqual(code, 130)
            self.assertIn("stopped in step 'slow'; the same command goes on from there", errors)

    def test_at_the_same_time(self):
        """Two runs in one folder would spoil each other."""
        begun = self.folder / "begun"
        self.write("slow", steps=[{"name": "wait", "run": shell(f"touch {begun}; sleep 30")}])
        first = self.start("slow")
        self.wait_until(begun.exists, "the first run begins")
        second = self.run_it("slow", "--fresh", expect=2)
        self.assertIn("another run is at work in results/slow", second.stderr)
        first.send_signal(signal.SIGINT)
        self.assertEqual(first.wait(timeout=PATIENCE), 130)  # it was not disturbed


class ChangedTest(RunTest):
    def test_commands(self):
        """A changed command runs again, and so do those that use its files; others do not."""
        log = self.folder / "changed.log"  # in {work} it would be a file that all of them use
        seen = []
        for text in ("one", "two", "one"):
            self.write("changed", steps=[
                {"name": "make", "run": shell(f"echo make >> {log}; echo {text} > {{work}}/data")},
                {"name": "use", "run": shell(f"echo use >> {log}; cat {{work}}/data"), "values": {"text": {"match": "(.*)"}}},
                {"name": "other", "run": shell(f"echo other >> {log}")}],
                tables=[{"title": "T", "columns": [{"title": "c"}], "rows": [{"title": "r", "step": "use", "value": "text"}]}])
            self.run_it("changed")
            self.assertIn(f"| r | {text} |", self.page("changed"))
            seen.append(self.words_in("changed.log").count("use"))
        self.assertEqual(seen, [1, 2, 3])
        self.assertEqual(self.words_in("changed.log").count("other"), 1)

    def test_sources(self):
        """So does a command whose script has changed; what another command has left is gone before it runs."""
        script = self.folder / "experiments" / "count.sh"
        self.write("sources", texts=[{"title": "T", "step": "s", "value": "lines"}], steps=[
            {"name": "s", "run": ["sh", "{root}/experiments/count.sh", "{work}/file"], "values": {"lines": {"match": "(.*)"}}}])
        for text in ("one", "two"):
            script.write_text(f"echo {text} >> $1; tr '\\n' ' ' < $1")
            self.run_it("sources")
            self.assertIn(f"```\n{text} \n```", self.page("sources"))
        self.write("using", needs=["sources"], texts=[{"title": "T", "step": "u", "value": "all"}], steps=[
            {"name": "u", "run": ["cat", "{work[sources]}/file"], "values": {"all": {"text": True}}}])
        for text in ("two", "three"):
            script.write_text(f"echo {text} >> $1; tr '\\n' ' ' < $1")
            self.run_it("using")
            self.assertIn(f"```\n{text}", self.page("using"))
        run = self.run_it("using")
        self.assertIn("sources: 0 runs, 1 from before", run.stdout)
        self.assertIn("using: 0 runs, 1 from before", run.stdout)
        left = self.folder / "results" / "sources" / "left"
        left.write_text("from before")
        self.run_it("sources", "--fresh")
        self.assertFalse(left.exists())

    def test_values(self):
        """Other values are taken from what the command left, without running it again."""
        step = {"name": "s", "run": shell("echo a 1; echo b 2; echo x >> {work}/log")}
        for letter, number in (("a", 1), ("b", 2)):
            self.write("values", steps=[{**step, "values": {"x": {"match": f"{letter} (.)"}}}],
                       texts=[{"title": "T", "step": "s", "value": "x"}])
            self.run_it("values")
            self.assertIn(f"```\n{number}\n```", self.page("values"))
        self.assertEqual(self.words_in("results/values/log"), ["x"])

    def test_binary(self):
        """What another binary made runs again, with its files gone, unless it is to be kept."""
        self.write("made", steps=[{"name": "s", "run": shell("{neumann} --version >> {work}/log; wc -l < {work}/log"),
                                   "values": {"lines": {"match": "([0-9]+)"}}}],
                   texts=[{"title": "T", "step": "s", "value": "lines"}])
        self.run_it("made")
        record = json.loads(next((self.folder / "results" / "made" / "steps").glob("*.json")).read_text())
        self.assertRegex(record["binary"], "^[0-9a-f]{16}$")
        self.assertEqual(record["commit"], "unknown")  # not a repository
        self.assertRegex(record["version"], r"^[0-9]+\.")
        other = self.folder / "neumann"
        shutil.copy(self.neumann, other)
        with open(other, "ab") as file:
            file.write(b"\n")
        kept = self.run_it("made", "--neumann", other, "--keep-records")
        self.assertIn("made: 0 runs, 1 from before", kept.stdout)
        self.assertIn("made: used 1 result of another binary of neumann", kept.stderr)
        self.assertIn(record["binary"], self.page("made"))
        self.run_it("made", "--neumann", other, "--only-report")
        self.assertIn(record["binary"], self.page("made"))
        run = self.run_it("made", "--neumann", other)
        self.assertIn("made: 1 run, 0 from before", run.stdout)
        self.assertIn("```\n1\n```", self.page("made"))
        self.assertNotIn(record["binary"], self.page("made"))

    def test_commit(self):
        """Records say the commit; what the runner writes does not make it dirty, other changes do."""
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(self.folder)]
        self.write("made", steps=[{"name": "s", "run": ["true"]}])
        docs = self.folder / "docs" / "results"
        docs.mkdir(parents=True)
        (docs / "made.md").write_text("old")
        for arguments in (["init", "-q"], ["add", "experiments", "docs"], ["commit", "-q", "-m", "one"]):
            subprocess.run([*git, *arguments], check=True, capture_output=True)
        commit = subprocess.run([*git, "describe", "--always"], check=True, capture_output=True, text=True).stdout.strip()
        for _ in range(2):
            self.run_it("made", "--fresh")
            self.assertIn(f"(commit {commit}, binary", self.unwrapped("made"))
        self.write("made", steps=[{"name": "s", "run": ["true", "changed"]}])
        self.run_it("made")
        self.assertIn(f"(commit {commit}-dirty, binary", self.unwrapped("made"))


class BaselinesTest(RunTest):
    def test_run_apart(self):
        self.write("based", settings={"seeds": [1, 2]},
                   steps=[{"name": "data", "run": shell("echo 3 > {work}/data; echo data >> {work}/log")},
                          {"name": "unneeded", "run": shell("echo unneeded >> {work}/log")}],
                   baselines=[{"name": "net", "for": {"seed": "seeds"}, "values": {"x": {"match": "(.+)"}},
                               "run": shell("cat {work}/data; echo {seed} >> {work}/log")}],
                   tables=[{"title": "T", "columns": [{"title": "x", "value": "x"}],
                            "rows": [{"title": "net", "baseline": "net"}]}])
        self.run_it("based")
        self.assertIn("| net | not run |", self.page("based"))
        self.run_it("based", "--baselines", "--results", "elsewhere")
        self.assertEqual(self.words_in("elsewhere/based/log"), ["data", "1", "2"])  # with what they need
        kept = json.loads((self.folder / "experiments" / "baselines" / "based-net.json").read_text())
        self.assertEqual([one["for"]["seed"] for one in kept["runs"]], [1, 2])
        self.assertIn("processor", kept["runs"][0]["machine"])
        self.run_it("based", "--only-report")
        self.assertIn("| net | 3 ± 0 |", self.page("based"))

    def test_chosen(self):
        self.write("based", settings={"seeds": [1, 2]}, steps=[{"name": "s", "run": ["true"]}],
                   baselines=[{"name": name, "for": {"seed": "seeds"}, "values": {"x": {"match": "(.+)"}},
                               "run": ["echo", "{seed}"]} for name in ("a", "b", "c")])

        def kept(name):
            path = self.folder / "experiments" / "baselines" / f"based-{name}.json"
            return [one["values"]["x"] for one in json.loads(path.read_text())["runs"]] if path.exists() else []
        self.run_it("based", "--baselines", "--only", "a:seed=2", "--only", "c")
        self.assertEqual((kept("a"), kept("b"), kept("c")), ([2], [], [1, 2]))
        self.run_it("based", "--baselines", "--only", "a", "--results", "elsewhere")
        self.assertEqual(kept("a"), [1, 2])


class PartnersTest(RunTest):
    """A step about a program of others, which the test puts on the path or not."""

    def setUp(self):
        super().setUp()
        self.write("paired", steps=[{"name": "ours", "run": ["true"]},
                                    {"name": "theirs", "with": "problog", "run": ["problog"], "values": {"x": {"match": "(.+)"}}}],
                   tables=[{"title": "T", "columns": [{"title": "x", "value": "x"}], "rows": [{"title": "r", "step": "theirs"}]}])
        path = mock.patch.dict(os.environ, {"PATH": f"{self.folder}:/usr/bin:/bin"})
        path.start()
        self.addCleanup(path.stop)

    def install(self):
        command = self.folder / "problog"
        command.write_text("#!/bin/sh\necho 7\n")
        command.chmod(0o755)

    def test_left_out_with_a_note(self):
        self.install()
        self.assertEqual(self.run_json("paired")["ran"], 1)
        self.assertIn("Steps that are about `problog` were left out: `--with-problog`", self.page("paired"))
        self.assertNotIn("have not run yet", self.run_it("paired", "--only-report").stderr)

    def test_asked_for(self):
        self.install()
        self.assertEqual(self.run_json("paired", "--with-problog")["ran"], 2)
        self.assertEqual(self.run_json("paired")["reused"], 2)  # what has run stays on the page
        self.assertIn("| r | 7 |", self.page("paired"))
        self.assertNotIn("left out", self.page("paired"))

    @unittest.skipIf(shutil.which("problog", path="/usr/bin:/bin"), "it is installed")
    def test_not_installed(self):
        refused = self.run_it("paired", "--with-problog", expect=2)
        self.assertIn("error: --with-problog: there is no command problog on the path; pip install problog", refused.stderr)


if __name__ == "__main__":
    unittest.main()
