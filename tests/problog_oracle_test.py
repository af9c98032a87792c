#!/usr/bin/env python3
"""ProbLog's own answers, beside ours: the programs of the golden tests, and random ones for negated heads, conditions on queries,
collections, aggregates and cuts.

    problog_oracle_test.py NEUMANN [--programs N] [--seed S]

It ends with 77, which is a skipped test, where Python has no ProbLog.
"""
import argparse
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-5
GOLDEN = pathlib.Path(__file__).parent / "golden" / "reason"
# Beyond ProbLog: (C -> T ; E), operations on bits, constraints; and what it does not finish.
OURS_ALONE = {"conditions.pl", "numbers.pl", "constraint.pl", "many.pl"}


def plain(atom):
    return re.sub(r"[\s\"]", "", atom)


def ours(neumann, path):
    run = subprocess.run([neumann, "reason", path, "--json", "--engine", "reference", "--no-warn", "all"], capture_output=True,
                         text=True, timeout=60, check=False)
    if run.returncode != 0:
        return run.stderr.strip()
    return {plain(atom): value for atom, value in json.loads(run.stdout)["values"].items()}


def theirs(path):
    run = subprocess.run([sys.executable, "-m", "problog", path], capture_output=True, text=True, timeout=120, check=False)
    found = [line.rsplit(":\t", 1) for line in run.stdout.splitlines() if ":\t" in line]
    if not found:
        return (run.stdout + run.stderr).strip()
    return {plain(atom): float(value) for atom, value in found}


def difference(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return None if isinstance(one, str) and isinstance(other, str) else f"one of them fails: {one} / {other}"
    for atom in sorted(set(one) | set(other)):
        if "_" not in atom and abs(one.get(atom, 0) - other.get(atom, 0)) > TOLERANCE:
            return f"{atom} is {one.get(atom)} here and {other.get(atom)} there"
    return None


def random_program(rng):
    def weight():
        return f"{rng.randint(1, 9) / 10}::"

    lines = [":- use_module(library(aggregate)).", ":- use_module(library(cut)).", ":- use_module(library(lists)).", "base(1)."]
    lines += [f"{weight()}e({x},{value})." for x in "abc" for value in rng.sample([1, 2, 3], rng.randint(1, 2))]
    lines += [f"{weight()}s({x})." for x in "abc" if rng.random() < 0.8] + [f"{weight()}s(d)."]
    lines += [f"{weight()}\\+s({x})." for x in "abd" if rng.random() < 0.3]
    lines += [f"{weight()}\\+s(X) :- e(X,{rng.randint(1, 3)}).", f"c({rng.randint(2, 4)},X,low) :- e(X,1).",
              "c(5,X,high) :- e(X,_).", f"{weight()}c(1,X,top) :- s(X)."]
    function = rng.choice(["sum", "max", "min", "avg"])
    lines += [f"total({function}<V>) :- e(_,V).", f"by(X,{function}<V>) :- e(X,V), s(X).", "cut_for(X,R) :- cut(c(X,R)).",
              "list(L) :- findall(X, s(X), Any), sort(Any, L).", "some(L) :- all(X-V, e(X,V), L).", "sure :- subquery(s(a),P), P > 0.3.",
              "few :- list(L), length(L,N), N < 3."]
    lines += ["query(total(_)).", "query(by(_,_)).", "query(cut_for(a,_)).", "query(cut_for(b,_)).", "query(list(_)).", "query(few).",
              "query(sure).", "query(s(X)) :- e(X,_)."]
    if rng.random() < 0.5:
        lines.append(f"evidence({rng.choice(['', chr(92) + '+'])}s({rng.choice('ad')})).")
    return lines


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("neumann")
    arguments.add_argument("--programs", type=int, default=6)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    if importlib.util.find_spec("problog") is None:
        print("there is no ProbLog here")
        sys.exit(77)
    for folder in ["problog_libraries", "problog_goals"]:
        for path in sorted((GOLDEN / folder).glob("*.pl")):
            if path.name in OURS_ALONE:
                continue
            if found := difference(ours(options.neumann, path), theirs(path)):
                sys.exit(f"{path.name}: {found}")
    print(f"seed {options.seed}, {options.programs} programs")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.pl")
        for number in range(options.programs):
            lines = random_program(random.Random(f"{options.seed} {number}"))
            path.write_text("\n".join(lines) + "\n")
            if found := difference(ours(options.neumann, path), theirs(path)):
                sys.exit(f"program {number}: {found}\n" + "\n".join(lines))
    print("all agree")


if __name__ == "__main__":
    main()
