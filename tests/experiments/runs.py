"""What the tests of whole runs share: a folder with experiments of its own, and experiments/run.py run in it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from written_experiments import REPOSITORY

PATIENCE = 120  # seconds until a run counts as stuck


def shell(script):
    return ["/bin/sh", "-c", script]


class RunTest(unittest.TestCase):
    """The command neumann is named by the environment variable NEUMANN; otherwise it is build/neumann."""

    def setUp(self):
        self.neumann = os.environ.get("NEUMANN", str(REPOSITORY / "build" / "neumann"))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        (self.folder / "experiments").mkdir()
        (self.folder / "examples").symlink_to(REPOSITORY / "examples")

    def write(self, name, **content):
        file = self.folder / "experiments" / f"{name}.json"
        file.write_text(json.dumps({"title": f"about {name}", **content}), encoding="utf-8")
        return file

    def command(self, *arguments):
        return [sys.executable, REPOSITORY / "experiments" / "run.py", "--experiments", "experiments",
                "--neumann", self.neumann, *arguments]

    def run_it(self, *arguments, expect=0):
        """Its outcome; the exit code must be as expected."""
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}{done.stderr}")
        self.assertNotIn("Traceback", done.stderr)
        return done

    def run_json(self, *arguments, expect=0):
        """What --json says about the one experiment that ran."""
        return json.loads(self.run_it(*arguments, "--json", expect=expect).stdout)[0]

    def start(self, *arguments):
        run = subprocess.Popen(self.command(*arguments), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def wait_until(self, holds, what):
        deadline = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def page(self, name):
        return (self.folder / "docs" / "results" / f"{name}.md").read_text(encoding="utf-8")

    def unwrapped(self, name):
        """The page's words on one line: a line of prose may break behind any of them."""
        return " ".join(self.page(name).split())

    def words_in(self, path):
        file = self.folder / path
        return file.read_text().split() if file.exists() else []
