#!/usr/bin/env python3
"""Writes questions about scenes of three objects as JSON Lines, for examples/behind_the_scenes/all.nm.

    make_questions.py COUNT [--seed N] [--noise P | --confusion S] > questions.jsonl

Each scene has three objects in a row, of different colours. All atoms of color/2 and left_of/2 get a value, as from a
network that looks at an image: 1 - P for what is so, the rest spread over the others. With --confusion they are what a
network makes of logits with Gaussian noise of scale S: a softmax over the colours of an object, whose own colour is
MARGIN ahead, and a logistic of the distance between two noisy positions, where neighbours are MARGIN apart. From S = 2 on
quite a few perceptions are undecided or wrong. One question in turn: delete, append, reverse, sort. The field "answer"
is computed here with ordinary list code.
"""

import argparse
import json
import math
import random
import sys

COLORS = ["cyan", "gray", "red", "yellow"]
POSITIONS = ["1st", "2nd", "3rd"]
MARGIN = 5


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


def spread(row, objects, noise):
    """1 - noise for what is so, the rest for what is not. objects: which one stands where."""
    for place, obj in enumerate(objects):
        for color in COLORS:
            yield f"color(obj{obj},{color})", 1 - noise if color == row[place] else noise / 3
    for i in range(3):
        for j in range(3):
            if i != j:
                yield f"left_of(obj{objects[i]},obj{objects[j]})", 1 - noise if i + 1 == j else noise / 3


def confused(row, objects, scale, rng):
    """What a network with noisy logits sees."""
    for place, obj in enumerate(objects):
        odds = [math.exp(MARGIN * (color == row[place]) + rng.gauss(0, scale)) for color in COLORS]
        for color, one in zip(COLORS, odds):
            yield f"color(obj{obj},{color})", one / sum(odds)
    positions = [MARGIN * place + rng.gauss(0, scale) for place in range(3)]
    for i in range(3):
        for j in range(3):
            if i != j:
                yield f"left_of(obj{objects[i]},obj{objects[j]})", 1 / (1 + math.exp(positions[i] - positions[j]))


def example(number, rng, noise, confusion=None):
    row = rng.sample(COLORS, 3)
    objects = rng.sample(range(3), 3)
    seen = spread(row, objects, noise) if confusion is None else confused(row, objects, confusion, rng)
    atoms = {atom: round(p, 4 if confusion is None else 6) for atom, p in seen}
    query, answer = question(["delete", "append", "reverse", "sort"][number % 4], row, rng)
    atoms[query] = 1.0
    return {"id": number, "atoms": atoms, "answer": answer}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    perception = parser.add_mutually_exclusive_group()
    perception.add_argument("--noise", type=float, default=0.02)
    perception.add_argument("--confusion", type=float)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for number in range(options.count):
        sys.stdout.write(json.dumps(example(number, rng, options.noise, options.confusion)) + "\n")


if __name__ == "__main__":
    main()
