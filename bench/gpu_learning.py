#!/usr/bin/env python3
"""Measures `neumann learn` on a GPU beside two cores of its machine.

    gpu_learning.py NEUMANN [--repeats N] [--folder DIR]

Prints a table in Markdown: the median time that learning takes on each device, what was learned, and whether it is the
same program everywhere. The component of GPUs has to lie beside the command, or NEUMANN_CUDA_LIBRARY name it.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
# What is learned: its data set, how many examples, its program, options.
TASKS = [
    ("red triangle", ["kandinsky", "red-triangle"], 2000, "kandinsky/red_triangle.nm", ["--epochs", "20", "--batch", "200"]),
    ("red triangle", ["kandinsky", "red-triangle"], 20000, "kandinsky/red_triangle.nm", ["--epochs", "20", "--batch", "200"]),
    ("delete", ["clevr-list", "delete"], 400, "lists/delete.nm", []),
]
DEVICES = [("two cores", ["--device", "cpu", "--threads", "2"]), ("gpu", ["--device", "cuda", "--threads", "2"]),
           ("auto", ["--device", "auto", "--threads", "2"])]


def make_data(neumann, kind, count, folder):
    target = folder / f"{kind[1]}-{count}"
    if not target.exists():
        subprocess.run([neumann, "generate", *kind, "-n", str(count), "-o", target], check=True, capture_output=True)
    return [f"--{part}={target / part / 'examples.jsonl'}" for part in ("train", "val", "test")]


def learn(neumann, program, data, options, out):
    begun = time.perf_counter()
    run = subprocess.run([neumann, "learn", EXAMPLES / program, *data, *options, "-o", out, "-q"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{program} {options}: {run.stderr}")
    return time.perf_counter() - begun, out.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        print("| | examples | " + " | ".join(name for name, _ in DEVICES) + " | same program |")
        print("|---|---:|" + "---:|" * len(DEVICES) + "---|", flush=True)
        for name, kind, count, program, options in TASKS:
            data = make_data(given.neumann, kind, count, folder)
            cells, programs = [], set()
            for _, device in DEVICES:
                runs = [learn(given.neumann, program, data, [*options, *device], Path(temporary) / "learned.nm")
                        for _ in range(given.repeats)]
                cells.append(f"{statistics.median(seconds for seconds, _ in runs):.2f} s")
                programs.update(text for _, text in runs)
            print(f"| {name} | {count:,} | " + " | ".join(cells) + f" | {'yes' if len(programs) == 1 else 'no'} |", flush=True)


if __name__ == "__main__":
    main()
