#!/usr/bin/env python3
"""Times ProbLog on scenes: the program with the probabilities of one scene as facts, as `neumann convert --to problog` writes it.

    problog_times.py NEUMANN PROGRAM.nm EXAMPLES.jsonl [--sample N] [--limit SECONDS]

Each of N scenes, spread over all of them, is a process of `problog`, from its start to its answer; writing the files is not timed. Prints one JSON
object: seconds taken times all/N, and by how much an answer differs at most from that of `neumann reason --semantics exact` on the same
file. Scenes still to come when the limit for all of them, scaled to N, is over are left out: then seconds are null.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clingo_times import spread_over
from program_text import directives, statements

ABOUT_LEARNING = (":- modeh(", ":- modeb(", ":- learn(", ":- initial(", ":- label(", ":- say(", ":- query(")


def scene_program(text, label, example):
    """The program for one scene: what networks would say are facts with probabilities."""
    kept = [one.replace(":- neural(", ":- pred(", 1) for one in statements(text) if not one.startswith(ABOUT_LEARNING)]
    facts = [atom if value == 1 else f"{value}::{atom}" for atom, value in example["atoms"].items() if value > 0]
    return "".join(f"{one}.\n" for one in [*kept, *facts, f"query({label})"])


def checked(command, limit=None):
    """Standard output, or None when the time is up."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


def answer_of(output, label):
    found = re.search(re.escape(label) + r":\s*(\S+)", output.replace(" ", ""))
    if not found:
        sys.exit(f"problog says nothing about {label}: {output}")
    return float(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("program", type=Path)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--limit", type=float, default=1000, help="seconds for all scenes")
    options = parser.parse_args()
    text = options.program.read_text()
    label = directives(text, "label")[0][0].replace(" ", "")
    lines = options.examples.read_text().splitlines()
    sample = spread_over(lines, min(options.sample, len(lines)))
    left = options.limit * len(sample) / len(lines)
    taken, largest, answered = 0.0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        source, file = Path(folder) / "scene.nm", Path(folder) / "scene.pl"
        for line in sample:
            source.write_text(scene_program(text, label, json.loads(line)))
            checked([options.neumann, "convert", source, "--to", "problog", "-o", file])
            begin = time.perf_counter()
            output = checked(["problog", file], left - taken)
            taken += time.perf_counter() - begin
            if output is None:
                break
            answered += 1
            ours = json.loads(checked([options.neumann, "reason", file, "--semantics", "exact", "--json"]))["values"][label]
            largest = max(largest, abs(ours - answer_of(output, label)))
    whole = answered == len(sample)
    print(json.dumps({"scenes": len(lines), "answered": answered, "seconds": taken * len(lines) / len(sample) if whole else None,
                      "time": f"{taken * len(lines) / len(sample):.3g} s" if whole else f"> {options.limit:g} s",
                      "largest_difference": largest if answered else None}))


if __name__ == "__main__":
    main()
