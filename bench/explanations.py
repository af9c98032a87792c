#!/usr/bin/env python3
"""Measures explanations: do they name the right objects, find a wrong perception, stream, and what do they cost?

    explanations.py BUILD [--only SECTION…] [--quick] [--seed N] [--cost BINARY] [--json FILE] [--folder DIR]

BUILD is a build folder with `neumann`. Prints tables in Markdown, and what it is doing on the standard error; --json has
the same rows, with the cases that failed. Sections:

agreement  scenes of a class: the objects that the class's rule is about must weigh more than all others
flips      one attribute of a scene is made wrong such that the answer becomes false: why-not must name it first
errors     the same with errors that networks make on pictures, where they happen and put into other pictures
stream     memory and speed of many explanations
cost       an explanation against one forward pass; needs --cost, the path of bench_explanations

The exit code is 1 if something falls short of what is claimed; the last lines then say what.
"""
import argparse
import json
import sys
import tempfile
from pathlib import Path

from explanation_sections import agreement, cost, errors, flips, stream
from explanation_sections.bench import Bench

SECTIONS = {"agreement": agreement, "flips": flips, "errors": errors, "stream": stream, "cost": cost}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pictures", type=int, default=600, help="of all classes together; --quick takes 90")
    parser.add_argument("--cost", metavar="BINARY")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--folder", help="where data sets are made and kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(options, Path(options.folder or temporary))
        bench.folder.mkdir(parents=True, exist_ok=True)
        for section in options.only:
            SECTIONS[section].measure(bench)
    if options.json:
        Path(options.json).write_text(json.dumps({"quick": options.quick, "seed": options.seed, "broken": bench.broken,
                                                  "rows": bench.rows}, indent=1) + "\n")
    if bench.broken:
        print("\nfell short:\n  " + "\n  ".join(bench.broken))
        sys.exit(1)
    passed_over = [] if options.cost else ["cost"]
    measured = [section for section in options.only if section not in passed_over]
    print(f"\nall claims hold; measured: {', '.join(measured)}")


if __name__ == "__main__":
    main()
