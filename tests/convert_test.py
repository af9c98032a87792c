#!/usr/bin/env python3
"""Programs through `neumann convert` and back: ProbLog's text gives the same values, a folder the same program.

    convert_test.py NEUMANN EXAMPLES GOLDEN

Examples that other languages have no place for are refused by name; the tables below say which.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# What ProbLog's text holds, and comes back from it. The others have neural predicates or bounds on terms.
PROBLOG = ["02_graph", "03_family", "06_colouring", "09_islands", "11_crossing"]
FOLDERS = ["folders/good", "folders/lists", "folders/stars", "folders/empty_bodies", "graph/saved_folder"]
TO_FOLDER = ["01_even", "02_graph", "03_family", "04_arithmetic", "05_lists"]


class Neumann:
    def __init__(self, command):
        self.command = command

    def run(self, *arguments):
        result = subprocess.run([self.command, *map(str, arguments), "--no-warn", "all"], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"neumann {' '.join(map(str, arguments))}\n{result.stderr}")
        return result.stdout

    def values(self, *arguments):
        return json.loads(self.run("reason", *arguments, "--json"))["values"]


def require_equal(what, first, second):
    if first != second:
        sys.exit(f"{what} is not the same again\n{first}\n{second}")


def check_problog(neumann, program, folder):
    text = folder / "program.pl"
    back = folder / "back.nm"
    neumann.run("convert", program, "--to", "problog", "-o", text)
    neumann.run("convert", text, "-o", back)
    require_equal(f"{program} as ProbLog's text", neumann.values(program), neumann.values(back))


def check_folder(neumann, original, folder):
    single = folder / "single.nm"
    neumann.run("convert", original, "-o", single)
    neumann.run("convert", single, "--to", "folder", "-o", folder / "again")
    require_equal(original, neumann.run("convert", original), neumann.run("convert", folder / "again"))


def check_program_as_folder(neumann, program, folder):
    neumann.run("convert", program, "--to", "folder", "-o", folder / "written")
    options = ["--modes", folder / "written" / "modes.txt", "--repeats", "allow"]
    again = neumann.values(folder / "written", *options)
    # Folders spell lists by their functor, so atoms are compared by their order.
    require_equal(f"{program} as a folder", list(neumann.values(program).values()), list(again.values()))


def main():
    neumann, examples, golden = Neumann(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    checks = [(check_problog, examples / f"{name}.nm") for name in PROBLOG]
    checks += [(check_folder, golden / name / "kp") for name in FOLDERS]
    checks += [(check_program_as_folder, examples / f"{name}.nm") for name in TO_FOLDER]
    for check, path in checks:
        with tempfile.TemporaryDirectory() as folder:
            check(neumann, path, pathlib.Path(folder))
    print(f"{len(checks)} programs are the same again")


if __name__ == "__main__":
    main()
