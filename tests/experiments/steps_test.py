#!/usr/bin/env python3
"""Commands and their records: placeholders, loops, who makes whose files, what is used again, what is left."""
import contextlib
import io
import pathlib
import tempfile
import unittest

from written_experiments import experiment_from, record_of

from runner.errors import PlaceholderError
from runner.placeholders import Placeholders, bindings_text
from runner.progress import Progress, cut_to, one_line
from runner.records import RecordFolder, tail_of
from runner.steps import RunFolders, expand_steps, needed_for_baselines, quoted_command

FOLDERS = RunFolders(pathlib.Path("results"), pathlib.Path("/root"), "/bin/neumann", 2)


class PlaceholdersTest(unittest.TestCase):
    def setUp(self):
        settings = {"n": 3, "list": ["a", "b{n}"], "by": {"x": "ex", "1": ["p", "q"]}, "key": "x"}
        self.placeholders = Placeholders(settings, {"work": "results/test", "work[other]": "results/other"})
        self.bindings = {"seed": 1, "name": "x"}

    def fill(self, text):
        return self.placeholders.fill(text, self.bindings)

    def test_fills_in_what_is_known(self):
        self.assertEqual(self.fill("{work}/{seed}-{n}"), "results/test/1-3")
        self.assertEqual(self.fill("{work[other]}/a"), "results/other/a")
        self.assertEqual(self.fill("{by[name]} {by[key]}"), "ex ex")
        self.assertEqual(self.placeholders.fill_arguments(["{list}", "{by[seed]}", "-{n}"], self.bindings),
                         ["a", "b3", "p", "q", "-3"])

    def test_other_braces_stay(self):
        same = '{} { seed } {"a": {"b": 1}} ${x y}'
        self.assertEqual(self.fill("{{seed}} " + same), "{seed} " + same)
        self.assertEqual(self.fill("{{seed} {{{seed}}}"), "{1 {{seed}}")

    def test_refuses_what_is_not_known(self):
        for text in ("{nothing}", "{list}", "{by[n]}", "{n[seed]}"):
            with self.assertRaises(PlaceholderError, msg=text):
                self.fill(text)


def chain(size):
    experiment = experiment_from({"title": "t", "steps": [
        {"name": "make", "run": ["make", "-n", size, "-o", "{work}/data"]},
        {"name": "use", "run": ["use", "{work}/data/train", "--out={work}/model"]},
        {"name": "other", "run": ["other", "{work}/data2"]},
        {"name": "last", "run": ["sh", "-c", "cat {work}/model > {work}/sum"]}],
        "baselines": [{"name": "net", "run": ["net", "{work}/data"]}]})
    return expand_steps(experiment, FOLDERS)


class StepsTest(unittest.TestCase):
    def test_run_through_all_loops(self):
        experiment = experiment_from({"title": "t", "settings": {"seeds": [1, 2]}, "steps": [
            {"name": "s", "for": {"kind": ["a", "b"], "seed": "seeds"},
             "run": ["neumann", "{kind}{seed}", "{work}/x", "{threads}"]}]})
        instances = expand_steps(experiment, FOLDERS)
        self.assertEqual(len(instances), 4)
        self.assertEqual(bindings_text(instances[1].bindings), "kind a, seed 2")
        self.assertEqual(instances[1].run, ["neumann", "a2", "results/test/x", "2"])
        self.assertEqual(instances[1].shown, ["neumann", "a2", "{work}/x", "{threads}"])
        self.assertNotEqual(instances[0].key, instances[1].key)
        elsewhere = RunFolders(pathlib.Path("other"), pathlib.Path("/somewhere"), "/usr/bin/neumann", 16)
        self.assertEqual(expand_steps(experiment, elsewhere)[1].key, instances[1].key)  # the same on every machine

    def test_know_who_makes_their_files(self):
        small, large = chain("1"), chain("2")
        self.assertEqual([one.makers for one in small], [[], [0], [], [1], [0]])
        self.assertEqual([one.made for one in small], [["data"], ["model"], ["data2"], ["sum"], []])
        self.assertEqual(needed_for_baselines(small), [True, False, False, False, True])
        changed = [one.key != other.key for one, other in zip(small, large)]
        self.assertEqual(changed, [True, True, False, True, True])

    def test_never_make_the_whole_folder(self):
        experiment = experiment_from({"title": "t", "steps": [{"name": "s", "run": ["x", "{work}/", "{work}/../y"]}]})
        self.assertEqual(expand_steps(experiment, FOLDERS)[0].made, [])

    def test_are_quoted_for_a_shell(self):
        self.assertEqual(quoted_command(["a", "{work}/b", "it's", ""]), "a {work}/b 'it'\\''s' ''")


class RecordsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.records = RecordFolder(self.folder)

    def test_are_used_again_unless_the_command_changed(self):
        small, large = chain("1")[0], chain("2")[0]
        self.assertIsNone(self.records.find(small))
        record = record_of({}, {"x": 7})
        record.seconds, record.errors, record.binary, record.commit = 1.5, "\udcff broken", "b1", "c1"  # no UTF-8
        self.records.keep(small, record)
        found = self.records.find(small)
        self.assertEqual((found.values, found.seconds, found.binary, found.commit), ({"x": 7}, 1.5, "b1", "c1"))
        self.assertIsNone(self.records.find(large))
        self.assertTrue(self.records.forget(large, "b1"))  # about to run: what the other command left is overwritten
        self.assertIsNone(self.records.find(small))
        for broken in ('{"for":', "[]", '{"for": {}}', '{"for": {}, "seconds": "1"}'):
            (self.folder / f"make-{small.key}.json").write_text(broken)
            self.assertIsNone(self.records.find(small), broken)

    def test_of_another_binary_are_told_apart(self):
        step = chain("1")[0]
        for binary, another in (("b1", False), ("b2", True)):
            record = record_of({}, {})
            record.binary = "b1"
            self.records.keep(step, record)
            self.assertEqual(self.records.forget(step, binary), another)

    def test_forget_only_their_own(self):
        experiment = experiment_from({"title": "t", "steps": [
            {"name": "a", "for": {"seed": [1, 2]}, "run": ["x", "{seed}"]},
            {"name": "a-b", "for": {"seed": [1]}, "run": ["y"]}]})
        instances = expand_steps(experiment, FOLDERS)
        for one in instances:
            self.records.keep(one, record_of(one.bindings, {}))
        self.records.forget(instances[0], "unknown")
        self.assertEqual([self.records.find(one) is not None for one in instances], [False, True, True])

    def test_keep_the_end_of_long_errors(self):
        def tail(content, *most):
            file = self.folder / "errors"
            file.write_bytes(content)
            return tail_of(file, *most)

        self.assertEqual(tail(b"one\ntwo\nthree\n", 8), "three\n")
        self.assertEqual(tail(b"one\n"), "one\n")
        self.assertEqual(tail("ääää".encode(), 3), "ä")
        self.assertEqual(tail_of(self.folder / "none"), "")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class ProgressTest(unittest.TestCase):
    def test_tells_what_is_left(self):
        with contextlib.redirect_stderr(Terminal()) as said:
            progress = Progress("test", ["a", "a", "b"])
            progress.begins(0, "seed 1")
            progress.took(0, 30)
            progress.ends("30 s")
            progress.begins(1, "seed 2")
            progress.waits(10)
            progress.clear()
        shown = said.getvalue().split("\r\x1b[K")
        self.assertEqual(shown[1:], ["test: step 1 of 3: a, seed 1 … 0 s",
                                     "test: step 1 of 3: a, seed 1: 30 s, more than 30 s left\n",
                                     "test: step 2 of 3: a, seed 2 … 0 s, more than 30 s left",
                                     "test: step 2 of 3: a, seed 2 … 10 s, more than 20 s left", ""])

    def test_lines_fit(self):
        self.assertEqual(one_line("a\n\tb\x1b"), "a\\n\\tb\ufffd")
        self.assertEqual([cut_to("abcd", 4), cut_to("abcde", 4), cut_to("日本語", 4)], ["abcd", "abc…", "日…"])


if __name__ == "__main__":
    unittest.main()
