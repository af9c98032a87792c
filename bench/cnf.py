#!/usr/bin/env python3
"""Weighted CNF files, counted here and by Ganak.

    bench/cnf.py --neumann build/neumann [--count 200] [--size 60 90] [--limit 60] [--folder DIR]

The files are made from seeds (tests/cnf_instances.py). Prints how many are counted within the limit (seconds of wall time each)
and, where pyganak is installed, which values differ by more than 1e-9 of themselves, and the CPU seconds of both, by family.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import cnf_instances

GANAK = """
import json, sys, time
import pyganak
clauses, weights, variables, shown = json.load(sys.stdin)
counter = pyganak.WeightedCounter() if weights else pyganak.Counter()
counter.new_vars(variables)
counter.add_clauses(clauses)
for literal, weight in weights:
    counter.set_lit_weight(literal, weight)
if shown:
    counter.set_sampling_set(shown)
begun = time.process_time()
print(json.dumps([str(counter.count()), time.process_time() - begun]))
"""


def ganak(cnf, limit):
    given = json.dumps([cnf.clauses, list(cnf.weights.items()), cnf.variables, cnf.shown])
    try:
        run = subprocess.run([sys.executable, "-c", GANAK], input=given, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, limit
    if run.returncode != 0:
        return None, 0
    count, seconds = json.loads(run.stdout.strip().splitlines()[-1])
    return float(count), seconds


def ours(neumann, file, limit):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        run = subprocess.run([neumann, "reason", file, "--json"], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, limit
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if run.returncode != 0:
        print(run.stderr.strip(), flush=True)
        return None, seconds
    return json.loads(run.stdout)["count"], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--size", type=int, nargs=2, default=(60, 90), help="variables, at least and at most")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--folder", type=Path, help="keep the files here")
    options = parser.parse_args()
    beside = subprocess.run([sys.executable, "-c", "import pyganak"], capture_output=True).returncode == 0
    solved, all_of, wrong = defaultdict(int), defaultdict(int), []
    seconds, theirs = defaultdict(float), defaultdict(float)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(options.first, options.first + options.count):
            cnf = cnf_instances.instance(seed, random.Random(seed).randint(*options.size))
            file = folder / f"{seed}.cnf"
            file.write_text(cnf.text(), encoding="utf-8")
            found, took = ours(options.neumann, file, options.limit)
            all_of[cnf.name] += 1
            seconds[cnf.name] += took
            solved[cnf.name] += found is not None
            if found is None:
                print(f"seed {seed} ({cnf.name}): not within {options.limit} s", flush=True)
            if beside:
                expected, took = ganak(cnf, options.limit)
                theirs[cnf.name] += took
                if None not in (found, expected) and abs(found - expected) > 1e-9 * abs(expected):
                    wrong.append(f"seed {seed} ({cnf.name}): {found}, and {expected} by Ganak")
    print("| family | solved | CPU seconds |" + (" Ganak |" if beside else ""))
    print("|---|---:|---:|" + ("---:|" if beside else ""))
    for name in all_of:
        line = f"| {name} | {solved[name]} of {all_of[name]} | {seconds[name]:.2f} |"
        print(line + (f" {theirs[name]:.2f} |" if beside else ""))
    print("\n".join(wrong) or "no value differs" if beside else "")


if __name__ == "__main__":
    main()
