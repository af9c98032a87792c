#!/usr/bin/env python3
"""Measures the bounds of the most probable proofs: path(a,z) across directed n x n grids whose edges hold with 0.7.

    topk.py --neumann build/neumann

Prints a table in Markdown: how many proofs count, the value (the lower bound), the upper bound, and CPU seconds of the
whole command, the best of three runs.
"""
import argparse
import json
import resource
import subprocess
import tempfile


def grid(side):
    lines = [f":- query(path(n0_0,n{side - 1}_{side - 1}))."]
    for x in range(side):
        for y in range(side):
            lines += [f"0.7::edge(n{x}_{y},n{x + 1}_{y})."] if x + 1 < side else []
            lines += [f"0.7::edge(n{x}_{y},n{x}_{y + 1})."] if y + 1 < side else []
    return "\n".join([*lines, "path(X,Y) :- edge(X,Y).", "path(X,Y) :- edge(X,Z), path(Z,Y).", ""])


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(out), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(args, program, k):
    command = [args.neumann, "reason", program, "--semantics", "topk", "--k", str(k), "--json", "--threads", "1"]
    runs = [run(command) for _ in range(3)]
    answer = runs[0][0]
    only = {name: next(iter(answer[name].values())) for name in ("values", "low", "high")}
    return only, answer["proofs"], min(seconds for _, seconds in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--sides", type=int, nargs="+", default=[4, 7, 10, 13])
    parser.add_argument("--proofs", type=int, nargs="+", default=[1, 10, 100, 1000])
    args = parser.parse_args()
    print("| grid | k | proofs | value | at most | CPU s |\n|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for side in args.sides:
            program = f"{folder}/grid.nm"
            with open(program, "w", encoding="utf-8") as file:
                file.write(grid(side))
            for k in args.proofs:
                found, proofs, seconds = measure(args, program, k)
                print(f"| {side} × {side} | {k} | {proofs} | {found['values']:.4f} | {found['high']:.4f} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
