#!/usr/bin/env python3
"""Learns to see colours through a program, from labels of whole pictures, and measures how well: from nothing.

    joint_training.py NEUMANN [--quick] [--seeds S…] [--semantics NAME…] [--crowded] [--folder DIR] [--network FILE]

Makes labelled pictures, teaches a detector everything but colours, then learns colours through
examples/joint/red_left_of_blue.nm, once for every seed and semantics. Prints a table in Markdown: shares of the objects
of pictures that nothing was learned from, figures of two to ten objects drawn like those to learn from. With --crowded
they are figures as detectors learn from instead, some of whose objects touch or are smaller. The exit code is 1 if a seed
of the first semantics leaves more than one object in twenty with a wrong colour. What is in the folder already is used
again.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "joint"
sys.path.insert(0, str(EXAMPLE))
import make_pictures  # noqa: E402  (it stands beside its program)

WANTED = 0.95
COLOURS = ["red", "yellow", "blue"]


def train(neumann, *arguments):
    """What a `neumann train … --json` came to."""
    done = subprocess.run([neumann, "train", *map(str, arguments), "--json"], check=True, text=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann", type=lambda name: Path(name).resolve())
    parser.add_argument("--quick", action="store_true",
                        help="one seed, a shorter training of the detector, fewer pictures to measure on")
    parser.add_argument("--seeds", type=int, nargs="+", help="default: 1 2 3")
    parser.add_argument("--semantics", nargs="+", default=["noisy-or"], metavar="NAME")
    parser.add_argument("--pictures", type=int, default=3000, help="to learn colours from (default: 3000)")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--threads", type=int, default=0, help="default: all cores")
    parser.add_argument("--crowded", action="store_true", help="measure on the figures that detectors learn from")
    parser.add_argument("--folder", help="where everything is made and kept; otherwise a temporary folder")
    parser.add_argument("--network", help="a detector that was taught no colours; default: one is trained")
    given = parser.parse_args()
    seeds = given.seeds or ([1] if given.quick else [1, 2, 3])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given.folder or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        threads = ["--threads", given.threads] if given.threads else []
        begin = time.monotonic()
        pictures = make_pictures.make(given.neumann, folder / f"pictures{given.pictures}", given.pictures)
        print(f"{given.pictures} pictures in {time.monotonic() - begin:.0f} s")
        measured = ["--validation", 300 if given.quick else 1000]
        if not given.crowded:
            measured += ["--measure-on", make_pictures.make_test(given.neumann, folder / "test", 1000)]
        network = Path(given.network or folder / "no_colour.safetensors")
        if not network.exists():
            made = train(given.neumann, "detector", "--without", "color", "-o", network, "--steps",
                         250 if given.quick else 700, "--pictures", 4000 if given.quick else 8000, "--validation", 300,
                         *threads)
            print(f"a detector without colours: {made['steps']} steps in {made['seconds']:.0f} s,",
                  f"{made['measured']['objects found']:.1%} of the objects found")
        print()
        print("| semantics | seed | epochs | seconds | colour before | after | " + " | ".join(COLOURS) +
              " | labels | found | all right |")
        print("|---|" + "---:|" * 11)
        missed = []
        for semantics in given.semantics:
            for seed in seeds:
                got = train(given.neumann, "through-logic", EXAMPLE / "red_left_of_blue.nm", "--images", pictures,
                            "--network", network, "--learn", "color", "-o",
                            folder / f"colour_{semantics}_{seed}.safetensors", "--epochs", given.epochs, "--semantics",
                            semantics, "--seed", seed, *measured, *threads)
                after = got["after"]
                print(f"| {semantics} | {seed} | {got['epochs']} | {got['seconds']:.0f} |",
                      f"{got['before']['color']:.1%} |",
                      " | ".join(f"{after[name]:.1%}" for name in
                                 ["color", *COLOURS, "labels", "found", "all right"]), "|", flush=True)
                if semantics == given.semantics[0] and after["color"] < WANTED:
                    missed.append(f"{semantics}, seed {seed}: {after['color']:.1%} of the colours are right")
    print("".join(f"does not hold: {what}\n" for what in missed), end="")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
