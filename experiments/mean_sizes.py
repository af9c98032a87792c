#!/usr/bin/env python3
"""Mean numbers of ground atoms and ground clauses of several programs, as `neumann ground --json` counts them.

    mean_sizes.py NEUMANN MODE PROGRAM...
"""
import json
import statistics
import subprocess
import sys


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    neumann, mode, *programs = sys.argv[1:]
    sizes = [json.loads(subprocess.check_output([neumann, "ground", program, "--mode", mode, "--json"])) for program in programs]
    print(json.dumps({what: statistics.mean(size[what] for size in sizes) for what in ("atoms", "clauses")}))


if __name__ == "__main__":
    main()
