#!/usr/bin/env python3
"""How fast reasoning is on a GPU: makes the graphs, checks the gpu's numbers against the double reference, and
prints the tables of bench/gpu.cpp.

    bench/gpu.py                     the full graphs of delete and reverse, the questions of all.nm, generated graphs
                                     of 10² to 10⁷ conjunctions, and how far numbers are from the double reference
    bench/gpu.py --only paper        two semantics, of 64 examples
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
PROGRAMS = EXAMPLES / "behind_the_scenes"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="where neumann and bench_gpu are")
    parser.add_argument("--only", default="", help="softor and this semantics alone, of 64 examples")
    arguments = parser.parse_args()
    for needed in ("neumann", "bench_gpu", "libneumann_cuda.so"):
        if not (arguments.build / needed).exists():
            sys.exit(f"{arguments.build / needed} is missing: install CUDA (nvcc), then make build and "
                     f"cmake --build {arguments.build} --target bench_gpu")
    with tempfile.TemporaryDirectory() as folder:

        def graph(program, mode):
            name = f"{folder}/{program.parent.name}_{program.stem}_{mode}.nmg"
            subprocess.run([arguments.build / "neumann", "graph", program, "--mode", mode, "-o", name], check=True,
                           stdout=subprocess.DEVNULL)
            return name

        def bench(*options):
            subprocess.run([arguments.build / "bench_gpu", *options], check=True)

        only = [f"--only={arguments.only}"] if arguments.only else []
        bench(*only, *(graph(PROGRAMS / f"{name}.nm", "full") for name in ("delete", "reverse")))
        bench("--questions", graph(PROGRAMS / "all.nm", "relevant"))
        if not arguments.only:
            bench("--sizes")
            bench("--check", *(graph(program, "relevant") for program in sorted(EXAMPLES.rglob("*.nm"))))


if __name__ == "__main__":
    main()
