#!/usr/bin/env python3
"""The program of every depth of `neumann learn`, and how many test labels it gets right.

    depth_curve.py NEUMANN PROGRAM.nm --train FILE --val FILE --test FILE --positive N [--max-body N] [--share SHARE]… --work DIR

Learns by depth until training labels gain nothing (`--enough 1`), then runs the program of each depth on the test examples. Prints a
JSON object: `depth`, `train`, `val` and `test` are lists; `program` is a list, too. `sweep` has for each share the depth at which
learning stops if so many validation labels are enough, and the accuracy on test then: `test` at the first depth with that share, else
at the best of validation.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from program_text import predicate_of, statements

RIGHT = re.compile(r"accuracy: ([0-9]+) of ([0-9]+)")


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done


def stopping_depth(val, share):
    """The number of the depth, from 0, that is taken if this share is enough."""
    return next((number for number, accuracy in enumerate(val) if accuracy >= share), val.index(max(val)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann", type=Path)
    parser.add_argument("program", type=Path)
    for name in ("train", "val", "test", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--positive", default="1")
    parser.add_argument("--max-body", default="10")
    parser.add_argument("--share", type=float, action="append", default=[])
    options = parser.parse_args()
    learned = json.loads(run(options.neumann, "learn", "--algorithm", "gradient", options.program, "--positive", options.positive, "--train",
                             options.train, "--val", options.val, "--enough", "1", "--max-body", options.max_body, "--json", "-q").stdout)
    options.work.mkdir(parents=True, exist_ok=True)
    text = options.program.read_text()
    curve = {"depth": [], "train": [], "val": [], "test": [], "program": []}
    for one in learned["depths"]:
        if not one["program"]:
            continue
        predicate = predicate_of(one["program"].splitlines()[0])
        kept = [part for part in statements(text) if part.startswith(":-") or predicate_of(part) != predicate]
        file = options.work / f"depth-{one['depth']}.nm"
        file.write_text("".join(f"{part}.\n" for part in kept) + one["program"] + "\n")
        right, labels = map(int, RIGHT.search(run(options.neumann, "reason", file, "--examples", options.test, "--positive", options.positive,
                                                  "--json").stderr).groups())
        curve["depth"].append(one["depth"])
        curve["train"].append(one["train_accuracy"])
        curve["val"].append(one["val_accuracy"])
        curve["test"].append(right / labels)
        curve["program"].append(one["program"])
    if not curve["depth"]:
        sys.exit("no depth has a program")
    curve["sweep"] = {}
    for share in options.share:
        number = stopping_depth(curve["val"], share)
        curve["sweep"][f"{share:g}"] = {"depth": curve["depth"][number], "test": curve["test"][number]}
    print(json.dumps(curve))


if __name__ == "__main__":
    main()
