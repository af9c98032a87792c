#!/usr/bin/env python3
"""Disturbs `neumann learn`: learn_resume_test.py NEUMANN EXAMPLES [--kills N] [--seed S]

A run that is killed at random moments and resumed writes the same as an undisturbed one, to the byte: the program, scores
and losses. So does one that is run again, on another number of threads, or stopped by Ctrl-C and resumed. What is stopped
leaves a valid program. A journal that is damaged or of another run is refused.
"""
import argparse
import csv
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 300  # seconds until a run counts as stuck
SMALL = ["--samples", "6", "--trials", "4"]
ENDLESS = ["--epochs", "1000000", "--patience", "1000000"]


class Test:
    def __init__(self, neumann, examples, folder, seed):
        self.neumann, self.folder = neumann, folder
        self.random = random.Random(seed)
        self.failed = 0
        data = folder / "data"
        subprocess.run([neumann, "generate", "clevr-list", "delete", "-n", "100", "-o", data], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.data = {part: data / part / "examples.jsonl" for part in ("train", "val", "test")}
        self.program = examples / "lists" / "delete.nm"

    def expect(self, holds, what):
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}")

    def start(self, out, *options, **data):
        files = [f"--{part}={file}" for part, file in {**self.data, **data}.items()]
        command = [self.neumann, "learn", self.program, *files, "--out", out, "--report", out.with_suffix(""), *options]
        return subprocess.Popen([*command, "--json", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, run):
        """Exit code, what it says (but for the time it took) and its errors."""
        try:
            output, errors = run.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            run.kill()
            raise
        said = json.loads(output) if run.returncode in (0, 130) else None
        if said:
            for timed in ("seconds", "scoring_seconds", "diagnosis_seconds"):
                said.pop(timed)
        return run.returncode, said, errors

    def journal(self, out):
        return out.with_name(out.name + ".journal")

    def steps(self, out):
        return json.loads(self.journal(out).read_bytes())["steps"] if self.journal(out).exists() else {}

    def left(self, out):
        """All that a run has written, but for the time that it took."""
        if not out.exists():
            return None
        with (out.with_suffix("") / "rounds.csv").open() as file:
            rounds = [{**row, "seconds": None, "scoring_seconds": None} for row in csv.DictReader(file)]
        return out.read_text(), rounds, (out.with_suffix("") / "epochs.csv").read_text()

    def wait_for(self, run, happens):
        """Until the run has recorded what is waited for; it may end before."""
        deadline = time.monotonic() + PATIENCE
        while run.poll() is None and not happens():
            time.sleep(0.005)
            if time.monotonic() > deadline:
                run.kill()

    def begun(self, run, out):
        self.wait_for(run, self.journal(out).exists)

    def kill(self, run):
        """Whether it was in time."""
        run.kill()
        run.wait()
        return run.returncode == -signal.SIGKILL

    def threads(self):
        """The same on any number of threads; what the other tests compare with."""
        results = []
        for number, threads in enumerate(("1", "2", "2")):
            out = self.folder / f"threads{number}.nm"
            code, said, errors = self.end(self.start(out, *SMALL, "--threads", threads))
            self.expect(code == 0, f"exit code {code}: {errors}")
            self.expect(not self.journal(out).exists(), "a finished run leaves no journal")
            results.append((said, self.left(out)))
        self.undisturbed = results[0]
        self.expect(self.undisturbed[0]["complete"], "an undisturbed run is complete")
        self.expect(results[0] == results[1], f"1 and 2 threads differ:\n{results[0][0]}\n{results[1][0]}")
        self.expect(results[1] == results[2], f"the same run twice differs:\n{results[1][0]}\n{results[2][0]}")

    def same(self, out, code, said, errors, what):
        self.expect(code == 0, f"{what}: exit code {code}: {errors}")
        self.expect((said, self.left(out)) == self.undisturbed,
                    f"{what}: {said} instead of {self.undisturbed[0]}, or the files differ")
        self.expect(not self.journal(out).exists(), f"{what}: a finished run leaves no journal")

    def kills(self, count):
        out = self.folder / "killed.nm"
        killed = runs = 0
        while killed < count and runs < 10 * count:
            runs += 1
            out.unlink(missing_ok=True)
            resume = []
            while True:
                run = self.start(out, *SMALL, *resume)
                if killed == count:
                    break
                self.begun(run, out)
                time.sleep(self.random.uniform(0, 0.5))
                if not self.kill(run):
                    break
                run.communicate()
                killed += 1
                resume = ["--resume"]
            self.same(out, *self.end(run), f"run {runs}, killed {killed} times by now")
        self.expect(killed == count, f"only {killed} kills came in time")

    def stopped(self, out, code, said, errors, what, expected=0):
        self.expect(code == expected, f"{what}: exit code {code}: {errors}")
        self.expect(said and not said["complete"], f"{what}: it says that it is not complete: {said}")
        self.expect(self.journal(out).exists(), f"{what}: its journal stays")
        check = subprocess.run([self.neumann, "check", out], capture_output=True, text=True)
        self.expect(check.returncode == 0, f"{what}: neumann check says\n{check.stderr}")

    def stop(self):
        for wait in (0, 0.5):
            out = self.folder / f"stopped{wait}.nm"
            run = self.start(out, *ENDLESS)
            self.begun(run, out)
            time.sleep(wait)
            run.send_signal(signal.SIGINT)
            self.stopped(out, *self.end(run), f"Ctrl-C {wait} s after the first step", 130)
        out = self.folder / "limited.nm"
        self.stopped(out, *self.end(self.start(out, *ENDLESS, "--time-limit", "0.3")), "--time-limit 0.3")
        out = self.folder / "resumed.nm"
        run = self.start(out, *SMALL)
        self.begun(run, out)
        run.send_signal(signal.SIGINT)
        self.expect(self.end(run)[0] == 130, "Ctrl-C gives exit code 130")
        self.same(out, *self.end(self.start(out, *SMALL, "--resume")), "resumed after Ctrl-C")

    def resume_goes_on(self):
        """What was recorded is used: the first thing that a resumed run records comes on top of it."""
        out = self.folder / "goes_on.nm"
        run = self.start(out, *ENDLESS)
        self.wait_for(run, lambda: any("/weights " in step for step in self.steps(out)))
        self.expect(self.kill(run), "an endless run has been killed")
        run.communicate()
        before, changed = self.steps(out), self.journal(out).stat().st_mtime_ns
        run = self.start(out, *ENDLESS, "--resume")
        self.wait_for(run, lambda: self.journal(out).stat().st_mtime_ns != changed)
        self.expect(self.kill(run), "a resumed endless run has been killed")
        run.communicate()
        after = self.steps(out)
        rounds = [step for step in before if "/round " in step]
        self.expect(rounds and all(before[step] == after.get(step) for step in rounds), "a resumed run goes on")
        journal = json.loads(self.journal(out).read_bytes())
        for field in ("logits", "epochs"):
            steps = json.loads(json.dumps(after))
            for record in steps.values():
                record.get("weights", {}).pop(field, None)
            self.journal(out).write_text(json.dumps({**journal, "steps": steps}))
            self.refused(out, [*ENDLESS, "--time-limit", "1"], "cannot be resumed", f"resumed without {field}")

    def refused(self, out, options, message, what, **data):
        code, _, errors = self.end(self.start(out, *options, "--resume", **data))
        self.expect(code == 2 and message in errors, f"{what}: exit code {code}: {errors}")

    def refusals(self):
        out = self.folder / "refused.nm"
        run = self.start(out, *SMALL)
        self.begun(run, out)
        self.kill(run)
        run.communicate()
        journal = self.journal(out)
        text = journal.read_bytes()
        for options in (["--seed", "2"], ["--lr", "0.02"], ["--search", "beam"]):
            self.refused(out, [*SMALL, *options], "cannot be resumed", f"resumed with other options {options}")
        self.refused(out, SMALL, "cannot be resumed", "resumed with other examples", train=self.data["val"])
        self.expect(journal.exists() and journal.read_bytes() == text, "a journal that is refused stays as it is")
        for damaged in (text[:len(text) // 2], text[1:], b"", b"[]", b'{"format": 1}'):
            journal.write_bytes(damaged)
            self.refused(out, SMALL, "cannot be resumed", f"resumed with the journal {damaged[:50]}…")
        journal.write_bytes(text)
        self.same(out, *self.end(self.start(out, *SMALL, "--resume")), "resumed after refusals")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("examples", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which it is killed")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        test = Test(options.neumann, options.examples, pathlib.Path(name), options.seed)
        test.threads()
        test.kills(options.kills)
        test.stop()
        test.resume_goes_on()
        test.refusals()
    print(f"{test.failed} checks failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
