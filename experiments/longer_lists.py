#!/usr/bin/env python3
"""Asks a learned list program about lists that are longer than those it was learned from, and counts right answers.

    longer_lists.py NEUMANN LEARNED.nm RELATION LENGTH [--count N] [--seed S] [--colours K]

RELATION is member, delete, is_sorted or sort. The learned clauses are put into a program of their own, without pictures, over K colours; what
`sort` and `is_sorted` build on (permutation, smaller, and is_sorted where it was learned before) comes with it. N questions, half of them positive,
are about lists of LENGTH different colours; wrong ones differ by one element or by the order of two. Prints one JSON object.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from program_text import clauses, predicate_of

COLOURS = ["blue", "brown", "cyan", "gray", "green", "purple", "red", "yellow"]  # in the order of the alphabet
PREDICATES = {"member": "member(color, colors)", "delete": "delete(color, colors, colors)", "is_sorted": "is_sorted(colors)",
              "sort": "sort(colors, colors)", "permutation": "permutation(colors, colors)", "smaller": "smaller(color, color)"}
ARITY = {name: text.count(",") + 1 for name, text in PREDICATES.items()}
NEEDED = {"member": ["member"], "delete": ["delete"], "is_sorted": ["is_sorted", "smaller"],
          "sort": ["sort", "permutation", "is_sorted", "delete", "smaller"]}


def written(items):
    return f"[{','.join(items)}]"


def swapped(items, draw):
    i, j = draw.sample(range(len(items)), 2)
    changed = list(items)
    changed[i], changed[j] = changed[j], changed[i]
    return changed


def question(relation, length, positive, colours, draw):
    """An atom that holds, or one that does not."""
    items = draw.sample(colours, length)
    if relation == "member":
        return f"member({draw.choice(items if positive else [one for one in colours if one not in items])},{written(items)})"
    if relation == "delete":
        gone = draw.choice(items)
        left = [one for one in items if one != gone]
        return f"delete({gone},{written(items)},{written(left if positive else swapped(left, draw))})"
    ordered = sorted(items)
    if relation == "is_sorted":
        return f"is_sorted({written(ordered if positive else swapped(ordered, draw))})"
    if positive:
        return f"sort({written(items)},{written(ordered)})"
    if draw.random() < 0.5:
        return f"sort({written(items)},{written(swapped(ordered, draw))})"
    other = draw.choice([one for one in colours if one not in items])
    return f"sort({written(items)},{written(sorted([*ordered[1:], other]))})"


def program_of(learned, relation, length, colours):
    needed = NEEDED[relation]
    kept = [one for one in clauses(learned.read_text()) if predicate_of(one) in {f"{name}/{ARITY[name]}" for name in needed if name != "smaller"}]
    if not any(predicate_of(one) == f"{relation}/{ARITY[relation]}" for one in kept):
        sys.exit(f"{learned} has no clauses of {relation}/{ARITY[relation]}")
    order = [f"smaller({a},{b})" for i, a in enumerate(colours) for b in colours[i + 1:]] if "smaller" in needed else []
    head = [f":- type(color, {written(colours)})", ":- list(colors, color, f, '*')", f":- max_length(colors, {length})", ":- no_repeats(colors)",
            *(f":- pred({PREDICATES[name]})" for name in needed)]
    return "".join(f"{one}.\n" for one in [*head, *kept, *order])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("learned", type=Path)
    parser.add_argument("relation", choices=sorted(NEEDED))
    parser.add_argument("length", type=int)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--colours", type=int, default=7)
    options = parser.parse_args()
    colours = COLOURS[:options.colours]
    if not 2 <= options.length < len(colours) <= options.colours:
        sys.exit("the length must be from 2 to less than the number of colours, of which there are at most eight")
    draw = random.Random(f"{options.relation} {options.length} {options.seed}")
    asked = {question(options.relation, options.length, number % 2 == 0, colours, draw): number % 2 == 0 for number in range(options.count)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "longer.nm"
        file.write_text(program_of(options.learned, options.relation, options.length, colours) + "".join(f"query({atom}).\n" for atom in asked))
        done = subprocess.run([options.neumann, "reason", file, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"neumann reason: exit code {done.returncode}: {done.stderr}")
    values = json.loads(done.stdout)["values"]
    right = sum((values.get(atom, 0) >= 0.5) == holds for atom, holds in asked.items())
    print(json.dumps({"questions": len(asked), "right": right, "accuracy": right / len(asked)}))


if __name__ == "__main__":
    main()
