#!/usr/bin/env python3
"""The reference of the C++ library: api_reference_test.py SOURCE_FOLDER

It is made without a warning, has every public header and class, and a name without a comment is found.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    root = Path(sys.argv[1]).resolve()
    if shutil.which("doxygen") is None:
        print("skipped: doxygen is not installed (scripts/setup.sh test)")
        return 77
    script = [sys.executable, str(root / "scripts/api_reference.py")]
    headers = sorted((root / "include/neumann").glob("*.h"))
    missing = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = subprocess.run([*script, folder / "api"], capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stderr)
            return 1
        pages = "".join(page.read_text(encoding="utf-8") for page in (folder / "api").glob("*.html"))
        for header in headers:
            names = re.findall(r"^(?:class|struct) (\w+) (?:: public \w+ )?\{", header.read_text(encoding="utf-8"), re.M)
            missing += [one for one in [header.name, *names] if one not in pages]
        (folder / "made").mkdir()
        (folder / "made/a.h").write_text("// Numbers: two of them.\n#pragma once\n\n// A pair.\nstruct Pair {\n    int first = 0;   // the one before\n"
                                         "    int other = 0;\n};\n", encoding="utf-8")
        made = subprocess.run([*script, folder / "made-api", "--headers", folder / "made"], capture_output=True, text=True)
        if made.returncode == 0 or "other" not in made.stderr or "first" in made.stderr:
            missing.append(f"what has no comment: {made.stderr}")
    print(f"{len(headers)} headers; missing: {missing}" if missing else f"{len(headers)} headers")
    return 1 if missing or len(headers) > 18 else 0


if __name__ == "__main__":
    sys.exit(main())
