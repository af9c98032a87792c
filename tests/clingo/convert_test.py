#!/usr/bin/env python3
"""Programs for clingo, and clingo's programs, through `neumann convert`: the answers stay the same.

    convert_test.py NEUMANN [--programs N] [--seed S] [--together K]

Random stratified programs (random_programs.py) go to clingo and back; clingo's own text of them, and the programs in programs/, are read.
A difference is reported with the seeds; --seed S --programs 1 runs one again. Exit code 77 without clingo.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from random_programs import random_program


class Runner:
    def __init__(self, neumann, folder):
        self.neumann = neumann
        self.folder = pathlib.Path(folder)

    def run(self, *arguments):
        result = subprocess.run([self.neumann, *map(str, arguments)], capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"neumann {' '.join(map(str, arguments))}\n{result.stderr}")
        return result.stdout

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def converted(self, name, text, to):
        return self.run("convert", self.file(name, text), "--to", to, "--no-warn", "all")

    def ours(self, text):
        path = self.file("program.nm", text)
        line = self.run("reason", path, "--json", "--semantics", "godel", "--no-warn", "all")
        return {as_asp(atom) for atom, value in json.loads(line)["values"].items() if value > 0.5}

    def clingos(self, text):
        path = self.file("program.lp", text)
        result = subprocess.run(["clingo", "--outf=2", "--warn=none", str(path)], capture_output=True, text=True)
        if "error" in result.stderr:
            raise RuntimeError(f"{result.stderr}\n{text}")
        return set(json.loads(result.stdout)["Call"][0]["Witnesses"][0]["Value"])


def as_asp(atom):
    """An atom of ours as clingo prints it: tuples and strings (docs/interchange.md)."""
    atom = re.sub(r"'([a-z]+)'\(", r"\1(", atom.replace("'()'(", "("))  # 'between'(X): a quoted predicate
    return re.sub(r"""'("?)([^']*?)\1'""", r'"\2"', atom)


def require_equal(what, mine, theirs, text):
    if mine != theirs:
        print(f"{what}: answers differ\nonly NEUMANN: {sorted(mine - theirs)}\nonly clingo: {sorted(theirs - mine)}\n{text}")
        sys.exit(1)
    return len(theirs)


def check_there_and_back(runner, text, what):
    answers = runner.ours(text)
    for_clingo = runner.converted("ours.nm", text, "asp")
    count = require_equal(f"{what}, to asp", answers, runner.clingos(for_clingo), for_clingo)
    back = runner.converted("back.lp", for_clingo, "neumann")
    require_equal(f"{what}, to asp and back", answers, runner.ours(back), back)
    return count


def check_random(runner, programs, what):
    ours = "".join(p.ours() for p in programs)
    asp = "".join(p.asp() for p in programs)
    count = check_there_and_back(runner, ours, what)
    read = runner.converted("theirs.lp", asp, "neumann")
    require_equal(f"{what}, from asp", runner.ours(read), runner.clingos(asp), read)
    return count


def check_written(runner, path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".nm":
        return check_there_and_back(runner, text, path.name)
    read = runner.converted(path.name, text, "neumann")
    count = require_equal(path.name, runner.ours(read), runner.clingos(text), read)
    again = runner.converted("again.nm", read, "asp")
    require_equal(f"{path.name}, and to asp again", runner.clingos(again), runner.clingos(text), again)
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("neumann")
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--together", type=int, default=100)
    options = parser.parse_args()
    if shutil.which("clingo") is None:
        print("clingo is not installed (package gringo)")
        sys.exit(77)
    print(f"seeds {options.seed} to {options.seed + options.programs - 1}")
    written = sorted((pathlib.Path(__file__).resolve().parent / "programs").iterdir())
    answers = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.neumann, folder)
        for path in written:
            answers += check_written(runner, path)
        for begin in range(options.seed, options.seed + options.programs, options.together):
            seeds = range(begin, min(begin + options.together, options.seed + options.programs))
            answers += check_random(runner, [random_program(s, f"g{s}_") for s in seeds], f"seeds {seeds[0]} to {seeds[-1]}")
    print(f"{len(written)} written and {options.programs} random programs: {answers} answers, all equal to clingo's")


if __name__ == "__main__":
    main()
