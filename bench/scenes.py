#!/usr/bin/env python3
"""Measures the generators and renderers as whole processes, and draws the sheets of docs/datasets.md.

    scenes.py --neumann PATH [--sheet PATH --images FOLDER]
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

PATTERNS = ["twopairs", "closeby", "red-triangle", "online-pair", "long-line"]


def generate(options, folder, *arguments):
    start = time.perf_counter()
    subprocess.run([options.neumann, "generate", *arguments, "-o", folder], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(options, folder):
    print("| | amount | seconds | per second |\n|---|---:|---:|---:|")

    def row(what, count, *arguments):
        taken = generate(options, folder / what.replace(" ", "_").replace("/", "_"), *arguments)
        print(f"| {what} | {count:,} | {taken:.2f} | {count / taken:,.0f} |", flush=True)

    for pattern in PATTERNS[:4]:
        row(f"{pattern}: scenes and examples", 20000, "kandinsky", pattern, "-n", "20000", "--split", "train")
    row("questions, scenes and examples", 40000, "behind-the-scenes", "--split", "train")
    row("clevr-hans scenes and examples", 9000, "clevr-hans", "--split", "train")
    row("figures as PNG 128x128", 4000, "kandinsky", "pattern-free", "-n", "4000", "--split", "train", "--images", "--size", "128x128")
    row("solid scenes 128x128 training quality", 60, "clevr-hans", "-n", "60", "--split", "test", "--images", "--quality", "training")
    row("solid scenes 480x320 display quality", 6, "clevr-hans", "-n", "6", "--split", "test", "--images")
    print()


def sheets(options, folder):
    def sheet(name, columns, pictures):
        subprocess.run([options.sheet, Path(options.images) / name, str(columns), *pictures], check=True)

    figures = []
    for pattern in PATTERNS:
        out = folder / f"sheet_{pattern}"
        generate(options, out, "kandinsky", pattern, "-n", "8", "--split", "train", "--images", "--size", "120x120")
        pictures = sorted((out / "train" / "images").glob("*.png"))
        figures += pictures[0::2] + pictures[1::2]  # those that follow the pattern, then those that miss it
    sheet("kandinsky.png", 8, figures)
    out = folder / "sheet_hans"
    generate(options, out, "clevr-hans", "-n", "9", "--split", "test", "--images", "--size", "240x160")
    sheet("clevr-hans.png", 3, sorted((out / "test" / "images").glob("*.png")))
    out = folder / "sheet_list"
    generate(options, out, "clevr-list", "delete", "-n", "4", "--split", "train", "--images", "--size", "240x160")
    sheet("clevr-list.png", 3, sorted((out / "train" / "images").glob("*.png")))
    out = folder / "sheet_questions"
    generate(options, out, "behind-the-scenes", "-n", "8", "--split", "train", "--images", "--size", "240x160")
    sheet("behind-the-scenes.png", 4, sorted((out / "train" / "images").glob("*.png"))[:8])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", required=True)
    parser.add_argument("--sheet", help="the contact_sheet tool")
    parser.add_argument("--images", help="where to write the sheets")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.sheet:
            sheets(options, Path(name))
        else:
            measure(options, Path(name))


if __name__ == "__main__":
    main()
