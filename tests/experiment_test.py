#!/usr/bin/env python3
"""Runs small experiments with `neumann experiment`: experiment_test.py NEUMANN EXAMPLES

An experiment that is killed or stopped goes on where it was; what failed is told, what may fail is a result; files that
are wrong are refused with their place; claims that do not hold are said.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 120  # seconds until a run counts as stuck


class Test:
    def __init__(self, neumann, examples, folder):
        self.neumann, self.examples, self.folder = neumann, examples, folder
        self.failed = 0
        (folder / "experiments").mkdir()
        (folder / "examples").symlink_to(examples)

    def expect(self, holds, what):
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}")

    def expect_in(self, part, text, what):
        self.expect(part in text, f"{what}: no {part!r} in\n{text}")

    def write(self, name, **content):
        file = self.folder / "experiments" / f"{name}.json"
        file.write_text(json.dumps({"title": f"about {name}", **content}))
        return file

    def command(self, *arguments):
        return [self.neumann, "experiment", *arguments]

    def run(self, *arguments):
        return subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)

    def start(self, *arguments):
        return subprocess.Popen(self.command(*arguments), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def wait_for(self, file):
        deadline = time.monotonic() + PATIENCE
        while not file.exists():
            time.sleep(0.01)
            if time.monotonic() > deadline:
                raise TimeoutError(file)

    def page(self, name):
        return (self.folder / "docs" / "results" / f"{name}.md").read_text()


def shell(script):
    return ["/bin/sh", "-c", script]


def logged(test, name):
    """How often each step wrote a line to the log, by what it wrote."""
    file = test.folder / "results" / name / "log"
    return file.read_text().split() if file.exists() else []


def test_tables(test):
    test.write(
        "good", paper="Table 1", about=["What *this* shows."],
        settings={"seeds": [1, 2, 3], "factor": 10, "programs": {"wet": "07_wet.nm"}, "program": "wet"},
        quick={"seeds": [1]},
        steps=[{"name": "check", "run": ["neumann", "check", "{root}/examples/{programs[program]}", "--json"],
                "values": {"problems": {"text": True}}},
               {"name": "ground", "run": ["neumann", "ground", "{root}/examples/07_wet.nm", "--json"],
                "values": {"atoms": {"json": "/atoms"}, "exit": {"measured": "exit_code"}}},
               {"name": "say", "for": {"seed": "seeds"}, "run": shell("echo score $(({seed} * {factor})); echo 0.{seed} >&2"),
                "values": {"score": {"match": "score ([0-9]+)"}, "share": {"match": "(.*)", "in": "stderr"}}}],
        tables=[{"title": "Sizes", "corner": "what",
                 "columns": [{"title": "paper", "published": [7, None, "OOM"]}, {"title": "ours"}],
                 "rows": [{"title": "score", "step": "say", "value": "score"},
                          {"title": "share", "step": "say", "value": "share", "as": "percent"},
                          {"title": "problems", "step": "check", "value": "problems"}],
                 "claims": [{"column": "ours", "at_least": [20, 20, None]}]}],
        texts=[{"title": "Texts", "step": "say", "value": "score", "by": ["seed"]}],
        plots=[{"file": "score.svg", "kind": "lines", "title": "Scores", "x_title": "seed", "y_title": "score",
                "series": [{"title": "ours", "step": "say", "x": "seed", "y": "score"}]}])
    docs = test.folder / "docs" / "results"
    docs.mkdir(parents=True)
    (docs / "README.md").write_text("# Mine\n\n<!-- results -->\n<!-- experiment: gone -->\nold\n<!-- end -->\n\nMore.\n")
    run = test.run("good")
    test.expect(run.returncode == 0, f"good: exit code {run.returncode}\n{run.stderr}")
    test.expect_in("step 5 of 5: say, seed 3", run.stderr, "progress")
    page = test.page("good")
    for part in ("# about good", "*Table 1 of the paper.*", "What *this* shows.", "| score | 7 | 20 ± 10 |",
                 "| share | – | 20 ± 10 |", "| problems | OOM | [] |", "✓ **holds**", "![Scores](score.svg)",
                 "neumann experiment good", "seeds: `1, 2, 3`", "| say | 3 |", "seed 2\n\n```\n20\n```"):
        test.expect_in(part, page, "page")
    test.expect("<svg" in (docs / "score.svg").read_text(), "a plot")
    overview = (docs / "README.md").read_text()
    test.expect_in("### [about good](good.md)", overview, "overview")
    test.expect_in("<!-- end -->\n\nMore.\n", overview, "overview")

    again = test.run("good", "--json")
    said = json.loads(again.stdout)[0]
    test.expect((said["ran"], said["reused"]) == (0, 5), f"nothing runs twice: {said}")
    test.expect(test.page("good") == page, "the same page from the same results")
    fresh = json.loads(test.run("good", "--json", "--fresh").stdout)[0]
    test.expect(fresh["ran"] == 5, "--fresh runs all")

    quick = test.run("good", "--quick", "--json")
    said = json.loads(quick.stdout)[0]
    test.expect(quick.returncode == 0 and said["ran"] == 3, f"--quick: {quick.stdout}{quick.stderr}")
    test.expect(said["tables"][0]["claims"] == [], "--quick claims nothing")
    quick_page = (test.folder / "results" / "good.quick" / "report" / "good.md").read_text()
    test.expect_in("A quick run", quick_page, "--quick")
    test.expect_in("| score | 7 | 10 |", quick_page, "no ± for one seed")
    test.expect_in("about good", test.run("--list").stdout, "--list")


def counting_steps(seconds):
    """Three steps that write their names to a log when they begin; the second takes a while."""
    mark = "echo {step} >> {work}/log"
    return [{"name": "first", "run": shell(mark.replace("{step}", "first"))},
            {"name": "slow", "run": shell(f"{mark.replace('{step}', 'slow')}; sleep {seconds}; echo done"),
             "values": {"word": {"match": "(.*)"}}},
            {"name": "last", "run": shell(mark.replace("{step}", "last"))}]


def test_documented(test):
    """The experiment of docs/experiments.md runs as it stands there."""
    page = (pathlib.Path(test.examples).parent / "docs" / "experiments.md").read_text()
    sample = page.split("```json\n", 1)[1].split("```", 1)[0]
    (test.folder / "experiments" / "documented.json").write_text(sample)
    run = test.run("documented", "--quick", "--json")
    test.expect(run.returncode == 0, run.stderr)
    test.expect(json.loads(run.stdout)[0]["tables"][0]["cells"] == {"close by": {"paper": "100", "softor": "100"}}, run.stdout)


def test_killed(test):
    """The second run sleeps for as long as a file says, so that the command stays the same."""
    wait = test.folder / "wait"
    steps = counting_steps(f"$(cat {wait})")
    for name, number in (("killed", signal.SIGKILL), ("stopped", signal.SIGINT), ("ended", signal.SIGTERM)):
        test.write(name, steps=steps)
        wait.write_text("100")
        run = test.start(name)
        log = test.folder / "results" / name / "log"
        test.wait_for(log)
        while "slow" not in log.read_text():
            time.sleep(0.01)
        children = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split()
        run.send_signal(number)
        _, errors = run.communicate(timeout=PATIENCE)
        for child in children:  # killed with it
            deadline = time.monotonic() + 10
            while os.path.exists(f"/proc/{child}") and time.monotonic() < deadline:
                time.sleep(0.01)
            test.expect(not os.path.exists(f"/proc/{child}"), f"{name}: the command goes on without its runner")
        if number != signal.SIGKILL:
            test.expect(run.returncode == 130, f"{name}: exit code {run.returncode}")
            test.expect_in("stopped in step 'slow'; the same command goes on", errors, name)
        wait.write_text("0")
        again = test.run(name)
        test.expect(again.returncode == 0, f"{name}, again: {again.returncode}\n{again.stderr}")
        test.expect(logged(test, name) == ["first", "slow", "slow", "last"], f"{name}: {logged(test, name)}")


def test_at_the_same_time(test):
    """Two runs in one folder would spoil each other."""
    begun = test.folder / "begun"
    test.write("slow", steps=[{"name": "wait", "run": shell(f"touch {begun}; sleep 30")}])
    first = test.start("slow")
    test.wait_for(begun)
    second = test.run("slow", "--fresh")
    test.expect(second.returncode == 2 and "another run is at work in results/slow" in second.stderr, second.stderr)
    first.send_signal(signal.SIGINT)
    test.expect(first.wait(timeout=PATIENCE) == 130, "the first one was not disturbed")


def test_changed(test):
    """A changed command runs again, and so do those that use its files; others do not."""
    log = test.folder / "changed.log"  # in {work} it would be a file that all of them use

    def steps(text):
        return [{"name": "make", "run": shell(f"echo make >> {log}; echo {text} > {{work}}/data")},
                {"name": "use", "run": shell(f"echo use >> {log}; cat {{work}}/data"), "values": {"text": {"match": "(.*)"}}},
                {"name": "other", "run": shell(f"echo other >> {log}")}]
    table = [{"title": "T", "columns": [{"title": "c"}], "rows": [{"title": "r", "step": "use", "value": "text"}]}]
    seen = []
    for text in ("one", "two", "one"):
        test.write("changed", steps=steps(text), tables=table)
        run = test.run("changed")
        test.expect(run.returncode == 0, run.stderr)
        test.expect_in(f"| r | {text} |", test.page("changed"), "changed")
        seen.append(log.read_text().split().count("use"))
    test.expect(seen == [1, 2, 3], f"the user of changed files ran {seen} times")
    test.expect(log.read_text().split().count("other") == 1, "what does not use them ran once")


def test_changed_sources(test):
    """So does a command whose script has changed; what another command has left is gone before it runs."""
    script = test.folder / "experiments" / "count.sh"
    steps = [{"name": "s", "run": ["sh", "{root}/experiments/count.sh", "{work}/file"], "values": {"lines": {"match": "(.*)"}}}]
    for text in ("one", "two"):
        script.write_text(f"echo {text} >> $1; tr '\\n' ' ' < $1")
        test.write("sources", steps=steps, texts=[{"title": "T", "step": "s", "value": "lines"}])
        run = test.run("sources")
        test.expect(run.returncode == 0, run.stderr)
        test.expect_in(f"```\n{text} \n```", test.page("sources"), "a script that changed")
    test.write("using", needs=["sources"], steps=[{"name": "u", "run": ["cat", "{work[sources]}/file"], "values": {"all": {"text": True}}}],
               texts=[{"title": "T", "step": "u", "value": "all"}])
    for text in ("two", "three"):
        script.write_text(f"echo {text} >> $1; tr '\\n' ' ' < $1")
        test.run("using")
        test.expect_in(f"```\n{text}", test.page("using"), "files of another experiment that changed")
    run = test.run("using")
    test.expect_in("sources: 0 runs, 1 from before", run.stdout, "a script that did not change")
    test.expect_in("using: 0 runs, 1 from before", run.stdout, "a file that did not change")
    (test.folder / "results" / "sources" / "left").write_text("from before")
    test.run("sources", "--fresh")
    test.expect(not (test.folder / "results" / "sources" / "left").exists(), "--fresh begins with an empty folder")


def test_failures(test):
    test.write("bad-step", steps=[{"name": "fails", "run": shell("echo so it is >&2; exit 3")},
                                  {"name": "never", "run": shell("touch {work}/never")}])
    test.write("no-value", steps=[{"name": "mute", "run": shell("echo hello"), "values": {"x": {"match": "(bye)"}}}])
    test.write("may-fail", steps=[
        {"name": "refuses", "may_fail": True, "run": shell("exit 4"),
         "values": {"x": {"match": "(.+)"}, "code": {"measured": "exit_code"}}},
        {"name": "sleeps", "may_fail": True, "limit_s": 0.3, "run": shell("sleep 100 & sleep 100"),
         "values": {"x": {"match": "(.+)"}, "late": {"measured": "timed_out"}}}],
        tables=[{"title": "T", "columns": [{"title": "x", "value": "x"}],
                 "rows": [{"title": "a", "step": "refuses", "failed": "OOM"}, {"title": "b", "step": "refuses"},
                          {"title": "c", "step": "sleeps"}]}])
    test.write("late", steps=[{"name": "sleeps", "limit_s": 0.2, "run": shell("sleep 100")}])
    test.write("claims", steps=[{"name": "say", "run": shell("echo 5"), "values": {"x": {"match": "(.+)"}}}],
               tables=[{"title": "T", "columns": [{"title": "x"}], "rows": [{"title": "r", "step": "say", "value": "x"}],
                        "claims": [{"row": "r", "at_least": 6, "why": "It is *too small*."},
                                   {"row": "r", "equal": [5]}, {"row": "r", "at_most": 1, "times": "r"}]}])
    run = test.run("bad-step", "may-fail")
    test.expect(run.returncode == 1, f"a failed step: exit code {run.returncode}")
    for part in ("step 'fails': failed with exit code 3", "so it is", "steps/fails-", "again to go on"):
        test.expect_in(part, run.stderr, "a failed step")
    test.expect(not (test.folder / "results" / "bad-step" / "never").exists(), "nothing runs behind a failed step")
    page = test.page("may-fail")  # the next experiment was run
    for part in ("| a | OOM |", "| b | failed (4) |", "| c | > 0.3"):
        test.expect_in(part, page, "may_fail")
    run = test.run("no-value")
    test.expect(run.returncode == 1, f"a missing value: exit code {run.returncode}")
    test.expect_in("value 'x': nothing matches '(bye)'", run.stderr, "a missing value")
    run = test.run("late")
    test.expect(run.returncode == 1, f"a time limit: exit code {run.returncode}")
    test.expect_in("stopped at its limit of 0.2 s", run.stderr, "a time limit")
    run = test.run("claims")
    test.expect(run.returncode == 1, f"a claim: exit code {run.returncode}")
    test.expect_in("does not hold: r: at least 6; found x: 5", run.stderr, "a claim")
    test.expect_in("✗ **does not hold**: r: at least 6. Found: x: 5. It is *too small*.", test.page("claims"), "a claim")
    test.expect(test.page("claims").count("✓") == 2, "two claims hold")


def test_baselines(test):
    test.write("based", settings={"seeds": [1, 2]},
               steps=[{"name": "data", "run": shell("echo 3 > {work}/data; echo data >> {work}/log")},
                      {"name": "unneeded", "run": shell("echo unneeded >> {work}/log")}],
               baselines=[{"name": "net", "for": {"seed": "seeds"}, "run": shell("cat {work}/data; echo {seed} >> {work}/log"),
                           "values": {"x": {"match": "(.+)"}}}],
               tables=[{"title": "T", "columns": [{"title": "x", "value": "x"}], "rows": [{"title": "net", "baseline": "net"}]}])
    run = test.run("based")
    test.expect_in("| net | not run |", test.page("based"), "without baselines")
    run = test.run("based", "--baselines", "--results", "elsewhere")
    test.expect(run.returncode == 0, run.stderr)
    log = (test.folder / "elsewhere" / "based" / "log").read_text().split()
    test.expect(log == ["data", "1", "2"], f"baselines run with what they need: {log}")
    kept = json.loads((test.folder / "experiments" / "baselines" / "based-net.json").read_text())
    test.expect([one["for"]["seed"] for one in kept["runs"]] == [1, 2], f"kept: {kept}")
    test.expect("processor" in kept["runs"][0]["machine"], "with the machine")
    test.run("based", "--only-report")
    test.expect_in("| net | 3 ± 0 |", test.page("based"), "with baselines")


def test_wrong_files(test):
    step = {"name": "s", "run": ["true"], "values": {"x": {"match": "(.)"}}}
    cases = [
        ({"steps": [{**step, "ran": 1}]}, "/steps/0: unknown key 'ran'; did you mean 'run'?"),
        ({"steps": [step, step]}, "/steps/1/name: this name is used twice"),
        ({"steps": [{**step, "run": ["{sed}"]}], "settings": {"seed": 1}}, "/steps/0/run: there is no setting or loop"),
        ({"steps": [{**step, "for": {"a": "lists"}}]}, "/steps/0/for/a: there is no setting 'lists'"),
        ({"settings": {"a": 1}, "quick": {"b": 1}}, "/quick: unknown key 'b'"),
        ({"steps": [step], "tables": [{"title": "t", "columns": [{"title": "c"}],
                                       "rows": [{"title": "r", "step": "z", "value": "x"}]}]},
         "/tables/0/rows/0/step: there is no step 'z'"),
        ({"steps": [step], "tables": [{"title": "t", "columns": [{"title": "c", "where": {"k": 1}}],
                                       "rows": [{"title": "r", "step": "s", "value": "x"}]}]},
         "/tables/0/rows/0: 's' has no loop variable 'k'"),
        ({"steps": [step], "texts": [{"title": "t", "step": "s", "value": "y"}]}, "/texts/0: 's' has no value 'y'"),
        ({"steps": [{**step, "may_fail": "yes"}]}, "/steps/0/may_fail: expected true or false"),
        ({"steps": [{"name": "s"}]}, "/steps/0: 'run' is missing"),
        ({"settings": {"none": []}, "steps": [{"name": "s", "run": ["{none}"]}]}, "/steps/0/run: nothing is left of the command"),
        ({"steps": [{**step, "for": {"i": [1, 2]}}], "texts": [{"title": "t", "step": "s", "value": "x", "where": {"i": "1"}}]},
         "/texts/0: 'i' of 's' is 1, not \"1\""),
    ]
    for content, problem in cases:
        test.write("wrong", **content)
        run = test.run("wrong")
        test.expect(run.returncode == 2, f"{problem}: exit code {run.returncode}")
        test.expect_in(f"experiments/wrong.json: {problem}", run.stderr, "a wrong file")
        test.expect(not (test.folder / "results" / "wrong").exists(), f"{problem}: nothing ran")
    file = test.folder / "experiments" / "wrong.json"
    file.write_text('{"title": "x",\n # no\n}')
    run = test.run("wrong")
    test.expect(run.returncode == 2 and "wrong.json" in run.stderr and "line 2" in run.stderr, run.stderr)
    run = test.run("--list")
    test.expect(run.returncode == 2 and "about good" in run.stdout and "wrong.json" in run.stderr, "--list shows the others")
    test.write("needy", needs=["wrong"])
    run = test.run("needy")
    test.expect(run.returncode == 2 and "line 2" in run.stderr, f"needs a wrong file: {run.stderr}")
    file.unlink()
    run = test.run("needy")
    test.expect_in("experiments/needy.json: /needs: there is no experiment 'wrong'", run.stderr, "needs what is not there")
    (test.folder / "experiments" / "needy.json").unlink()
    page = test.page("good")
    run = test.run("good", "--only-report", "--results", "empty")
    test.expect(run.returncode == 1 and "nothing of it has run" in run.stderr, f"--only-report of nothing: {run.stderr}")
    test.expect(test.page("good") == page, "--only-report of nothing leaves the page alone")
    (test.folder / "a-file").write_text("")
    run = test.run("good", "--results", "a-file")
    test.expect(run.returncode == 2 and "cannot make the folder a-file" in run.stderr, run.stderr)
    run = test.run("good", "--experiments", "nowhere")
    test.expect(run.returncode == 2 and "--experiments DIR" in run.stderr, run.stderr)
    run = test.run("god")
    test.expect(run.returncode == 2 and "did you mean 'good'?" in run.stderr, run.stderr)


def main():
    neumann, examples = (str(pathlib.Path(one).resolve()) for one in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        test = Test(neumann, examples, pathlib.Path(folder))
        for part in (test_tables, test_documented, test_killed, test_at_the_same_time, test_changed, test_changed_sources, test_failures, test_baselines, test_wrong_files):
            part(test)
    print("ok" if test.failed == 0 else f"{test.failed} failed")
    return 0 if test.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
