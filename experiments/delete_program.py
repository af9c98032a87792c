#!/usr/bin/env python3
"""Writes the program of delete over so many colours, and 64 examples for it: programs of any size for measurements of memory.

    delete_program.py COLOURS -o DIR        writes DIR/program.nm and DIR/examples.jsonl
"""
import argparse
import json
from pathlib import Path

EXAMPLES = 64


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("colours", type=int)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    colours = [f"c{number}" for number in range(1, options.colours + 1)]
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "program.nm").write_text(f""":- type(color, [{','.join(colours)}]).
:- list(colors, color, f, '*').
:- max_length(colors, 3).
:- no_repeats(colors).
:- pred(delete(color, colors, colors)).
:- neural(seen(color)).
:- pred(found(color)).
delete(X, [X|Y], Y).
delete(X, [Y|Z], [Y|W]) :- delete(X, Z, W).
found(X) :- seen(X), delete(X, Y, Z).
query(found(c1)).
""")
    with (options.output / "examples.jsonl").open("w") as file:
        for number in range(EXAMPLES):
            seen = {f"seen({colour})": 0.9 if place == number % len(colours) else 0.1 for place, colour in enumerate(colours)}
            file.write(json.dumps({"id": str(number), "atoms": seen}) + "\n")


if __name__ == "__main__":
    main()
