#!/usr/bin/env python3
"""Measures the layer of PyTorch and circuits on a GPU: gpu_layer.py (with the package in PYTHONPATH).

Prints two tables in Markdown: a layer whose tensors stay on the gpu, beside one that copies them to the processor and
back; and circuits of exact probabilities on both. Medians of 20; every row is checked against the processor's numbers.
"""
import statistics
import time

import numpy as np
import torch

import neumann

PLACES = 30
STEPS = 6
GRID = 6


def median(run, repeats=20):
    times = []
    for i in range(repeats + 3):
        torch.cuda.synchronize()
        begun = time.perf_counter()
        run()
        torch.cuda.synchronize()
        if i >= 3:
            times.append(time.perf_counter() - begun)
    return 1e3 * statistics.median(times)


def layers():
    program = neumann.Program(text=f":- type(place, 1..{PLACES}).\n:- neural(edge(place,place)).\n"
                              "0.9::path(X,Y) :- edge(X,Y).\n0.8::path(X,Z) :- path(X,Y), edge(Y,Z).\n")
    how = dict(inputs=["edge(X,Y)"], outputs=["path(1,X)"], steps=STEPS, semantics="softor", learn_weights=True)
    there = neumann.torch.Reasoner(program, device="cuda", **how).to("cuda")
    here = neumann.torch.Reasoner(program, **how).to("cuda")
    print("| examples | forward, tensors stay | copied | forward and backward, tensors stay | copied |\n|---:|---:|---:|---:|---:|")
    for examples in (1, 64, 1024, 4096):
        x = (torch.rand(examples, PLACES * PLACES, device="cuda") * 0.1).requires_grad_()

        def both(layer):
            x.grad = None
            layer.zero_grad()
            layer(x).sum().backward()
            return x.grad.clone(), layer.weight_logits.grad.clone()

        assert (there(x) - here(x)).abs().max() < 2e-6
        for found, expected in zip(both(there), both(here)):
            assert (found - expected).abs().max() <= 1e-5 * max(1, expected.abs().max())
        with torch.no_grad():
            forward = [median(lambda: layer(x)) for layer in (there, here)]
        times = [median(lambda: both(layer)) for layer in (there, here)]
        print(f"| {examples:,} | {forward[0]:.2f} ms | {forward[1]:.2f} ms | {times[0]:.2f} ms | {times[1]:.2f} ms |", flush=True)


def circuits():
    edges = [((x, y), (x + dx, y + dy)) for x in range(GRID) for y in range(GRID) for dx, dy in ((1, 0), (0, 1))
             if x + dx < GRID and y + dy < GRID]
    name = "n{0[0]}{0[1]}".format
    nodes = ", ".join(name((x, y)) for x in range(GRID) for y in range(GRID))
    inputs = [f"e{i}" for i in range(len(edges))]
    program = neumann.Program(text=f":- type(node, [{nodes}]).\n" + "".join(
        f":- neural(e{i}).\nedge({name(a)},{name(b)}) :- e{i}.\n" for i, (a, b) in enumerate(edges)) +
        "path(X,Y) :- edge(X,Y).\npath(X,Z) :- path(X,Y), edge(Y,Z).\n")
    goal = [f"path(n00,{name((GRID - 1, GRID - 1))})"]
    there, here, precise = (program.reasoner(inputs=inputs, outputs=goal, semantics="exact", device=device)
                            for device in ("cuda", "cpu", "cpu"))
    print(f"\n{GRID}×{GRID} grid, {len(inputs)} edges\n\n| examples | values, GPU | all cores | with gradients, GPU | all cores | apart from double |"
          "\n|---:|---:|---:|---:|---:|---:|")
    for examples in (1, 1000, 10000):
        x = np.random.default_rng(1).random((examples, len(inputs)), dtype=np.float32)
        apart = abs(there(x).astype(np.float64) - precise(x.astype(np.float64))).max()
        values = [median(lambda: one(x), 5) for one in (there, here)]
        gradients = [median(lambda: one.gradients(x), 5) for one in (there, here)]
        print(f"| {examples:,} | {values[0]:.1f} ms | {values[1]:.1f} ms | {gradients[0]:.1f} ms | {gradients[1]:.1f} ms | {apart:.0e} |",
              flush=True)


if __name__ == "__main__":
    layers()
    circuits()
