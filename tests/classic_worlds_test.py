#!/usr/bin/env python3
"""Checks the worlds of the classic problems: classic_worlds_test.py NEUMANN FOLDER

The files in FOLDER are those that its make_worlds.py writes, every program there has its worlds, and the script's own
check passes: solutions get every target right, rivals do not.
"""
import pathlib
import subprocess
import sys
import tempfile


def texts(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.jsonl")}


def main():
    neumann, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    script = folder / "make_worlds.py"
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([sys.executable, script, name], check=True)
        kept, made = texts(folder), texts(pathlib.Path(name))
        needed = {f"{program.stem}.{part}.jsonl" for program in folder.glob("*.nm") for part in ("train", "test")}
    for file in sorted(kept.keys() | made.keys() | needed):
        if kept.get(file) is None or kept[file] != made.get(file) or file not in needed:
            failed += 1
            print(f"{file} is not what {script} writes for a program in its folder")
    checked = subprocess.run([sys.executable, script, "--check", neumann])
    return 1 if failed or checked.returncode or not needed else 0


if __name__ == "__main__":
    sys.exit(main())
