#!/usr/bin/env python3
"""Compares the crisp answers of NEUMANN with clingo's on random stratified programs.

    clingo_test.py NEUMANN [--programs N] [--seed S] [--features negation,arithmetic,aggregates] [--together K]

K programs go into one file under predicates of their own, so that thousands take seconds. A difference is reported with the seed and both
texts of the one program; --seed S --programs 1 runs it again. Exit code 77 without clingo.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from random_programs import random_program


def ours(neumann, text, folder):
    path = os.path.join(folder, "program.nm")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([neumann, "reason", path, "--json", "--semantics", "godel", "--no-warn", "all"], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    values = json.loads(run.stdout)["values"]
    return {atom for atom, value in values.items() if value > 0.5}


def clingos(text, folder):
    path = os.path.join(folder, "program.lp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run(["clingo", "--verbose=0", "--warn=none", path], capture_output=True, text=True)
    if "error" in run.stderr:
        raise RuntimeError(run.stderr)
    return set(run.stdout.split("\n")[0].split())


def difference(neumann, programs, folder):
    mine = ours(neumann, "".join(p.ours() for p in programs), folder)
    theirs = clingos("".join(p.asp() for p in programs), folder)
    return sorted(mine - theirs), sorted(theirs - mine), len(theirs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("neumann")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--together", type=int, default=250)
    parser.add_argument("--features", default="negation,arithmetic,aggregates")
    options = parser.parse_args()
    if shutil.which("clingo") is None:
        print("clingo is not installed (package gringo)")
        sys.exit(77)
    features = options.features.split(",")
    answers = 0
    seeds = range(options.seed, options.seed + options.programs)
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(0, len(seeds), options.together):
            group = seeds[begin:begin + options.together]
            try:
                more, fewer, count = difference(options.neumann, [random_program(s, f"g{s}_", features) for s in group], folder)
                answers += count
                wrong = bool(more or fewer)
            except RuntimeError:
                wrong = True
            if not wrong:
                continue
            for seed in group:  # which one?
                program = random_program(seed, "", features)
                try:
                    more, fewer, _ = difference(options.neumann, [program], folder)
                    text = f"only NEUMANN: {more}\nonly clingo: {fewer}\n"
                except RuntimeError as error:
                    more, text = True, str(error)
                if more or fewer:
                    print(f"seed {seed} differs\n{text}--- NEUMANN\n{program.ours()}--- clingo\n{program.asp()}")
                    sys.exit(1)
            print(f"programs {group[0]} to {group[-1]} differ together, and not alone")
            sys.exit(1)
    print(f"{options.programs} programs (seeds {seeds[0]} to {seeds[-1]}, {options.features}): {answers} answers, all equal to clingo's")


if __name__ == "__main__":
    main()
