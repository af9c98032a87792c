#!/usr/bin/env python3
"""The algorithms of papers are in a component: the library has none of their code, the command says where they are missing.

    published_component_test.py NEUMANN COMPONENT LIBRARY
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

NEUMANN, COMPONENT, LIBRARY = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
CASE = pathlib.Path(__file__).parent / "golden/learn/algorithms"
SYMBOLS = ("neumann::Tape::", "neumann::PublishedLearner::", "neumann::PublishedSearch::")


class PublishedComponent(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def learn(self, *options, neumann, component=None):
        environment = {name: value for name, value in os.environ.items() if name != "NEUMANN_PUBLISHED_LIBRARY"}
        if component:
            environment["NEUMANN_PUBLISHED_LIBRARY"] = str(component)
        return subprocess.run([neumann, "learn", "grandparent.nm", "--train", "grandparent.train.jsonl", "--json", "-q", *options],
                              cwd=CASE, env=environment, capture_output=True, text=True, timeout=120)

    def refused(self, *options, says, **where):
        run = self.learn(*options, **where)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(says, run.stderr)

    def test_the_library_and_the_command_have_none_of_the_code(self):
        for file, has in ((COMPONENT, True), (LIBRARY, False), (NEUMANN, False)):
            names = subprocess.run(["nm", "-C", file], capture_output=True, text=True, check=True).stdout
            self.assertIn("neumann::Judge::", names, f"{file} is stripped")
            for symbol in SYMBOLS:
                self.assertEqual(symbol in names, has, f"{symbol} in {file}")

    def test_a_command_without_it_says_how_to_build_it_and_learns_by_other_algorithms(self):
        alone = self.folder / "neumann"
        shutil.copy2(NEUMANN, alone)
        for name in ("neumann", "neumann-code", "dilp-st", "alpha-ilp", "dilp"):
            self.refused("--algorithm", name, neumann=alone, says="--target neumann_published")
        run = self.learn("--algorithm", "search", neumann=alone)
        self.assertEqual(run.returncode, 0, run.stderr)

        found = [json.loads(self.learn("--algorithm", "dilp-st", neumann=neumann, component=component).stdout)["program"]
                 for neumann, component in ((NEUMANN, None), (alone, COMPONENT))]
        self.assertEqual(found[0], found[1])

    def test_another_one_is_not_used(self):
        other = self.folder / "other.so"
        other.write_bytes(re.sub(rb"(?<=headers )[0-9a-f]{12}", b"0" * 12, COMPONENT.read_bytes()))
        self.refused("--algorithm", "dilp", neumann=NEUMANN, component=other, says="build both again")
        other.write_text("no library")
        self.refused("--algorithm", "dilp", neumann=NEUMANN, component=other, says="cannot load")
        self.refused("--algorithm", "dilp", neumann=NEUMANN, component="/nowhere", says="there is no such file")

    def test_an_option_that_has_no_effect_is_refused_before_it_is_looked_for(self):
        self.refused("--algorithm", "dilp", "--samples", "3", neumann=NEUMANN, component="/nowhere",
                     says="--samples does nothing with --algorithm dilp")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
