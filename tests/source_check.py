"""What the checks of the sources have in common: their command line, and small made-up trees to prove themselves on."""

import contextlib
import sys
import tempfile
from pathlib import Path


@contextlib.contextmanager
def made_up_tree(files):
    """A folder with these files, by name and text, and an src/ in any case."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "src").mkdir()
        for file, text in files.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text, encoding="utf-8")
        yield root


def self_test(check, cases, is_right):
    """Runs `check` on the files of each case (name, files, expected); `is_right` compares what it found with what is expected."""
    failures = 0
    for name, files, expected in cases:
        with made_up_tree(files) as root:
            found = check(root)
        good = is_right(found, expected)
        print(f"{'ok' if good else 'FAILED'}: {name}" + ("" if good else f": {found}"))
        failures += not good
    return 1 if failures else 0


def main(arguments, usage, check, prove, clean):
    """Checks the repository that the arguments name, or proves itself; `clean` is what is said if nothing is found."""
    if arguments == ["--self-test"]:
        return prove()
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(usage, file=sys.stderr)
        return 2
    found = check(Path(arguments[0]).resolve())
    print("\n".join(found) if found else clean)
    return 1 if found else 0
