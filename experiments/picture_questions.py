#!/usr/bin/env python3
"""Draws pictures with the questions that are asked about them, and the answers that the program gives.

    picture_questions.py NEUMANN PROGRAM.nm FOLDER -o FILE.svg [OPTIONS OF neumann reason…]

FOLDER is a split that `neumann generate behind-the-scenes --images` wrote. The answer is the most probable colour; a wrong one
is said to be wrong. The drawing holds the pictures themselves.
"""
import argparse
import base64
import html
import json
import re
import subprocess
import sys
from pathlib import Path

WIDTH, HEIGHT, GAP, TEXT_LEFT, LINE = 300, 200, 14, 328, 44
AFTER = {"delete": "after the {} one was deleted", "append": "after a {} one was put to the left",
         "reverse": "after the row was turned round", "sort": "after the row was sorted by colour"}


def in_words(query):
    name, *arguments = re.findall(r"\w+", query)[2:]
    return f"Which colour has the {arguments[-1]} from the left {AFTER[name.removeprefix('q_')].format(arguments[0])}?"


def answers(options, more):
    command = [options.neumann, "reason", options.program, "--images", options.folder, "--json", *more]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    found = {}
    for line in run.stdout.splitlines():
        values = json.loads(line)["values"]
        best = max(values, key=values.get)
        found[json.loads(line)["id"]] = re.fullmatch(r"answer\((\w+)\)", best)[1], values[best]
    return found


def drawing(questions, folder, found):
    parts, top = [], 0
    for image, examples in sorted(questions.items()):
        data = base64.b64encode((folder / "images" / image).read_bytes()).decode()
        parts.append(f'<image x="0" y="{top}" width="{WIDTH}" height="{HEIGHT}" href="data:image/png;base64,{data}"/>')
        for number, example in enumerate(examples):
            y = top + 26 + number * LINE
            color, value = found[example["id"]]
            right = "" if color == example["answer"] else f", wrong: {example['answer']}"
            parts.append(f'<text x="{TEXT_LEFT}" y="{y}">{html.escape(in_words(example["query"]))}</text>')
            parts.append(f'<text x="{TEXT_LEFT}" y="{y + 18}" font-weight="bold">{color} ({value:.2f}{right})</text>')
        top += max(HEIGHT, 26 + len(examples) * LINE) + GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{top}" font-family="sans-serif" font-size="14">'
            f'<rect width="900" height="{top}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options, more = parser.parse_known_args()
    questions = {}
    for line in (options.folder / "examples.jsonl").open():
        example = json.loads(line)
        questions.setdefault(example["images"][0], []).append(example)
    options.output.write_text(drawing(questions, options.folder, answers(options, more)))


if __name__ == "__main__":
    main()
