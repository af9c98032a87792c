#!/usr/bin/env python3
"""Runs the program of the README through the command and compares the output with what the README shows.

check_readme.py NEUMANN README
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TIMINGS = re.compile(r"\d+\.\d\d$|peak memory .*$", re.M)


def main():
    neumann, readme = sys.argv[1], pathlib.Path(sys.argv[2]).read_text()
    program = re.search(r"```prolog\n(.*?)```", readme, re.S).group(1)
    shown = re.search(r"```console\n\$ neumann (ground family\.nm)\n(.*?)```", readme, re.S)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "family.nm").write_text(program)
        actual = subprocess.run([neumann, *shown.group(1).split()], cwd=folder, capture_output=True, text=True)
    if TIMINGS.sub("#", actual.stdout) == TIMINGS.sub("#", shown.group(2)) and actual.returncode == 0 and not actual.stderr:
        return 0
    print(f"the README shows\n{shown.group(2)}\nbut the command prints\n{actual.stdout}{actual.stderr}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
