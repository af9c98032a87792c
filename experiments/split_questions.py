#!/usr/bin/env python3
"""Sorts questions by what they ask for: a file of examples becomes one file for each operation.

    split_questions.py EXAMPLES.jsonl -o FOLDER [--once]

FOLDER/delete.jsonl, append.jsonl, … hold the lines whose query names q_delete, q_append, …; where the data set has
pictures, their names are made such that the new files are lists of pictures for `neumann reason --images`. Prints how many
there are of each as a JSON object, and how many questions are `different`: rows of the same colours from left to right that
are asked the same are one, whatever the objects are called. --once: only the first of those that are the same.
"""
import argparse
import json
import os
import re
from pathlib import Path

OPERATION = re.compile(r"\bq_(\w+)")
COLOR = re.compile(r"color\((\w+),(\w+)\)")
LEFT_OF = re.compile(r"left_of\((\w+),(\w+)\)")


def row_and_query(example):
    """The colours from left to right and what is asked about them."""
    colors = dict(found.groups() for found in map(COLOR.fullmatch, example["atoms"]) if found)
    right_ones = [found[2] for found in map(LEFT_OF.fullmatch, example["atoms"]) if found]
    return tuple(colors[one] for one in sorted(colors, key=right_ones.count)), example["query"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    pictures = options.examples.parent / "images"
    parts, seen, shown = {}, set(), set()
    for line in options.examples.open():
        example = json.loads(line)
        question = row_and_query(example)
        if options.once and question in seen:
            continue
        seen.add(question)
        shown.update(example["images"])
        if pictures.is_dir():
            del example["atoms"]  # a network says them
            example["images"] = [os.path.relpath(pictures / name, options.output) for name in example["images"]]
        parts.setdefault(OPERATION.search(example["query"])[1], []).append(example)
    options.output.mkdir(parents=True, exist_ok=True)
    for operation, examples in parts.items():
        with (options.output / f"{operation}.jsonl").open("w") as file:
            file.writelines(json.dumps(example) + "\n" for example in examples)
    different = {operation: sum(OPERATION.search(query)[1] == operation for _, query in seen) for operation in parts}
    print(json.dumps({**{operation: len(examples) for operation, examples in sorted(parts.items())},
                      "scenes": len(shown), "different": {**different, "all": len(seen)}}))


if __name__ == "__main__":
    main()
