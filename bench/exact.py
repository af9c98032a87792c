#!/usr/bin/env python3
"""Exact probabilities: what compiling and weighing cost, on one core.

    bench/exact.py --neumann build/neumann --weighing build/bench/bench_exact_weighing [--repeat 3] [--smokers-seeds 6]
    bench/exact.py --growth [--before OTHER/build/neumann] [--limit 60]

Programs are made here: the reliability of a directed grid whose edges hold with probability 0.7, the distribution of a sum of
digits, smokers as in ProbLog's tutorial (everybody is friends with two earlier people, both ways). Seconds are CPU seconds of
whole processes, the quickest of some runs; where `problog` is on the path, its own are measured beside them.

--growth measures larger ones once: sums, grids, random 3-CNF with four clauses per variable, and random Bayesian networks with
as many nodes, parents, states and edges as public networks have (parents are among the few nodes before). The table has the
method taken, the circuit's nodes, and the seconds of another binary beside.
"""

import argparse
import json
import random
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path


def grid(side):
    node = "n{}_{}".format
    edges = [(node(x, y), node(x + 1, y)) for x in range(side - 1) for y in range(side)]
    edges += [(node(x, y), node(x, y + 1)) for x in range(side) for y in range(side - 1)]
    lines = [f"0.7::edge({a},{b})." for a, b in edges]
    lines += ["path(X,Y) :- edge(X,Y).", "path(X,Y) :- edge(X,Z), path(Z,Y)."]
    return "\n".join([*lines, f"query(path({node(0, 0)},{node(side - 1, side - 1)}))."]) + "\n"


def digit_facts(count):
    return [" ; ".join(f"0.1::digit({i},{d})" for d in range(10)) + "." for i in range(1, count + 1)]


def flat_digits(count):
    body = ", ".join(f"digit({i},D{i})" for i in range(1, count + 1))
    total = "+".join(f"D{i}" for i in range(1, count + 1))
    return "\n".join([*digit_facts(count), f"sum(S) :- {body}, S is {total}.", "query(sum(_))."]) + "\n"


def recursive_digits(count):
    rules = ["sum(0,0).", "sum(N,S) :- digit(N,D), M is N-1, sum(M,T), S is T+D.", f"query(sum({count},_))."]
    return "\n".join([*digit_facts(count), *rules]) + "\n"


def smokers(people, seed):
    draw = random.Random(seed)
    rules = ["0.3::stress(X) :- person(X).", "0.2::influences(X,Y) :- person(X), person(Y).", "smokes(X) :- stress(X)."]
    rules += ["smokes(X) :- friend(X,Y), influences(Y,X), smokes(Y).", "0.4::asthma(X) :- smokes(X)."]
    rules += [f"person({i})." for i in range(1, people + 1)]
    for i in range(2, people + 1):
        rules += [f"friend({i},{j}). friend({j},{i})." for j in draw.sample(range(1, i), min(2, i - 1))]
    return "\n".join([*rules, "query(asthma(_))."]) + "\n"


# Nodes, most parents, states, edges.
NETWORKS = {"alarm": (37, 4, (2, 4), 46), "win95pts": (76, 7, (2, 2), 112), "hailfinder": (56, 4, (2, 11), 66),
            "water": (32, 5, (3, 4), 66), "andes": (223, 6, (2, 2), 338), "hepar2": (70, 6, (2, 4), 123)}


