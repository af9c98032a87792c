#!/usr/bin/env python3
"""What a call from Python costs beside the same call in C++: overhead, throughput, memory.

    PYTHONPATH=build/python bench/python.py

Times are those of the fastest of many calls, one after the other in one run: ratios and differences hold on a machine
with other work, too.
"""

import random
import resource
import sys
import time

import neumann
import numpy as np


def program(clauses, inputs=100, seed=1):
    """Clauses with two goals each, over inputs and what clauses before derive; a twentieth of them for each of 20 outputs."""
    chance = random.Random(seed)
    lines = [f":- neural(x{i})." for i in range(inputs)]
    atoms = [f"x{i}" for i in range(inputs)]
    for c in range(clauses // 2):
        a, b = chance.sample(atoms, 2)
        lines += [f"0.9::y{c} :- {a}, {b}.", f"0.9::out{c % 20} :- y{c}."]
        if c % 10 == 0:
            atoms.append(f"y{c}")
    return neumann.Program(text="\n".join(lines))


def fastest(call, repeats):
    best = 1e9
    for _ in range(repeats):
        begun = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begun)
    return best


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def main():
    source = program(1000)
    outputs = [f"out{i}" for i in range(20)]
    chance = np.random.default_rng(1)
    good = True
    for batch, repeats in ((64, 3000), (4096, 40)):
        reasoner = source.reasoner(
            inputs=[f"x{i}" for i in range(100)], outputs=outputs, semantics="noisy-or", threads=1
        )
        x = chance.random((batch, 100), np.float32)
        inside, outside = 1e9, 1e9
        for _ in range(10):  # in turns: others use the machine, too
            inside = min(inside, reasoner._core.fastest_forward(x, repeats // 10))
            outside = min(outside, fastest(lambda: reasoner(x), repeats // 10))
        print(
            f"B = {batch}: {outside * 1e6:.0f} us a call, {inside * 1e6:.0f} us in C++: {(outside - inside) * 1e6:.0f} us more, {outside / inside:.3f} times"
        )
        good = good and (outside - inside < 50e-6 if batch == 64 else outside / inside < 1.1)
    reasoner = source.reasoner(inputs=[f"x{i}" for i in range(100)], outputs=outputs, semantics="noisy-or", threads=1)
    x = chance.random((4, 100), np.float32)
    calls = 100_000 if "--short" not in sys.argv else 5_000
    for _ in range(1000):
        reasoner.gradients(x)
    before = resident_bytes()
    for i in range(calls):
        reasoner(x) if i % 2 else reasoner.gradients(x)
    grown = resident_bytes() - before
    print(f"{calls} calls, half of them with gradients: {grown / 2**20:.2f} MiB more memory")
    good = good and grown < 2 * 2**20
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
