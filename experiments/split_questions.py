#!/usr/bin/env python3
"""Sorts questions by what they ask for: a file of examples becomes one file for each operation.

    split_questions.py EXAMPLES.jsonl -o FOLDER

FOLDER/delete.jsonl, append.jsonl, … hold the lines whose query names q_delete, q_append, …; where the data set has
pictures, their names are made such that the new files are lists of pictures for `neumann reason --images`. Prints how many
there are of each as a JSON object.
"""
import argparse
import json
import os
import re
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    pictures = options.examples.parent / "images"
    parts = {}
    for line in options.examples.open():
        example = json.loads(line)
        if pictures.is_dir():
            del example["atoms"]  # a network says them
            example["images"] = [os.path.relpath(pictures / name, options.output) for name in example["images"]]
        parts.setdefault(re.search(r"\bq_(\w+)", example["query"])[1], []).append(example)
    options.output.mkdir(parents=True, exist_ok=True)
    for operation, examples in parts.items():
        with (options.output / f"{operation}.jsonl").open("w") as file:
            file.writelines(json.dumps(example) + "\n" for example in examples)
    print(json.dumps({operation: len(examples) for operation, examples in sorted(parts.items())}))


if __name__ == "__main__":
    main()
