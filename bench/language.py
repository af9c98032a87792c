#!/usr/bin/env python3
"""Measures programs as people write them: tables of facts, closures of graphs beside gringo, queries, long chains of
rules, lists, cycles.

    bench/language.py build/neumann [--quick] [--only PART] [--repetitions N]

Every program and table is made here, from seeds that are printed, in a temporary folder. Times are CPU seconds of whole
processes, medians of runs that alternate between the programs compared; ratios are taken within one run. For two threads
elapsed time is what counts: the least of the same runs with one thread and with two. See docs/benchmarks.md.
"""
import argparse
import collections
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SEED = 1
RULES = "path(X,Y) :- edge(X,Y).\npath(X,Z) :- path(X,Y), edge(Y,Z).\n"
FROM_THE_FRONT = "path(X,Y) :- edge(X,Y).\npath(X,Z) :- edge(X,Y), path(Y,Z).\n"
GRAPHS = [(300, 900), (1000, 1500), (2000, 4000), (100_000, 80_000), (1_000_000, 500_000)]

Run = collections.namedtuple("Run", "cpu elapsed bytes output")


def run(command):
    """One process: its CPU seconds, elapsed seconds, peak memory and output."""
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        elapsed = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 10, 20, 30):  # gringo's own numbers for success
            sys.exit(f"failed with {process.returncode}: {' '.join(command)}")
        out.seek(0)
        output = out.read() if command[0] != "gringo" else b""
    return Run(used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss * 1024, output)


def median(runs, what="cpu"):
    return statistics.median(getattr(r, what) for r in runs)


class Bench:
    def __init__(self, neumann, folder, quick, repetitions):
        self.neumann, self.folder, self.quick, self.repetitions, self.programs = neumann, folder, quick, repetitions, 0
        self.gringo = shutil.which("gringo") is not None

    def times(self, usual):
        return range(self.repetitions or usual)

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w") as out:
            out.writelines(text)
        return path

    def ours(self, command, program, threads=1, *more):
        return run([self.neumann, command, program, "--threads", str(threads), "--no-warn", "all", "--json", *more])

    def graph(self, nodes, edges, rules, query=""):
        """A random graph without repeated edges as a table for us and as facts for gringo."""
        name = f"g{nodes}_{edges}"
        if not os.path.exists(f"{self.folder}/{name}.csv"):
            source = random.Random(SEED)
            pairs = {}
            while len(pairs) < edges:
                pairs[source.randrange(nodes), source.randrange(nodes)] = None
            self.write(f"{name}.csv", (f"n{a},n{b}\n" for a, b in pairs))
            self.write(f"{name}.lp", [*(f"edge(n{a},n{b}).\n" for a, b in pairs), RULES])
        text = f":- facts(edge/2, '{name}.csv').\n{rules}{query}"
        self.programs += 1
        return self.write(f"{name}_{self.programs}.nm", text), f"{self.folder}/{name}.lp"


def tables(bench):
    constants, facts = (10**5, 10**6) if bench.quick else (10**6, 10**7)
    print(f"A table of {facts:,} facts over {constants:,} constants, read, checked for repeated facts and indexed")
    source = random.Random(SEED)
    bench.write("facts.csv", (f"n{source.randrange(constants)},n{source.randrange(constants)}\n" for _ in range(facts)))
    program = bench.write("facts.nm", ":- facts(edge/2,'facts.csv').\nloop(X) :- edge(X,X).\nquery(loop(X)).\n")
    runs = [bench.ours("ground", program) for _ in bench.times(3)]
    seconds, memory = median(runs), median(runs, "bytes")
    print(f"{seconds:.2f} s, {facts / seconds / 1e6:.2f} million facts/s, {memory / facts:.0f} bytes per fact\n")


def closures(bench):
    print("Everything that follows on a random graph: CPU seconds with one thread, elapsed seconds with one and two")
    print(f"{'nodes':>9}{'edges':>9}{'ground clauses':>16}{'gringo':>9}{'neumann':>9}{'ratio':>8}"
          f"{'1 thread':>11}{'2 threads':>11}{'gain':>7}")
    for nodes, edges in GRAPHS[:3] if bench.quick else GRAPHS:
        program, asp = bench.graph(nodes, edges, RULES)
        gringo, one, two = [], [], []
        for _ in bench.times(15 if nodes <= 1000 else 5):
            if bench.gringo:
                gringo.append(run(["gringo", asp]))
            one.append(bench.ours("ground", program))
            two.append(bench.ours("ground", program, 2))
        clauses = json.loads(one[0].output)["clauses"]
        theirs = f"{median(gringo):.3f}" if gringo else "–"
        ratio = f"{median(gringo) / median(one):.1f}x" if gringo else "–"
        alone, together = min(r.elapsed for r in one), min(r.elapsed for r in two)
        print(f"{nodes:>9}{edges:>9}{clauses:>16,}{theirs:>9}{median(one):>9.3f}{ratio:>8}"
              f"{alone:>11.3f}{together:>11.3f}{alone / together:>6.2f}x")
    print()


