#!/usr/bin/env python3
"""Runs the commands that a page shows and compares what they print with what the page shows.

check_docs.py NEUMANN EXAMPLES PAGE

In each ```console block, lines "$ neumann …" are commands and what follows is their output. They run in a folder that has
the examples as examples/ and what the page shows as a file: a block behind a line that ends in its name, `name.nm`:, and the
page's first ```prolog block, if it has no name, as family.nm.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

TIMINGS = re.compile(r"\d+\.\d\d$|peak memory .*$|in \d+\.\d\d s; graph engine, \w+ kernel", re.M)


def commands(page):
    """Pairs of arguments and expected output."""
    for block in re.findall(r"```console\n(.*?)```", page, re.S):
        for command, output in re.findall(r"^\$ neumann (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            yield shlex.split(command, comments=True), output


def files(page):
    """Pairs of name and text."""
    named = re.findall(r"`([\w.]+)`:\n\n?```\w+\n(.*?)```", page, re.S)
    program = re.search(r"```prolog\n(.*?)```", page, re.S)
    if program and program.group(1) not in [text for _, text in named]:
        named.append(("family.nm", program.group(1)))
    return named


def main():
    neumann, examples = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    page = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")
    checked = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "examples").symlink_to(examples)
        for file, text in files(page):
            (folder / file).write_text(text, encoding="utf-8")
        for arguments, expected in commands(page):
            actual = subprocess.run([neumann, *arguments], cwd=folder, capture_output=True, text=True)
            checked += 1
            printed = actual.stdout + actual.stderr
            if actual.returncode or TIMINGS.sub("#", printed) != TIMINGS.sub("#", expected):
                failed += 1
                print(f"neumann {shlex.join(arguments)}\nshould print\n{expected}\nbut prints\n{printed}")
    print(f"{checked} commands checked, {failed} differ")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
