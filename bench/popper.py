#!/usr/bin/env python3
"""Runs neumann learn --popper on every task of a folder, one after the other.

    popper.py --neumann build/neumann FOLDER [--time-limit 60] [--memory 2048] [--only NAME ...]

A task is a folder with bias.pl, bk.pl and exs.pl. Prints a table in Markdown: whether the program is right on the
labels, its size and accuracy, CPU seconds and seconds by the clock of the whole command, memory, candidates per CPU
second, and what stands in the way where labels are wrong; then the programs.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys


def run(command, memory):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    result = json.loads(out) if process.returncode == 0 else {"error": err.strip().splitlines()[-1:]}
    return result, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def in_the_way(result, time_limit):
    """Why labels are wrong, as far as the result says."""
    if result["right"]:
        return ""
    wrong = []
    if result["false_negatives"]:
        wrong.append(f"{result['false_negatives']} positives not covered")
    if result["false_positives"]:
        wrong.append(f"{result['false_positives']} negatives covered")
    done = f"all clauses of up to {result['finished_body']} goals were tried"
    if result["complete"]:
        return f"{', '.join(wrong)}; {done}: nothing shorter pays for the labels that are left"
    cause = "time" if result["seconds"] >= time_limit else "memory"
    return f"{', '.join(wrong)}; {cause} ran out: {done}"


def row(name, result, cpu, memory, time_limit):
    if "error" in result:
        return f"| {name} | failed | | | {cpu:.1f} | | {memory:.0f} | | {' '.join(result['error'])} |"
    right = "right" if result["right"] else "not right"
    right += ", shortest" if result["shortest"] else ""
    rate = result["clauses_scored"] / max(cpu, 0.01)
    return (f"| {name} | {right} | {result['size']} | {result['train_accuracy']:.4f} | {cpu:.1f} | {result['seconds']:.1f} "
            f"| {memory:.0f} | {rate:.0f} | {in_the_way(result, time_limit)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--memory", type=int, default=2048, help="MiB of address space")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    tasks = sorted(path.parent for path in options.folder.glob("*/bias.pl"))
    tasks = [task for task in tasks if not options.only or task.name in options.only]
    if not tasks:
        sys.exit(f"{options.folder}: no task in it: there is no folder with a bias.pl")
    print("| task | labels | literals | accuracy | CPU s | s | MiB | candidates per CPU s | in the way |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
    programs = []
    for task in tasks:
        command = [options.neumann, "learn", "--popper", str(task), "--json", "-q", "--time-limit", str(options.time_limit)]
        result, cpu, memory = run(command, options.memory)
        print(row(task.name, result, cpu, memory, options.time_limit), flush=True)
        programs.append((task.name, result))
    right = sum(result.get("right", False) for _, result in programs)
    print(f"\n{right} of {len(tasks)} right on all labels")
    for name, result in programs:
        print(f"\n{name}:\n" + "\n".join("    " + clause for clause in result.get("program", [])))


if __name__ == "__main__":
    main()
