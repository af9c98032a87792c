#!/usr/bin/env python3
"""Lists the pictures of one part of a data set whose classes are folders with the parts in them.

    picture_list.py FOLDER PART -o FILE.jsonl

FOLDER/class0/PART/*.png have the label 0, and so on. The list is what `neumann learn --train` and `neumann reason --images` take.
Prints how many pictures there are of each class as a JSON list.
"""
import argparse
import json
import os
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("part")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    counts = []
    with options.output.open("w") as out:
        for label, folder in enumerate(sorted(options.folder.glob("class*"))):
            pictures = sorted((folder / options.part).glob("*.png"))
            counts.append(len(pictures))
            for picture in pictures:
                image = os.path.relpath(picture, options.output.parent)
                out.write(json.dumps({"id": f"{folder.name}_{picture.stem}", "images": [image], "label": label}) + "\n")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
