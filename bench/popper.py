#!/usr/bin/env python3
"""Runs neumann learn --popper on every task of a folder, one after the other.

    popper.py --neumann build/neumann FOLDER [--memory 2048] [--only NAME ...] [--against OLD_NEUMANN]

A task is a folder with bias.pl, bk.pl and exs.pl. Prints a table in Markdown: whether the program is right on the
labels, its size and accuracy, CPU seconds and MiB of the whole command, how the search ended and after how much work,
candidates per CPU second, and the cause where labels are wrong; then the programs. --against runs another build on each
task as well and compares: the exit code is 1 if a program is longer or worse, or the sum of CPU seconds larger.
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
from learn_tasks import Comparison, learn  # noqa: E402


def in_the_way(result):
    """Why labels are wrong, as far as the result says."""
    if result["right"]:
        return ""
    wrong = []
    if result["false_negatives"]:
        wrong.append(f"{result['false_negatives']} positives not covered")
    if result["false_positives"]:
        wrong.append(f"{result['false_positives']} negatives covered")
    return f"{', '.join(wrong)}; all clauses of up to {result['finished_body']} goals were tried"


def row(name, result):
    if "error" in result:
        return f"| {name} | failed | | | {result['cpu']:.1f} | {result['mib']:.0f} | | | | {result['error']} |"
    right = "right" if result["right"] else "not right"
    right += ", shortest" if result["shortest"] else ""
    rate = result["candidates"] / max(result["cpu"], 0.01)
    return (f"| {name} | {right} | {result['size']} | {result['accuracy']:.4f} | {result['cpu']:.1f} | {result['mib']:.0f} "
            f"| {result['ended']} | {result['work'] / 1e6:.0f} | {rate:.0f} | {in_the_way(result)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--against", help="another build of the command")
    parser.add_argument("--memory", type=int, default=2048, help="MiB of address space")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    tasks = sorted(path.parent for path in options.folder.glob("*/bias.pl"))
    tasks = [task for task in tasks if not options.only or task.name in options.only]
    if not tasks:
        sys.exit(f"{options.folder}: no task in it: there is no folder with a bias.pl")
    print("| task | labels | literals | accuracy | CPU s | MiB | ended | work, millions | candidates per CPU s | in the way |")
    print("|---|---|---:|---:|---:|---:|---|---:|---:|---|", flush=True)
    programs = []
    comparison = Comparison()
    for task in tasks:
        result = learn(options.neumann, task, options.memory)
        print(row(task.name, result), flush=True)
        programs.append((task.name, result))
        if options.against:
            comparison.add(task.name, learn(options.against, task, options.memory), result)
    right = sum(result.get("right", False) for _, result in programs)
    print(f"\n{right} of {len(tasks)} right on all labels")
    for name, result in programs:
        print(f"\n{name}:\n" + "\n".join("    " + clause for clause in result.get("clauses", [])))
    return 0 if not options.against or comparison.report() else 1


if __name__ == "__main__":
    sys.exit(main())
