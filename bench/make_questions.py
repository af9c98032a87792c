#!/usr/bin/env python3
"""Writes questions about scenes of three objects as JSON Lines, for examples/behind_the_scenes/all.nm.

    make_questions.py COUNT [--seed N] [--noise P] > questions.jsonl

Each scene has three objects in a row, of different colours. All atoms of color/2 and left_of/2 get a value, as from a
network that looks at an image: 1 - P for what is so, the rest spread over the others. One question in turn: delete,
append, reverse, sort. The field "answer" is computed here with ordinary list code.
"""

import argparse
import json
import random
import sys

COLORS = ["cyan", "gray", "red", "yellow"]
POSITIONS = ["1st", "2nd", "3rd"]


def question(kind, row, rng):
    """The query atom and the answer for a row of colours."""
    if kind == "delete":
        color = rng.choice(row)
        after = [c for c in row if c != color]
    elif kind == "append":
        color = rng.choice([c for c in COLORS if c not in row[:2]])
        after = [color] + row[:2]
    else:
        color = None
        after = row[::-1] if kind == "reverse" else sorted(row)
    place = rng.randrange(len(after))
    if color:
        return f"query3(q,q_{kind},{color},{POSITIONS[place]})", after[place]
    return f"query2(q,q_{kind},{POSITIONS[place]})", after[place]


def example(number, rng, noise):
    row = rng.sample(COLORS, 3)
    objects = rng.sample(range(3), 3)  # which object stands where
    atoms = {}
    for place, obj in enumerate(objects):
        for color in COLORS:
            p = 1 - noise if color == row[place] else noise / 3
            atoms[f"color(obj{obj},{color})"] = round(p, 4)
    for i in range(3):
        for j in range(3):
            if i != j:
                atoms[f"left_of(obj{objects[i]},obj{objects[j]})"] = round(1 - noise if i + 1 == j else noise / 3, 4)
    query, answer = question(["delete", "append", "reverse", "sort"][number % 4], row, rng)
    atoms[query] = 1.0
    return {"id": number, "atoms": atoms, "answer": answer}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=0.02)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for number in range(options.count):
        sys.stdout.write(json.dumps(example(number, rng, options.noise)) + "\n")


if __name__ == "__main__":
    main()
