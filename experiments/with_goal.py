#!/usr/bin/env python3
"""A program whose clauses of one predicate have one goal more.

    with_goal.py PROGRAM.nm PREDICATE/ARITY GOAL -o OUT.nm

Prints these clauses.
"""
import argparse
from pathlib import Path

from program_text import predicate_of, statements


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("predicate")
    parser.add_argument("goal")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    with options.output.open("w") as out:
        for statement in statements(options.program.read_text()):
            if not statement.startswith(":-") and predicate_of(statement) == options.predicate:
                statement += f"{', ' if ':-' in statement else ' :- '}{options.goal}"
                print(f"{statement}.")
            out.write(f"{statement}.\n")


if __name__ == "__main__":
    main()
