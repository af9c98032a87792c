#!/usr/bin/env python3
"""Values taken from outputs, and child processes."""
import pathlib
import tempfile
import unittest

from written_experiments import experiment_from

from runner.child import ChildOutcome, run_child
from runner.errors import ValueNotFound
from runner.placeholders import Placeholders
from runner.values import step_values


def value(declared, output, errors=""):
    """The value that a declaration takes from these outputs, or what is wrong."""
    experiment = experiment_from({"title": "t", "settings": {"part": "b"}, "steps": [
        {"name": "s", "run": ["x"], "values": {"x": declared}}]})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "file.csv").write_text('epoch,"the loss"\n1,0.5\n2,\n3,0.25\n')
        (folder / "out").write_text(output, newline="")
        (folder / "err").write_text(errors)
        placeholders = Placeholders(experiment.settings, {"work": name})
        try:
            return step_values(experiment.steps[0], {}, placeholders, folder / "out", folder / "err",
                               ChildOutcome(3, True, False, 1.5, 1000), lenient=False)["x"]
        except ValueNotFound as error:
            return str(error).split(" (in ")[0]


class ValuesTest(unittest.TestCase):
    def test_come_from_json(self):
        text = '{"a": {"b": [1, 2.5], "c/d": 3}}'
        lines = '{"a": 1}\n{"a": 2}\n\n'
        self.assertEqual(value({"json": "/a/b/1"}, text), 2.5)
        self.assertEqual(value({"json": "/a/{part}"}, text), [1, 2.5])
        self.assertEqual(value({"json": "/a/c~1d"}, text), 3)
        self.assertEqual(value({"json": ""}, "7"), 7)
        for pointer in ("/a/c", "/a/b/2", "/a/b/-1", "/a/b/01"):
            self.assertEqual(value({"json": pointer}, text), f"value 'x': no {pointer}")
        self.assertEqual(value({"json": "/a"}, "oops"), "value 'x': not JSON")
        self.assertEqual(value({"json": "/a"}, '{"a": NaN}'), "value 'x': not JSON")
        self.assertEqual(value({"json": "/a", "jsonl": -1}, lines), 2)
        self.assertEqual(value({"json": "/a", "jsonl": 0}, lines), 1)
        self.assertEqual(value({"json": "/a", "jsonl": 2}, lines), "value 'x': no line 2 of 2")

    def test_come_from_text(self):
        self.assertEqual(value({"match": "acc: ([0-9.]+)"}, "x\nacc: 0.5\nacc: 7\n"), 0.5)
        self.assertEqual(value({"match": "acc: ([0-9.]+)", "which": "last"}, "acc: 0.5\r\nacc: 7\r\n"), 7)
        self.assertEqual(value({"match": "acc: ([0-9.]+)", "which": "all"}, "acc: 0.5\nacc: 7\n"), [0.5, 7])
        self.assertEqual(value({"match": "(p.*)", "which": "all"}, "p(a).\nq.\np(b).\n"), "p(a).\np(b).")
        self.assertEqual(value({"match": "(.+)", "in": "stderr"}, "no", "yes"), "yes")
        self.assertEqual(value({"match": "(no)"}, "yes"), "value 'x': nothing matches '(no)'")
        self.assertEqual(value({"text": True}, "a\nb\n\n"), "a\nb")
        self.assertEqual(value({"match": "(x*)y"}, "x" * (1 << 20) + "\nxy"), "x")  # in no time
        for text in ("1_000", "+1", "inf", "nan", "1e999", "٣"):
            self.assertEqual(value({"match": "(.+)"}, text), text)  # texts, not numbers
        self.assertEqual(value({"match": "(.+)"}, "-1.5e3"), -1500)

    def test_come_from_files_and_measurements(self):
        self.assertEqual(value({"file": "{work}/file.csv", "csv": "the loss"}, ""), [0.5, None, 0.25])
        self.assertEqual(value({"file": "{work}/file.csv", "csv": "gain"}, ""), "value 'x': no column 'gain'")
        self.assertIn("value 'x': ", value({"file": "{work}/none", "text": True}, ""))
        measured = {"seconds": 1.5, "peak_bytes": 1000, "exit_code": 3, "timed_out": 1}
        self.assertEqual({what: value({"measured": what}, "") for what in measured}, measured)

    def test_are_computed(self):
        experiment = experiment_from({"title": "t", "steps": [{"name": "s", "run": ["x"], "values": {
            "a": {"measured": "exit_code"}, "b": {"sum": ["a", "a"]}, "c": {"ratio": ["a", "b"]}}}]})

        def values(exit_code, lenient):
            return step_values(experiment.steps[0], {}, Placeholders({}, {}), "", "", ChildOutcome(exit_code), lenient)

        self.assertEqual(values(3, False), {"a": 3, "b": 6, "c": 0.5})
        self.assertEqual(values(0, True), {"a": 0, "b": 0})
        with self.assertRaisesRegex(ValueNotFound, "value 'c': division by 0"):
            values(0, False)


class ChildTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out, self.err = (pathlib.Path(folder.name) / name for name in ("out", "err"))

    def run_shell(self, script, limit=0):
        return run_child(["/bin/sh", "-c", script], self.out, self.err, limit)

    def test_tell_what_became_of_them(self):
        self.assertEqual(self.run_shell("exit 0").exit_code, 0)
        self.assertEqual(self.run_shell("exit 7").exit_code, 7)
        self.assertEqual(self.run_shell("kill -9 $$").exit_code, 137)
        self.run_shell("echo a; echo b >&2")
        self.assertEqual((self.out.read_text(), self.err.read_text()), ("a\n", "b\n"))
        self.assertEqual(run_child(["/no/such/command"], self.out, self.err).exit_code, 127)
        self.assertEqual(self.err.read_text(), "cannot start /no/such/command: No such file or directory\n")

    def test_end_at_their_limit_or_when_told(self):
        late = self.run_shell("sleep 100 & sleep 100", 0.1)
        self.assertTrue(late.timed_out and not late.stopped)
        self.assertLess(late.seconds, 50)
        stopped = run_child(["sleep", "100"], self.out, self.err, stop=lambda: True)
        self.assertTrue(stopped.stopped and not stopped.timed_out)

    def test_have_their_memory_measured(self):
        """That of a small command is not that of this process; that of a large one is not missed."""
        own = bytearray(200 << 20)
        self.assertLess(self.run_shell("sleep 0.1").peak_bytes, 50 << 20)
        large = run_child(["python3", "-c", "len(bytearray(300 << 20))"], self.out, self.err)
        self.assertGreater(large.peak_bytes, 250 << 20)
        del own


if __name__ == "__main__":
    unittest.main()
