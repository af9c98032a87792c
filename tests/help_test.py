#!/usr/bin/env python3
"""The help of every command: help_test.py NEUMANN

Commands are found by reading help, so a new one is tested, too. Each has examples of its own; every example names a command
that there is, with options that it has.
"""
import re
import shlex
import subprocess
import sys


def output(neumann, *words):
    run = subprocess.run([neumann, *words], capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 0:
        sys.exit(f"FAILED: neumann {' '.join(words)} ended with {run.returncode}: {run.stderr}")
    return run.stdout


def section(text, title):
    """The lines below a title of a help, which a group of options may have, too."""
    return "".join(re.findall(rf"^{title}:\n((?:(?: .*)?\n)*)", text, re.MULTILINE)).splitlines()


def commands_below(neumann, words=()):
    """All commands, as tuples of words, with their help."""
    text = output(neumann, *words, "--help-all")
    common = output(neumann, *words, "--help")
    if not set(re.findall(r"^  (-\S+)", common, re.MULTILINE)) <= set(re.findall(r"^  (-\S+)", text, re.MULTILINE)):
        sys.exit(f"FAILED: neumann {' '.join(words)} --help has options that --help-all does not have")
    yield words, text
    for line in section(text, "Subcommands"):
        if match := re.match(r"  (\S+)", line):
            yield from commands_below(neumann, (*words, match[1]))


def examples_of(text):
    """Command lines, without what is said about them; a backslash goes on."""
    lines = re.sub(r"\s*\\\n\s*", " ", "\n".join(section(text, "Examples")))
    for line in re.findall(r"^  neumann (.*)", lines, re.MULTILINE):
        yield shlex.split(line.split("  ")[0])


def check(neumann):
    failures = []
    helps = dict(commands_below(neumann))
    examples = 0
    for words, text in helps.items():
        name = " ".join(("neumann", *words))
        if words and output(neumann, "help", *words) != output(neumann, *words, "--help"):
            failures.append(f"`neumann help {' '.join(words)}` and `{name} --help` differ")
        own = 0
        for example in examples_of(text):
            called = max((known for known in helps if tuple(example[:len(known)]) == known), key=len)
            examples += 1
            own += called[:len(words)] == words
            if not called and example[0] != "help":
                failures.append(f"{name}: an example of a command that there is not: {' '.join(example)}")
            for option in (word.split("=")[0] for word in example if re.match(r"--?[a-z]", word)):
                if not re.search(rf"(?:^  |,){option}\b", helps[called], re.MULTILINE):
                    failures.append(f"{name}: {option} in an example, which `neumann {' '.join(called)}` does not have")
        if own == 0:
            failures.append(f"{name}: no example of its own")
    print(f"{len(helps)} commands, {examples} examples")
    return failures


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(f"FAILED: {failure}" for failure in found))
    sys.exit(1 if found else 0)
