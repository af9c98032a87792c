"""Weights that are found again: a section of bench/learning.py.

Worlds are sampled from a program whose two rules have the weights 0.3 and 0.8; `neumann learn weights` learns them
from the labels.
"""
import json
import random
import subprocess
import time

TRUE = (0.3, 0.8)
WITHIN = 0.03
WORLDS = 5000
PROGRAM = """:- type(thing, [x, y]).
:- neural(a(thing)).
:- neural(b(thing)).
t(_)::p(X) :- a(X).
t(_)::p(X) :- b(X).
"""
# How often p holds where both bodies do.
BOTH = {"noisy-or": 1 - (1 - TRUE[0]) * (1 - TRUE[1]), "exact": 1 - (1 - TRUE[0]) * (1 - TRUE[1]), "softor": max(TRUE)}


def worlds(semantics, rng):
    for _ in range(WORLDS):
        given, targets = {}, {}
        for thing in ("x", "y"):
            a, b = rng.random() < 0.5, rng.random() < 0.5
            probability = BOTH[semantics] if a and b else TRUE[0] if a else TRUE[1] if b else 0
            given.update({f"a({thing})": int(a), f"b({thing})": int(b)})
            targets[f"p({thing})"] = int(rng.random() < probability)
        yield {"atoms": given, "targets": targets}


def run(bench):
    print(f"Weights of a given program: {TRUE[0]} and {TRUE[1]}, from {WORLDS:,} sampled worlds, seeds 1 to "
          f"{bench.seeds[-1]}\n\n    neumann learn weights rules.nm --train worlds.jsonl --semantics S --seed S\n")
    print("| semantics | first, all seeds | second, all seeds | farthest from the truth | seconds |")
    print("|---|---|---|---:|---:|", flush=True)
    program = bench.folder / "rules.nm"
    program.write_text(PROGRAM)
    for semantics in BOTH:
        learned, seconds = [], []
        for seed in bench.seeds:
            file = bench.folder / f"worlds_{seed}.jsonl"
            file.write_text("".join(json.dumps(world) + "\n" for world in worlds(semantics, random.Random(seed))))
            command = [bench.options.neumann, "learn", "weights", program, "--train", file, "--json", "-q",
                       "--semantics", semantics, "--seed", str(seed)]
            begun = time.monotonic()
            result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            seconds.append(time.monotonic() - begun)
            learned.append([one["value"] for one in result["weights"]])
        farthest = max(abs(value - true) for values in learned for value, true in zip(values, TRUE))
        bench.claim(farthest <= WITHIN, f"{semantics}: weights within {WITHIN} of the truth")
        cells = [", ".join(f"{values[k]:.3f}" for values in learned) for k in range(2)]
        print(f"| {semantics} | {' | '.join(cells)} | {farthest:.3f} | {sum(seconds) / len(seconds):.2f} |", flush=True)
