#!/usr/bin/env python3
"""Checks the plain words of headers and help texts (STYLE.md, "Plain words").

    check_words.py ROOT          check the repository at ROOT
    check_words.py --self-test   prove on small made-up trees that each kind of fault is found

The first line of a header is a comment that begins with a noun phrase. Neither it nor a help text of the command has a word
of the dialect. Each fault is one line of output, file:line: text; the exit code is 1 if there is any.
"""

import re
import sys
from pathlib import Path

import source_check

DIALECT = re.compile(r"\b(what|whatever|whoever|whom|somebody|nobody|those that|told|tells?|says?|said|looked|looks at|"
                     r"pictures?|cards?|had best|as they stand|at hand|so many|goes? on)\b", re.IGNORECASE)
NO_NOUN = re.compile(r"(What|How|Which|Who|Whether|Between|Where|Whose|When|If)\b")
HELP = re.compile(r"\badd_(?:option|flag|subcommand)\w*\(((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*);")
TEXT = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
OPTION_NAME = re.compile(r"-|[A-Z]*$")


def check_header(text):
    first = text.split("\n", 1)[0]
    if not first.startswith("// "):
        return "the first line is no comment"
    if NO_NOUN.match(first[3:]):
        return f"the first line is no noun phrase: {first[3:]}"
    word = DIALECT.search(first)
    return f"'{word.group()}' in the first line: {first[3:]}" if word else None


def check_help(text):
    for call in HELP.finditer(text):
        for help_text in TEXT.finditer(call.group(1)):
            word = None if OPTION_NAME.match(help_text.group(1)) else DIALECT.search(help_text.group(1))
            if word:
                yield text.count("\n", 0, call.start()) + 1, f"'{word.group()}' in a help text: {help_text.group(1)}"


def check(root):
    found = []
    for folder in ("src", "app", "include", "python/src"):
        for path in sorted((root / folder).rglob("*.h")):
            fault = check_header(path.read_text(encoding="utf-8"))
            found += [f"{path.relative_to(root)}:1: {fault}"] if fault else []
    for path in sorted((root / "app").rglob("*.cpp")):
        faults = check_help(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(root)}:{line}: {fault}" for line, fault in faults]
    return found


def prove():
    cases = [
        ("a noun phrase", {"src/a.h": "// Graph of atoms: nodes and edges.\n"}, []),
        ("no comment", {"src/a.h": "#pragma once\n"}, ["no comment"]),
        ("no noun", {"include/a.h": "// Which atoms there are.\n"}, ["no noun phrase"]),
        ("a word of the dialect", {"src/a.h": "// Atoms: what holds.\n"}, ["'what'"]),
        ("a plain help text", {"app/a.cpp": 'c.add_option("--size", size, "size of the images");'}, []),
        ("an option's own name", {"app/a.cpp": 'c.add_option("--pictures", n, "number of images");'}, []),
        ("a help text in the dialect", {"app/a.cpp": '\nc.add_flag("--all", all, "all that a picture;says");'}, ["app/a.cpp:2"]),
        ("the second of two", {"app/a.cpp": 'c.add_flag("-a", a, "x"); c.add_subcommand("b", "whatever");'}, ["'whatever'"]),
    ]
    return source_check.self_test(
        check, cases, lambda found, expected: len(found) == len(expected) and all(e in f for e, f in zip(expected, found)))


if __name__ == "__main__":
    sys.exit(source_check.main(sys.argv[1:], __doc__, check, prove, "headers and help texts are in plain words"))