def network(name, seed):
    nodes, most, (least, greatest), edges = NETWORKS[name]
    draw = random.Random(f"{name}{seed}")
    parents = [[] for _ in range(nodes)]
    while edges > 0:
        child = draw.randrange(1, nodes)
        free = [p for p in range(max(0, child - 2 * most), child) if p not in parents[child]]
        if len(parents[child]) < most and free:
            parents[child].append(draw.choice(free))
            edges -= 1
    states = [draw.randint(least, greatest) for _ in range(nodes)]
    lines = []
    for child in range(nodes):
        rows = [[]]
        for parent in parents[child]:
            rows = [[*row, f"v{parent}(s{s})"] for row in rows for s in range(states[parent])]
        for row in rows:
            weights = [draw.randint(1, 97) for _ in range(states[child])]
            shares = [w * 1000 // sum(weights) for w in weights]
            shares[0] += 1000 - sum(shares)
            heads = " ; ".join(f"{share / 1000}::v{child}(s{s})" for s, share in enumerate(shares))
            lines.append(heads + (" :- " + ", ".join(row) if row else "") + ".")
    sinks = [n for n in range(nodes) if not any(n in of for of in parents)]
    lines.append(f"evidence(v{sinks[-1]}(s0)).")
    return "\n".join([*lines, *(f"query(v{n}(_))." for n in range(nodes))]) + "\n"


def clauses_of_three(variables, seed):
    draw = random.Random(seed)
    lines = [f"0.5::v({i})." for i in range(variables)]
    for c in range(4 * variables):
        lines += [f"c({c}) :- {draw.choice(['', chr(92) + '+ '])}v({v})." for v in draw.sample(range(variables), 3)]
    return "\n".join([*lines, "sat :- " + ", ".join(f"c({c})" for c in range(4 * variables)) + ".", "query(sat)."]) + "\n"


def growth(options, folder):
    cases = [(f"{n} digits", "nm", recursive_digits(n)) for n in (4, 16, 64, 256, 1024)]
    cases += [(f"grid {n}×{n}", "nm", grid(n)) for n in (9, 11, 13, 16)]
    cases += [(f"3-CNF, {n} variables", "nm", clauses_of_three(n, 1)) for n in (20, 40, 60)]
    cases += [(f"as {name}", "pl", network(name, 1)) for name in NETWORKS]
    print("| program | CPU seconds | before | method | nodes |")
    print("|---|---:|---:|---|---:|")
    for name, kind, text in cases:
        file = Path(folder) / f"program.{kind}"
        file.write_text(text, encoding="utf-8")
        run = [file, "--semantics", "exact", "--threads", "1"]
        ours = cpu_seconds([options.neumann, "reason", *run], options.limit)
        theirs = cpu_seconds([options.before, "reason", *run], options.limit) if options.before else None
        taken = {}
        if ours is not None:
            taken = json.loads(subprocess.check_output([options.neumann, "reason", *run, "--json"])).get("compiled", {})
        print(f"| {name} | {shown(ours)} | {shown(theirs)} | {taken.get('method', '')} | {taken.get('nodes', '')} |", flush=True)


def cpu_seconds(command, limit):
    """Of a child, or None if it takes longer than the limit or fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def quickest(command, repeat, limit):
    runs = [cpu_seconds(command, limit) for _ in range(repeat)]
    return None if None in runs else min(runs)


def shown(seconds):
    return "-" if seconds is None else f"{seconds:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--weighing", default="build/bench/bench_exact_weighing")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--smokers-seeds", type=int, default=6, help="random friendships of 20 people, one run each")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one process")
    parser.add_argument("--growth", action="store_true", help="larger programs, once each")
    parser.add_argument("--before", help="another binary, for --growth")
    options = parser.parse_args()
    if options.growth:
        with tempfile.TemporaryDirectory() as folder:
            return growth(options, folder)
    problog = shutil.which("problog")
    cases = [(f"grid {n}×{n}", grid(n)) for n in (5, 6, 7, 10, 12)]
    cases += [("4 digits, flat", flat_digits(4))] + [(f"{n} digits", recursive_digits(n)) for n in (4, 8, 16)]
    cases += [(f"{n} smokers", smokers(n, 1)) for n in (4, 5, 6, 8)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.nm"

        def row(name, text, repeat):
            file.write_text(text, encoding="utf-8")
            ours = quickest([options.neumann, "reason", file, "--semantics", "exact", "--threads", "1"], repeat, options.limit)
            theirs = quickest([problog, file], 1, 60) if problog else None
            print(f"| {name} | {shown(ours)} |" + (f" {shown(theirs)} |" if problog else ""), flush=True)

        print("| program | CPU seconds |" + (" ProbLog |" if problog else ""))
        print("|---|---:|" + ("---:|" if problog else ""))
        for name, text in cases:
            row(name, text, options.repeat)
        for seed in range(1, options.smokers_seeds + 1):
            row(f"20 smokers, seed {seed}", smokers(20, seed), 1)
        file.write_text(grid(7), encoding="utf-8")
        result = json.loads(subprocess.check_output([options.weighing, file, "edge(X,Y)"]))
    print(f"\n10,000 weightings of the grid 7×7, one core: values {result['forward_seconds']:.2f} s, "
          f"values and gradients by all {result['facts']} edges {result['forward_backward_seconds']:.2f} s")


if __name__ == "__main__":
    main()
