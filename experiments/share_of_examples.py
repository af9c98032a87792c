#!/usr/bin/env python3
"""Takes a share of a file of examples at random, the same share of each label, in the order of the file.

    share_of_examples.py EXAMPLES.jsonl --percent P [--seed S] -o FILE.jsonl

Prints how many examples were taken.
"""
import argparse
import random
import re
from pathlib import Path

LABEL = re.compile(r'"label": ?(-?\d+)')  # without reading the atoms, of which there are many


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--percent", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    if not 0 < options.percent <= 100:
        parser.error("--percent is more than 0 and at most 100")
    lines = options.examples.read_text().splitlines(keepends=True)
    by_label = {}
    for number, line in enumerate(lines):
        by_label.setdefault(int(LABEL.search(line)[1]), []).append(number)
    rng = random.Random(options.seed)
    taken = sorted(number for label in sorted(by_label)
                   for number in rng.sample(by_label[label], max(1, round(len(by_label[label]) * options.percent / 100))))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(lines[number] for number in taken))
    print(len(taken))


if __name__ == "__main__":
    main()
