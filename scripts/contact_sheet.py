#!/usr/bin/env python3
"""A contact sheet: the pictures of the first examples of a generated split, an example a row, for the documentation.

    contact_sheet.py SPLIT… -o SHEET.png [--examples N] [--size WxH]

Several splits stand side by side. Takes Pillow.
"""
import argparse
import json
import pathlib

from PIL import Image

GAP = 4


def pictures_of(split, examples, size):
    with open(split / "examples.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:examples]
    return [[Image.open(split / "images" / name).convert("RGB").resize(size) for name in row["images"]] for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("split", type=pathlib.Path, nargs="+")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--examples", type=int, default=4)
    parser.add_argument("--size", default="180x120")
    given = parser.parse_args()
    size = tuple(map(int, given.size.split("x")))
    sheets = [pictures_of(split, given.examples, size) for split in given.split]
    step = (size[0] + GAP, size[1] + GAP)
    columns = [max(map(len, sheet)) for sheet in sheets]
    apart = 5 * GAP  # between splits
    sheet = Image.new("RGB", (sum(columns) * step[0] + (len(sheets) - 1) * apart - GAP, max(map(len, sheets)) * step[1] - GAP), "white")
    left = 0
    for rows, width in zip(sheets, columns):
        for y, row in enumerate(rows):
            for x, picture in enumerate(row):
                sheet.paste(picture, (left + x * step[0], y * step[1]))
        left += width * step[0] + apart
    sheet.save(given.output, optimize=True)


if __name__ == "__main__":
    main()
