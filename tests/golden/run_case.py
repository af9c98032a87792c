#!/usr/bin/env python3
"""Runs one golden case: run_case.py NEUMANN CASE_FOLDER

A case is a folder with
  cmd           the arguments of neumann, one line, (none) for none; several lines run several commands
  setup         optional: a shell script that makes input too large or too odd to keep in the repository
  expected      standard output of all commands, each followed by its exit code
  expected.err  their standard error
and whatever input files it needs. Commands run in a copy of the folder, so they may write.
With NEUMANN_APPROVE=1 the expected files are written instead of compared.
"""
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 60

# What differs from run to run.
MASKS = [
    (re.compile(r"^neumann \d+\.\d+\.\d+$", re.M), "neumann #"),
    (re.compile(r'"((?:[a-z]+_)?seconds|peak_rss_bytes|bytes)":[0-9.e+-]+'), r'"\1":#'),
    (re.compile(r"(search: \d+ candidates) in [0-9.]+ s;"), r"\1 in # s;"),
    (re.compile(r"( scored.*), [0-9.]+ s$", re.M), r"\1, # s"),
    (re.compile(r"peak memory [0-9.]+ \w+, [0-9.]+ ms"), "peak memory #, # ms"),
    (re.compile(r" +ms$", re.M), "  ms"),
    (re.compile(r"  ─+$", re.M), "  ─"),
    (re.compile(r" in [0-9.]+ s; graph engine, \w+ kernel"), " in # s; graph engine, # kernel"),
    (re.compile(r"the decision diagrams have \d+ nodes and take [0-9.]+ \w+"), "the decision diagrams have # nodes"),
    (re.compile(r" in [0-9.]+ s; the (\d+) most probable proofs"), r" in # s; the \1 most probable proofs"),
    (re.compile(r"^[0-9.]+ s: (\d+ clauses?, )", re.M), r"# s: \1"),
    (re.compile(r"^.* … \d+ s\n", re.M), ""),  # progress, where the machine is slow
]

# The table of rules, whose last column are milliseconds: their number of digits makes it wider or narrower.
TIMED_TABLE = re.compile(r"^line +clause .* ms\n(?:.+\n)*", re.M)
MILLISECONDS = re.compile(r"^(.*\S) +[0-9]+\.[0-9]{2}$", re.M)


def masked(text):
    text = TIMED_TABLE.sub(lambda table: MILLISECONDS.sub(r"\1  #", table[0]), text)
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def run(neumann, case):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder) / case.name
        shutil.copytree(case, work)
        for name in ("expected", "expected.err"):
            (work / name).unlink(missing_ok=True)
        if (work / "setup").exists():
            subprocess.run(["sh", "setup"], cwd=work, check=True)
        out, err = [], []
        for line in (work / "cmd").read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            arguments = [] if line == "(none)" else shlex.split(line)
            result = subprocess.run([neumann, *arguments], cwd=work, capture_output=True, timeout=TIMEOUT_SECONDS,
                                    stdin=subprocess.DEVNULL)
            out.append(result.stdout.decode(errors="backslashreplace"))
            out.append(f"[exit {result.returncode}]\n")
            err.append(result.stderr.decode(errors="backslashreplace"))
        return masked("".join(out)), masked("".join(err))


def compare(path, actual):
    expected = path.read_text() if path.exists() else ""
    if expected == actual:
        return True
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), str(path), "actual"))
    return False


def main():
    neumann, case = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    out, err = run(neumann, case)
    if os.environ.get("NEUMANN_APPROVE") == "1":
        (case / "expected").write_text(out)
        (case / "expected.err").write_text(err)
        return 0
    good = [compare(case / "expected", out), compare(case / "expected.err", err)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
