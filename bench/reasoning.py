#!/usr/bin/env python3
"""Measures the reasoner: kernels, whole processes, memory.

    reasoning.py --neumann PATH --bench PATH --examples FOLDER [--plot memory.svg]

Times are the best of several runs on whatever machine this is; compare within one run only.
"""

import argparse
import math
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def seconds(command, runs=5):
    best = math.inf
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def whole_processes(options, folder):
    """Questions from JSON to JSON, and the start from a saved graph."""
    questions = folder / "questions.jsonl"
    maker = Path(__file__).parent / "make_questions.py"
    with open(questions, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, maker, "40000"], check=True, stdout=out)
    program = options.examples / "behind_the_scenes" / "all.nm"
    print("| whole process | seconds |\n|---|---:|")
    for threads in ("1", "2"):
        taken = seconds([options.neumann, "reason", program, "--examples", questions, "--json", "--threads", threads])
        print(f"| 40,000 questions about scenes, JSON to JSON, {threads} thread{'s' * (threads != '1')} | {taken:.3f} |")
    for mode in ("relevant", "full"):
        saved = folder / f"{mode}.nmg"
        subprocess.run([options.neumann, "graph", program, "--mode", mode, "-o", saved], check=True,
                       stdout=subprocess.DEVNULL)
        taken = seconds([options.neumann, "reason", saved, "--json"], runs=10)
        print(f"| one answer from the saved {mode} graph | {taken:.3f} |")
    print(flush=True)


def memory_rows(options, folder):
    """The program of `delete` with more and more colours: atoms, clauses and bytes."""
    text = (options.examples / "behind_the_scenes" / "delete.nm").read_text(encoding="utf-8")
    rows = []
    for count in range(2, 8):
        colors = ", ".join(["cyan", "gray", "red", "yellow", "blue", "green", "brown", "purple"][:count])
        program = folder / f"colors{count}.nm"
        program.write_text(re.sub(r"type\(color, \[[^]]*\]\)", f"type(color, [{colors}])", text), encoding="utf-8")
        line = subprocess.run([options.bench, "memory", program], check=True, capture_output=True, text=True).stdout
        rows.append((count, *map(int, line.split(","))))
    return rows


def show_memory(rows):
    print("| colours | atoms | ground clauses | graph bytes | per atom+clause | reasoner bytes, 16 examples "
          "| per atom+clause | tensor index bytes | atoms × clauses |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for count, atoms, clauses, graph, reasoner, tensor, dense in rows:
        size = atoms + clauses
        print(f"| {count} | {atoms:,} | {clauses:,} | {graph:,} | {graph / size:.1f} | {reasoner:,} "
              f"| {reasoner / size:.1f} | {tensor:,} | {dense:,} |")
    print()


def plot(rows, path):
    """Bytes over atoms + ground clauses, both logarithmic."""
    left, top, width, height = 80, 40, 520, 340
    sizes = [atoms + clauses for _, atoms, clauses, *_ in rows]
    series = [
        ("graph", "#1b5e9e", [row[3] for row in rows]),
        ("graph, reasoner and 16 examples", "#4aa3df", [row[3] + row[4] for row in rows]),
        ("tensor index (earlier reasoners)", "#c0392b", [row[5] for row in rows]),
    ]
    low = math.floor(math.log10(min(min(values) for *_, values in series)))
    high = math.ceil(math.log10(max(max(values) for *_, values in series)))
    first, last = math.floor(math.log10(sizes[0])), math.ceil(math.log10(sizes[-1]))

    def x(size):
        return left + width * (math.log10(size) - first) / (last - first)

    def y(count):
        return top + height * (high - math.log10(count)) / (high - low)

    def power(exponent):
        return f'10<tspan dy="-6" font-size="9">{exponent}</tspan>'

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} {top + height + 60}" '
           'font-family="sans-serif" font-size="12" role="img" '
           'aria-label="Bytes over atoms plus ground clauses: the graph grows linearly, the tensor quadratically">',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           f'<text x="{left}" y="22" font-size="14" fill="#222">Memory for the program of delete with 2 to 7 colours</text>']
    for exponent in range(low, high + 1):
        svg.append(f'<path d="M{left} {y(10 ** exponent):.1f}h{width}" stroke="#e4e4e4"/>'
                   f'<text x="{left - 8}" y="{y(10 ** exponent) + 4:.1f}" text-anchor="end" fill="#444">{power(exponent)}</text>')
    for exponent in range(first, last + 1):
        svg.append(f'<path d="M{x(10 ** exponent):.1f} {top}v{height}" stroke="#e4e4e4"/>'
                   f'<text x="{x(10 ** exponent):.1f}" y="{top + height + 20}" text-anchor="middle" fill="#444">'
                   f'{power(exponent)}</text>')
    svg.append(f'<text x="{left + width / 2}" y="{top + height + 46}" text-anchor="middle" fill="#222">'
               'atoms + ground clauses</text>')
    svg.append(f'<text x="20" y="{top + height / 2}" text-anchor="middle" fill="#222" '
               f'transform="rotate(-90 20 {top + height / 2})">bytes</text>')
    for number, (name, color, values) in enumerate(series):
        points = " ".join(f"{x(size):.1f},{y(count):.1f}" for size, count in zip(sizes, values))
        svg.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        svg += [f'<circle cx="{x(size):.1f}" cy="{y(count):.1f}" r="3.5" fill="{color}"/>'
                for size, count in zip(sizes, values)]
        svg.append(f'<rect x="{left + 14}" y="{top + 12 + 20 * number}" width="12" height="12" fill="{color}"/>'
                   f'<text x="{left + 32}" y="{top + 22 + 20 * number}" fill="#222">{name}</text>')
    Path(path).write_text("\n".join(svg) + "\n</svg>\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--examples", required=True, type=Path)
    parser.add_argument("--plot", help="write the memory plot to this SVG file")
    options = parser.parse_args()
    scenes = options.examples / "behind_the_scenes"
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([options.bench, "speed", scenes], check=True)
        subprocess.run([options.bench, "edges", scenes], check=True)
        print()
        whole_processes(options, Path(name))
        rows = memory_rows(options, Path(name))
        show_memory(rows)
        if options.plot:
            plot(rows, options.plot)


if __name__ == "__main__":
    main()
