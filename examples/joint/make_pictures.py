#!/usr/bin/env python3
"""Makes the pictures that red_left_of_blue.nm is learned from: flat figures of two to four objects of any look, each
labelled with what the program concludes from the true scene, as many labelled 1 as labelled 0.

    make_pictures.py NEUMANN FOLDER [--pictures N] [--most-objects N] [--seed S] [--program FILE]

FOLDER becomes a data set as `neumann generate` makes them, with a list FOLDER/train/pictures.jsonl: names of pictures
and their labels, nothing else. That list is what to learn from.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "red_left_of_blue.nm"
LABEL = "kp(img)"
MADE = 8  # figures for each that is kept: they have two to ten objects, and few of the small ones are labelled 1


def run(neumann, *arguments):
    return subprocess.run([neumann, *map(str, arguments)], check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def labelled(neumann, program, split):
    """Each picture's entry in a list, with how many objects the picture shows."""
    examples = split / "examples.jsonl"
    answers = run(neumann, "reason", program, "--examples", examples, "--json").splitlines()
    pictures = [json.loads(line)["images"] for line in examples.read_text().splitlines()]
    counts = [len(json.loads(line)["objects"]) for line in (split / "scenes.jsonl").read_text().splitlines()]
    for answer, images, count in zip(map(json.loads, answers), pictures, counts, strict=True):
        yield {"id": answer["id"], "images": images, "label": int(answer["values"].get(LABEL, 0) >= 0.5)}, count


def generate(neumann, folder, split, count, seed, program):
    run(neumann, "generate", "kandinsky", "pattern-free", "-n", count, "--split", split, "--images", "--size",
        "128x128", "--seed", seed, "--program", program, "-o", folder)
    return Path(folder) / split


def make_test(neumann, folder, pictures, seed=1, program=PROGRAM):
    """Figures of two to ten objects to measure on, with their scenes; returns the folder of the split."""
    return generate(neumann, folder, "test", pictures, seed, program)


def make(neumann, folder, pictures, most_objects=4, seed=1, program=PROGRAM):
    """Returns the list."""
    made = MADE * pictures + 100
    split = generate(neumann, folder, "train", made, seed, program)
    left = {0: pictures // 2, 1: (pictures + 1) // 2}
    lines = []
    for entry, count in labelled(neumann, program, split):
        if count <= most_objects and left[entry["label"]] > 0:
            left[entry["label"]] -= 1
            lines.append(entry)
    if any(left.values()):
        sys.exit(f"among {made} figures only {len(lines)} have at most {most_objects} objects and labels in balance")
    print(f"{split}: {len(lines)} pictures", file=sys.stderr)
    (split / "pictures.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return split / "pictures.jsonl"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann", metavar="NEUMANN", help="the command")
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--pictures", type=int, default=3000, help="to learn from (default: 3000)")
    parser.add_argument("--most-objects", type=int, default=4, help="that a picture may show (default: 4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    given = parser.parse_args()
    make(given.neumann, given.folder, given.pictures, given.most_objects, given.seed, given.program)


if __name__ == "__main__":
    main()
