#!/usr/bin/env python3
"""Makes a program whose candidates are given: what a search found best in each round, and what was learned in the end.

    candidate_pool.py PROGRAM.nm LEARNED.nm REPORT -o POOL.nm

LEARNED.nm and REPORT are those of `neumann learn PROGRAM.nm --out LEARNED.nm --report REPORT`. With `--trials 0` learning POOL.nm is
learning weights only, of all candidates at once. Prints the candidates.
"""
import argparse
import csv
from pathlib import Path

from program_text import clauses, directives, predicate_of, statements


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("learned", type=Path)
    parser.add_argument("report", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    text = options.program.read_text()
    predicates = {arguments[0].replace(" ", "") for arguments in directives(text, "learn")}
    with (options.report / "rounds.csv").open() as file:
        pool = [row["best_clause"].removesuffix(".") for row in csv.DictReader(file)]
    pool += [clause for clause in clauses(options.learned.read_text()) if predicate_of(clause) in predicates]
    pool = list(dict.fromkeys(pool))
    kept = [one for one in statements(text) if not one.startswith(":- initial(")]
    options.output.write_text("".join(f"{one}.\n" for one in kept) + "".join(f":- initial(({one})).\n" for one in pool))
    print("\n".join(f"{one}." for one in pool))


if __name__ == "__main__":
    main()
