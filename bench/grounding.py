#!/usr/bin/env python3
"""Measures grounding: beside gringo on the same ground programs, and how time and memory grow with size.

Everything runs on one core. Ratios are taken within one run, between interleaved repetitions, from medians:
this is what survives a noisy machine. See docs/benchmarks.md for results and how to read them.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

REPETITIONS = 7


def cpu_seconds(command, stdout=subprocess.DEVNULL):
    """User + system time of a process and all it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, stdout=stdout, stderr=subprocess.DEVNULL, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, result.stdout, result.returncode


def neumann_json(command):
    seconds, out, code = cpu_seconds(command + ["--json"], stdout=subprocess.PIPE)
    if code != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return seconds, json.loads(out)


def count_rules(asp_file):
    """Ground rules without choices and type facts, from gringo's own output."""
    out = subprocess.run(["gringo", "--text", asp_file], capture_output=True, text=True).stdout
    return sum(1 for line in out.splitlines() if ":-" in line)


def beside_gringo(args, folder):
    print("Full grounding beside gringo: whole processes, one core, CPU seconds, medians of "
          f"{REPETITIONS} interleaved runs")
    print(f"{'program':<28}{'clauses':>10}{'gringo rules':>14}{'gringo s':>10}{'neumann s':>11}{'ratio':>8}"
          f"{'clauses/s':>12}")
    for name in ("delete", "append", "reverse", "sort", "all"):
        program = f"{args.examples}/behind_the_scenes/{name}.nm"
        asp = f"{folder}/{name}.lp"
        with open(asp, "w") as out:
            subprocess.run([args.export_asp, program], stdout=out, check=True)
        ours = [args.neumann, "ground", program, "--mode", "full", "--threads", "1"]
        gringo_times, our_times, grounding = [], [], []
        for _ in range(REPETITIONS):
            gringo_times.append(cpu_seconds(["gringo", asp])[0])
            seconds, report = neumann_json(ours)
            our_times.append(seconds)
            grounding.append(report["seconds"])
        gringo, own = statistics.median(gringo_times), statistics.median(our_times)
        rate = report["clauses"] / statistics.median(grounding)
        print(f"{'behind_the_scenes/' + name:<28}{report['clauses']:>10}{count_rules(asp):>14}{gringo:>10.3f}{own:>11.3f}"
              f"{gringo / own:>7.1f}x{rate:>12.3g}")
    print()


def relevant(args):
    print(f"Relevant grounding: whole processes, CPU milliseconds, median and worst of {REPETITIONS * 3}")
    for name in ("delete", "append", "reverse", "sort", "all"):
        program = f"{args.examples}/behind_the_scenes/{name}.nm"
        times = []
        for _ in range(REPETITIONS * 3):
            seconds, report = neumann_json([args.neumann, "ground", program, "--threads", "1"])
            times.append(seconds * 1e3)
        print(f"  {name:<10}{report['clauses']:>6} clauses   {statistics.median(times):6.1f} ms  (worst {max(times):.1f})")
    print()


def closure(nodes):
    names = ", ".join(f"n{i}" for i in range(nodes))
    edges = "\n".join(f"edge(n{i}, n{j})." for i in range(nodes) for j in range(nodes))
    return (f":- type(node, [{names}]).\n:- pred(edge(node, node)).\n:- pred(path(node, node)).\n{edges}\n"
            "path(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n")


def growing_lists(length):
    return (":- type(bit, [0, 1]).\n:- list(bits, bit, cons, nil).\n"
            f":- max_length(bits, {length}).\n:- pred(member(bit, bits)).\n"
            "member(X, [X|_]).\nmember(X, [_|T]) :- member(X, T).\n")


def list_append(symbols, length):
    names = ", ".join(f"s{i}" for i in range(symbols))
    return (f":- type(symbol, [{names}]).\n:- list(symbols, symbol, cons, nil).\n:- max_length(symbols, {length}).\n"
            ":- pred(append(symbols, symbols, symbols)).\nappend([], X, X).\n"
            "append([X|Y], Z, [X|V]) :- append(Y, Z, V).\n")


def wide_join(values):
    names = ", ".join(f"v{i}" for i in range(values))
    facts = "\n".join(f"{p}(v{i}, v{j})." for p in "qrs" for i in range(values) for j in range(values))
    return (f":- type(v, [{names}]).\n" + "".join(f":- pred({p}(v, v)).\n" for p in "pqrs") + facts +
            "\np(X, Y) :- q(X, A), r(A, B), s(B, Y).\n")


# (name, mode, small, large, bytes promised per clause of body length 3)
SCALING = [
    ("closure", "relevant", lambda: closure(47), lambda: closure(216)),
    ("closure", "full", lambda: closure(47), lambda: closure(216)),
    ("growing lists", "relevant", lambda: growing_lists(15), lambda: growing_lists(21)),
    ("list append", "full", lambda: list_append(3, 3), lambda: list_append(7, 3)),
    ("wide join", "relevant", lambda: wide_join(18), lambda: wide_join(56)),
    ("wide join", "full", lambda: wide_join(18), lambda: wide_join(56)),
]


def scaling(args, folder):
    print("Growth: grounding time per ground clause (ns) and peak memory per ground clause (bytes), one core")
    print(f"{'program':<16}{'mode':<10}{'clauses':>10}{'atoms':>10}{'ns':>8}{'bytes':>8}   "
          f"{'clauses':>10}{'atoms':>10}{'ns':>8}{'bytes':>8}   {'time x':>7}{'bytes x':>8}")
    idle = neumann_json([args.neumann, "ground", f"{args.examples}/01_even.nm"])[1]["peak_rss_bytes"]
    for name, mode, small, large in SCALING:
        cells = []
        for number, (make, repetitions) in enumerate(((small, REPETITIONS), (large, 3))):
            path = f"{folder}/{name.replace(' ', '_')}_{number}.nm"
            with open(path, "w") as out:
                out.write(make())
            runs = [neumann_json([args.neumann, "ground", path, "--mode", mode, "--threads", "1", "--no-warn", "all"])[1]
                    for _ in range(repetitions)]
            report = runs[0]
            seconds = statistics.median(r["seconds"] for r in runs)
            # What the process needs before it reads a program is not growth.
            memory = statistics.median(r["peak_rss_bytes"] for r in runs) - idle
            cells.append((report["clauses"], report["atoms"], seconds / report["clauses"] * 1e9, memory / report["clauses"]))
        (c0, a0, t0, b0), (c1, a1, t1, b1) = cells
        print(f"{name:<16}{mode:<10}{c0:>10}{a0:>10}{t0:>8.0f}{b0:>8.0f}   {c1:>10}{a1:>10}{t1:>8.0f}{b1:>8.0f}   "
              f"{t1 / t0:>6.2f}x{b1 / b0:>7.2f}x")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--neumann", required=True)
    parser.add_argument("--export-asp", required=True)
    parser.add_argument("--examples", required=True)
    parser.add_argument("--only", choices=("gringo", "relevant", "scaling"))
    args = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        if args.only in (None, "gringo"):
            if shutil.which("gringo"):
                beside_gringo(args, folder)
            else:
                print("gringo is not installed: skipped\n")
        if args.only in (None, "relevant"):
            relevant(args)
        if args.only in (None, "scaling"):
            scaling(args, folder)


if __name__ == "__main__":
    main()
