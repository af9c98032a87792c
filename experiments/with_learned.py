#!/usr/bin/env python3
"""Puts learned clauses into another program: what one task taught is used in the next.

    with_learned.py PROGRAM.nm LEARNED.nm… [--rename OLD=NEW]… -o OUT.nm

Each LEARNED.nm was written by `neumann learn --out`. All clauses and facts that PROGRAM.nm has for the predicates learned there
are left out, and the learned ones take their place. --rename: a predicate that the two programs call differently.
Prints the clauses that were put in.
"""
import argparse
import re
from pathlib import Path

from program_text import clauses, directives, predicate_of, statements


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("learned", type=Path, nargs="+")
    parser.add_argument("--rename", action="append", default=[], metavar="OLD=NEW")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    names = dict(one.split("=", 1) for one in options.rename)
    taken, replaced = [], set()
    for file in options.learned:
        text = file.read_text()
        predicates = {arguments[0].replace(" ", "") for arguments in directives(text, "learn")}
        replaced |= predicates
        for clause in clauses(text):
            if predicate_of(clause) in predicates:
                taken.append(re.sub(r"\b[a-z]\w*(?=\()", lambda found: names.get(found[0], found[0]), clause))
    program = options.program.read_text()
    kept = [one for one in statements(program) if one.startswith(":-") or predicate_of(one) not in replaced]
    missing = replaced - {predicate_of(one) for one in clauses(program)}
    if missing:
        raise SystemExit(f"{options.program} has no clauses of {', '.join(sorted(missing))} that could be replaced")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(
        f"% {options.program.name} with {', '.join(sorted(replaced))} as they were learned.\n" + "".join(f"{one}.\n" for one in kept + taken))
    print("\n".join(f"{one}." for one in taken))


if __name__ == "__main__":
    main()
