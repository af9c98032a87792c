#!/usr/bin/env python3
"""Compares two builds of the command on the work of docs/benchmarks.md: did anything become slower?

    compare.py --before build/neumann-of-then --after build/neumann [--rounds 9] [--only WORD]

Whole processes on one thread, in turns; CPU seconds, of which the minimum counts: what disturbs a run only makes it slower, so that the
ratio survives a busy machine. Both must understand the programs and the options.
"""
import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from grounding import SCALING, cpu_seconds

SCENES = Path(__file__).parent.parent / "examples" / "behind_the_scenes"
CLASSIC = SCENES.parent / "classic"


def questions(folder, count):
    path = folder / f"questions{count}.jsonl"
    with open(path, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, Path(__file__).parent / "make_questions.py", str(count)], check=True, stdout=out)
    return path


def tasks(folder):
    """Pairs of a name and the command's arguments; in them {own} is a folder that each build has for itself."""
    one = ["--threads", "1"]
    for name in ("delete", "append", "reverse", "sort", "all"):
        yield f"ground {name}, full", ["ground", SCENES / f"{name}.nm", "--mode", "full", *one]
        yield f"ground {name}, relevant", ["ground", SCENES / f"{name}.nm", *one]
    for name, mode, _, large in SCALING:
        program = folder / f"{name.replace(' ', '_')}.nm"
        program.write_text(large(), encoding="utf-8")
        yield f"ground {name}, {mode}", ["ground", program, "--mode", mode, "--no-warn", "all", *one]
    every = SCENES / "all.nm"
    yield "40,000 questions, relevant graph", ["reason", every, "--examples", questions(folder, 40000), "--json", *one]
    few = questions(folder, 128)
    for semantics in ("softor", "max-product", "noisy-or", "paper"):
        full = ["reason", every, "--mode", "full", "--examples", few, "--json", "--semantics", semantics, "--steps", "6", *one]
        yield f"128 questions, full graph, {semantics}", full
        yield f"128 questions, full graph, {semantics}, gradients", [*full, "--gradients", "weights"]
    for mode in ("relevant", "full"):
        yield f"save the {mode} graph", ["graph", every, "--mode", mode, "-o", f"{{own}}/{mode}.nmg"]
        yield f"one answer from the saved {mode} graph", ["reason", f"{{own}}/{mode}.nmg", "--json"]
    yield "explain an answer", ["explain", every, "--examples", few, "--limit", "8", "--json", *one]
    yield "learn grandparent", ["learn", CLASSIC / "grandparent.nm", "--train", CLASSIC / "grandparent.train.jsonl", "-q", *one]


def compare(commands, folder, rounds, only):
    own = [folder / "before", folder / "after"]
    for place in own:
        place.mkdir()
    print("| what | before, s | after, s | after / before |\n|---|---:|---:|---:|")
    for name, arguments in tasks(folder):
        if only not in name:
            continue
        best = [math.inf, math.inf]
        for turn in range(2 * rounds):
            which = turn % 2
            line = [commands[which], *(str(part).format(own=own[which]) for part in arguments)]
            seconds, _, code = cpu_seconds(line)
            if code != 0:
                sys.exit(f"failed: {' '.join(line)}")
            best[which] = min(best[which], seconds)
        print(f"| {name} | {best[0]:.4f} | {best[1]:.4f} | {best[1] / best[0]:.2f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="what has this in its name")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        compare([given.before, given.after], Path(name), given.rounds, given.only)
