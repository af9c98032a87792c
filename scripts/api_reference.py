#!/usr/bin/env python3
"""Makes the reference of the C++ library from the comments in its public headers, with Doxygen.

    api_reference.py FOLDER [--headers DIR]

FOLDER gets index.html and its pages. Names without a comment, and comments that Doxygen cannot read, are printed, and the
exit code is 1: every public name is documented. DIR is include/neumann by default.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--headers", type=Path, default=ROOT / "include" / "neumann")
    options = reader.parse_args()
    if shutil.which("doxygen") is None:
        sys.exit("api_reference.py: Doxygen is not installed (scripts/setup.sh site)")
    version = re.search(r"project\(neumann VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    with tempfile.TemporaryDirectory() as name:
        settings = Path(name) / "Doxyfile"
        settings.write_text((ROOT / "docs/api/Doxyfile").read_text(encoding="utf-8") + f"""
PROJECT_NUMBER = {version}
INPUT = "{options.headers.resolve()}"
STRIP_FROM_PATH = "{options.headers.resolve().parent}"
STRIP_FROM_INC_PATH = "{options.headers.resolve().parent}"
OUTPUT_DIRECTORY = "{name}"
""", encoding="utf-8")
        done = subprocess.run(["doxygen", settings], cwd=ROOT, capture_output=True, text=True)
        warnings = [line for line in done.stderr.splitlines() if line.strip()]
        if done.returncode != 0 or warnings:
            sys.exit("\n".join(warnings) or f"doxygen ended with {done.returncode}")
        shutil.rmtree(options.folder, ignore_errors=True)
        options.folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(Path(name) / "html", options.folder)
    print(f"reference: {options.folder / 'index.html'}")


if __name__ == "__main__":
    main()