def queries(bench):
    print("path(n, X) from one node: the part of all atoms that it grounds, and its part of the time of grounding everything,"
          "\nof grounding alone and of whole processes, which read the table")
    print(f"{'nodes':>9}{'edges':>9}{'atoms':>10}{'of all':>9}{'grounding':>12}{'of all':>9}{'process':>10}{'of all':>9}")
    for nodes, edges in GRAPHS[:3] if bench.quick else GRAPHS:
        everything, _ = bench.graph(nodes, edges, RULES)
        with open(f"{bench.folder}/g{nodes}_{edges}.csv") as table:
            start = table.readline().split(",")[0]
        asked, _ = bench.graph(nodes, edges, RULES, f"query(path({start},X)).\n")
        all_runs, runs = [], []
        for _ in bench.times(7 if nodes <= 1000 else 5):
            all_runs.append(bench.ours("ground", everything))
            runs.append(bench.ours("ground", asked))
        reports = [[json.loads(r.output) for r in some] for some in (all_runs, runs)]
        atoms = [some[0]["atoms"] for some in reports]
        seconds = [statistics.median(r["seconds"] for r in some) for some in reports]
        print(f"{nodes:>9}{edges:>9}{atoms[1]:>10,}{atoms[1] / atoms[0]:>9.2%}{seconds[1] * 1e3:>9.1f} ms"
              f"{seconds[1] / seconds[0]:>9.1%}{median(runs) * 1e3:>7.0f} ms{median(runs) / median(all_runs):>9.1%}")
    print()


def chains(bench):
    rules = 5_000 if bench.quick else 40_000
    text = [f"a{i} :- a{i - 1}.\n" for i in range(1, rules + 1)] + ["a0.\n"]
    program, asp = bench.write("chain.nm", text), bench.write("chain.lp", text)
    print(f"A chain of {rules:,} propositional rules")
    gringo, ours = [], []
    for _ in bench.times(5):
        if bench.gringo:
            gringo.append(run(["gringo", asp]))
        ours.append(bench.ours("ground", program))
    print(f"neumann {median(ours):.2f} s" + (f", gringo {median(gringo):.2f} s" if gringo else "") + "\n")


def lists(bench):
    program = bench.write("app.nm", "app([],L,L).\napp([H|T],L,[H|R]) :- app(T,L,R).\n"
                                    ":- max_length(list_of_app_1_element, 10).\nquery(app([a,b],[c,d],Z)).\n")
    runs = [bench.ours("ground", program) for _ in bench.times(15)]
    print(f"app([a,b],[c,d],Z) over lists up to 10: {median(runs) * 1e3:.1f} ms\n")


def cycles(bench):
    print("path(n0, X) from the front, which grounds the closure of all it reaches, and one example reasoned with it\n"
          "in as many steps as it needs")
    print(f"{'nodes':>9}{'edges':>9}{'ground clauses':>16}{'steps':>7}{'ground':>9}{'reason':>9}{'elapsed':>9}{'memory':>10}")
    for nodes, edges in [(2000, 4000)] if bench.quick else [(2000, 4000), (5000, 10_000)]:
        program, _ = bench.graph(nodes, edges, FROM_THE_FRONT, "query(path(n0,X)).\n")
        grounded = [bench.ours("ground", program) for _ in bench.times(3)]
        reasoned = [bench.ours("reason", program) for _ in bench.times(3)]
        report = json.loads(grounded[0].output)
        steps = json.loads(reasoned[0].output)["steps"]
        print(f"{nodes:>9}{edges:>9}{report['clauses']:>16,}{steps:>7}{median(grounded):>7.2f} s{median(reasoned):>7.2f} s"
              f"{median(reasoned, 'elapsed'):>7.2f} s{median(reasoned, 'bytes') / 2**20:>6.0f} MiB")
    print()


PARTS = {"tables": tables, "closures": closures, "queries": queries, "chains": chains, "lists": lists, "cycles": cycles}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("--quick", action="store_true", help="smaller programs: a look at whether it works")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--repetitions", type=int, help="runs of each program instead of the usual number")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.neumann, folder, args.quick, args.repetitions)
        print(f"seed {SEED}; gringo " + ("is here" if bench.gringo else "is not installed: ours alone") + "\n")
        for name, part in PARTS.items():
            if args.only in (None, name):
                part(bench)
                sys.stdout.flush()


if __name__ == "__main__":
    main()
