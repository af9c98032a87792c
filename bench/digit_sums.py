#!/usr/bin/env python3
"""An epoch of examples/python/digit_sums.py through the layer, beside the same marginals written in PyTorch.

    PYTHONPATH=build/python python3 bench/digit_sums.py [--pairs 6000] [--rounds 3]

CPU seconds, the quickest of some rounds in turns, and their ratio.
"""

import argparse
import importlib.util
import time
from pathlib import Path

import neumann
import torch
from torch import nn

EXAMPLE = Path(__file__).parent.parent / "examples/python/digit_sums.py"


def in_pytorch(a, b):
    """The same marginals, by hand: the joint distribution times a matrix of 0 and 1."""
    which = torch.arange(10)[:, None] + torch.arange(10)[None, :]
    return (a[:, :, None] * b[:, None, :]).flatten(1) @ nn.functional.one_hot(which.flatten(), 19).to(a.dtype)


def epoch_seconds(example, network, sums, data):
    before = time.process_time()
    example.train_epoch(network, sums, data, torch.optim.SGD(network.parameters(), lr=0))
    return time.process_time() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    spec = importlib.util.spec_from_file_location("digit_sums", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    data = neumann.datasets.digit_sums(options.pairs, seed=1).torch()
    network, layer = example.make_network(), example.make_layer()
    seconds = {"neumann": [], "PyTorch": []}
    for _ in range(options.rounds):
        seconds["neumann"].append(epoch_seconds(example, network, layer, data))
        seconds["PyTorch"].append(epoch_seconds(example, network, in_pytorch, data))
    ours, theirs = (min(runs) for runs in seconds.values())
    print(f"an epoch of {options.pairs} pairs: {ours:.2f} s through neumann, {theirs:.2f} s in PyTorch, {ours / theirs:.2f} times as long")


if __name__ == "__main__":
    main()
