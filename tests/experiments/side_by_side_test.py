#!/usr/bin/env python3
"""Experiments that run at the same time."""
import os
import pathlib
import signal
import tempfile
import unittest

from runs import RunTest, shell


class SideBySide(RunTest):
    def setUp(self):
        super().setUp()
        apart = tempfile.TemporaryDirectory()  # a file under {root} that changes would be a reason to run again
        self.addCleanup(apart.cleanup)
        self.apart = pathlib.Path(apart.name)
        self.log = self.apart / "log"

    def noting(self, name, seconds="0.1"):
        return [{"name": "note", "run": shell(f"echo {name}+ >> {self.log}; sleep {seconds}; echo {name}- >> {self.log}; echo done"),
                 "values": {"word": {"text": True}}}]

    def noted(self):
        return self.log.read_text().split() if self.log.exists() else []

    def test_two_are_at_work_at_once(self):
        for one, other in (("a", "b"), ("b", "a")):
            self.write(one, steps=[{"name": "meet", "run": shell(f"touch {self.apart}/{one}; while [ ! -e {self.apart}/{other} ]; do sleep 0.01; done; echo met"), "limit_s": 60, "values": {"word": {"text": True}}}],
                       texts=[{"title": "Word", "step": "meet", "value": "word"}])
        run = self.run_it("all", "--jobs", "2")
        self.assertIn("a: 1 run, 0 from before", run.stdout)
        for name in "ab":
            self.assertIn("met", self.page(name))
        self.assertIn("b: 0 runs, 1 from before", self.run_it("all", "--jobs", "2").stdout)
        self.assertIn("b: 1 run, 0 from before", self.run_it("all", "--fresh").stdout)

    def test_needs_come_first_and_what_measures_time_runs_alone(self):
        self.write("timed", alone=True, order=1, steps=self.noting("timed"))
        self.write("user", order=2, needs=["base"], steps=self.noting("user"))
        self.write("base", order=3, steps=self.noting("base"))
        self.write("other", order=4, steps=self.noting("other", "0.5"))
        self.run_it("all", "--jobs", "3")
        words = self.noted()
        self.assertEqual(words[-2:], ["timed+", "timed-"])
        self.assertLess(words.index("base-"), words.index("user+"))
        self.assertLess(words.index("other+"), words.index("base-"))

    def test_the_longest_begins_first(self):
        for name, minutes in (("short", 1), ("unknown", None), ("long", 30)):
            self.write(name, steps=self.noting(name), **({} if minutes is None else {"minutes": minutes}))
        self.write("user", needs=["short"], minutes=50, steps=self.noting("user"))
        self.run_it("all", "--jobs", "2")
        begun = [word for word in self.noted() if word.endswith("+")]
        self.assertEqual(set(begun[:2]), {"long+", "short+"})  # the user waits for what it needs

    def test_what_a_long_one_needs_begins_before(self):
        for name, minutes in (("short", 1), ("other", 2), ("middle", 30)):
            self.write(name, minutes=minutes, steps=self.noting(name))
        self.write("user", needs=["short"], minutes=50, steps=self.noting("user"))
        self.run_it("all", "--jobs", "2")
        begun = [word for word in self.noted() if word.endswith("+")]
        self.assertEqual(set(begun[:2]), {"short+", "middle+"})

    def test_cores_are_shared(self):
        cores = sorted(os.sched_getaffinity(0))
        for name in "ab":
            self.write(name, steps=[{"name": "meet", "run": shell(f"taskset -pc $$ | sed 's/.*: //' > {self.apart}/{name}; echo {{threads}}; while [ ! -e {self.apart}/a ] || [ ! -e {self.apart}/b ]; do sleep 0.01; done"), "limit_s": 60}])
        self.write("timed", alone=True, steps=[{"name": "cores", "run": shell(f"nproc > {self.apart}/timed")}])
        self.run_it("all", "--jobs", "2")
        of_a, of_b = (self.apart / "a").read_text(), (self.apart / "b").read_text()
        if len(cores) > 1:
            self.assertNotEqual(of_a, of_b)
        self.assertEqual((self.apart / "timed").read_text().strip(), str(len(cores)))

    def test_the_last_one_has_all_cores(self):
        self.write("short", steps=[{"name": "end", "run": shell(f"touch {self.apart}/ended")}])
        self.write("long", minutes=9, steps=[
            {"name": "wait", "run": shell(f"while [ ! -e {self.apart}/ended ]; do sleep 0.01; done; sleep 1"), "limit_s": 60},
            {"name": "cores", "run": shell(f"nproc > {self.apart}/cores")}])
        self.run_it("all", "--jobs", "2")
        self.assertEqual((self.apart / "cores").read_text().strip(), str(len(os.sched_getaffinity(0))))

    def test_one_that_fails_leaves_the_others(self):
        self.write("bad", steps=[{"name": "fail", "run": shell("echo wrong >&2; exit 3")}])
        self.write("good", steps=self.noting("good"))
        run = self.run_it("all", expect=1)
        self.assertIn("exit code 3", run.stderr)
        self.assertIn("good: 1 run", run.stdout)

    def test_all_stop_and_go_on(self):
        wait = self.folder / "wait"
        wait.write_text("100")
        for name in ("one", "two"):
            self.write(name, steps=[{"name": "first", "run": shell(f"echo {name} >> {self.log}")},
                                    {"name": "slow", "run": shell(f"echo {name}+ >> {self.log}; sleep $(cat {wait})")}])
        run = self.start("all")
        self.wait_until(lambda: {"one+", "two+"} <= set(self.noted()), "both are at work")
        run.send_signal(signal.SIGTERM)
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, errors)
        self.assertIn("goes on from there", errors)
        wait.write_text("0")
        self.assertIn("one: 1 run, 1 from before", self.run_it("all").stdout)

    def test_a_number_is_wanted(self):
        self.write("good", steps=self.noting("good"))
        self.assertIn("expected a number", self.run_it("all", "--jobs", "0", expect=2).stderr)


if __name__ == "__main__":
    unittest.main()
