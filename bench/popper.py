#!/usr/bin/env python3
"""Runs neumann learn --popper on every task of a folder, one after the other.

    popper.py --neumann build/neumann FOLDER [--work-limit 2G] [--memory 2048] [--only NAME ...] [--against OTHER]

A task is a folder with bias.pl, bk.pl and exs.pl. Prints a table in Markdown: whether the program is right on the
labels, its size and accuracy, why the search ended, counted work, CPU seconds of the whole command and memory; then the
programs. No limit by time is set, so the table but for seconds and memory is the same on any machine.

--against runs another binary on every task, too, of this or the release before (which takes --time-limit 60), and prints
the ratio of the sums of CPU seconds.
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


def row(name, result, cpu, memory):
    if "error" in result:
        return f"| {name} | failed | | | | | {cpu:.1f} | {memory:.0f} | {' '.join(result['error'])} |"
    right = "right" if result["right"] else "not right"
    right += ", shortest" if result["shortest"] else ""
    work = f"{result['work'] / 1e6:.0f}" if "work" in result else ""
    return (f"| {name} | {right} | {result['size']} | {result['accuracy']:.4f} | {result.get('ended', '')} | {work} "
            f"| {cpu:.1f} | {memory:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--work-limit", help="of the search, such as 500M; default: the command's")
    parser.add_argument("--memory", type=int, default=2048, help="MiB of address space")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--against", help="another binary to compare CPU seconds with")
    parser.add_argument("--against-options", nargs="*", default=["--time-limit=60"], help="of the other binary")
    options = parser.parse_args()
    tasks = sorted(path.parent for path in options.folder.glob("*/bias.pl"))
    tasks = [task for task in tasks if not options.only or task.name in options.only]
    if not tasks:
        sys.exit(f"{options.folder}: no task in it: there is no folder with a bias.pl")
    print("| task | labels | literals | accuracy | ended | M units of work | CPU s | MiB |")
    print("|---|---|---:|---:|---|---:|---:|---:|", flush=True)
    limit = [] if options.work_limit is None else ["--work-limit", options.work_limit]
    programs = []
    sums = [0, 0]
    for task in tasks:
        learn = ["learn", "--popper", str(task), "--json", "-q"]
        result, cpu, memory = run([options.neumann, *learn, *limit], options.memory)
        print(row(task.name, result, cpu, memory), flush=True)
        programs.append((task.name, result))
        sums[0] += cpu
        if options.against:
            other, cpu, memory = run([options.against, *learn, *options.against_options], options.memory)
            print(row(f"{task.name}, other", other, cpu, memory), flush=True)
            sums[1] += cpu
    right = sum(result.get("right", False) for _, result in programs)
    print(f"\n{right} of {len(tasks)} right on all labels")
    if options.against:
        print(f"CPU seconds: {sums[0]:.1f}, other {sums[1]:.1f}, ratio {sums[0] / sums[1]:.2f}")
    for name, result in programs:
        print(f"\n{name}:\n" + "\n".join("    " + clause for clause in result.get("clauses", [])))


if __name__ == "__main__":
    main()
