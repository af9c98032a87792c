#!/usr/bin/env python3
"""Learning from sums of drawn numbers: through the layer, exactly and by the best proofs, beside hand-written PyTorch.

    PYTHONPATH=build/python OMP_NUM_THREADS=1 python3 bench/digit_sums.py [--digits 1 2] [--pairs 1500] [--epochs 8]

All start from the same network and see the same data in the same order. Prints CPU seconds per epoch (the fastest one,
in turns) and accuracies on 1,000 other pairs after the last epoch.
"""

import argparse
import importlib.util
import time
from pathlib import Path

import neumann
import torch
from torch import nn

EXAMPLE = Path(__file__).parent.parent / "examples/python/digit_sums.py"


def make_program(digits):
    images = ", ".join(f"{number}{place}" for number in "ab" for place in range(digits))
    lines = [f":- type(image, [{images}]). :- type(digit, 0..9).", ":- neural(digit(image, digit)). :- exclusive(digit/2, 2)."]
    for number in "ab":
        body = ", ".join(f"digit({number}{place}, D{place})" for place in range(digits))
        value = " + ".join(f"{10 ** (digits - 1 - place)} * D{place}" for place in range(digits))
        lines.append(f"{number}(N) :- {body}, N is {value}.")
    return neumann.Program(text="\n".join([*lines, "sum(S) :- a(X), b(Y), S is X + Y."]))


def make_layer(digits, **options):
    layer = neumann.torch.Reasoner(make_program(digits), ["digit(I,D)"], "sum(S)", threads=1, **options)
    return lambda chances: layer(chances.flatten(1))


def in_pytorch(digits):
    """The same marginals by hand: joint distributions, summed where the sums are equal."""
    numbers = 10**digits
    which = (torch.arange(numbers)[:, None] + torch.arange(numbers)[None, :]).flatten()

    def number(chances):  # [B, digits, 10] ▶ [B, 10 ^ digits]
        joint = chances[:, 0]
        for place in range(1, digits):
            joint = (joint[:, :, None] * chances[:, place, None, :]).flatten(1)
        return joint

    def sums(chances):
        joint = number(chances[:, :digits])[:, :, None] * number(chances[:, digits:])[:, None, :]
        return chances.new_zeros(len(chances), 2 * numbers - 1).index_add(1, which, joint.flatten(1))

    return sums


def make_data(digits, pairs, seed):
    images, labels = neumann.datasets.digits(2 * digits * pairs, seed)
    powers = torch.tensor([10 ** (digits - 1 - place) for place in range(digits)] * 2)
    numbers = torch.as_tensor(labels).long().reshape(pairs, 2 * digits)
    return torch.as_tensor(images).float().reshape(pairs, 2 * digits, 28, 28), (numbers * powers).sum(1)


def distributions(network, x):
    return network(x.reshape(-1, 1, 28, 28)).reshape(len(x), -1, 10)


def train_epoch(network, optimiser, sums, data, order):
    x, y = data
    for rows in order.split(32):
        optimiser.zero_grad()
        out = sums(distributions(network, x[rows]))
        # Values of the best proofs are lower bounds: only divided by their sum do they compare the answers.
        share = out / out.sum(1, keepdim=True).clamp(min=1e-9)
        nn.functional.nll_loss((share + 1e-9).log(), y[rows]).backward()
        optimiser.step()


def accuracy(network, sums, data):
    with torch.no_grad():
        return (sums(distributions(network, data[0])).argmax(1) == data[1]).double().mean().item()


def compare(digits, options):
    spec = importlib.util.spec_from_file_location("digit_sums", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    ways = {
        "PyTorch": in_pytorch(digits),
        "exact": make_layer(digits, semantics="exact"),
        f"topk, k = {options.k}": make_layer(digits, semantics="topk", k=options.k),
    }
    train, test = make_data(digits, options.pairs, 1), make_data(digits, 1000, 2)
    networks, optimisers, seconds = {}, {}, {name: [] for name in ways}
    for name in ways:
        torch.manual_seed(options.seed)
        networks[name] = example.make_network()
        optimisers[name] = torch.optim.Adam(networks[name].parameters(), lr=2e-3)
    for _ in range(options.epochs):
        order = torch.randperm(options.pairs)
        for name, sums in ways.items():
            begun = time.process_time()
            train_epoch(networks[name], optimisers[name], sums, train, order)
            seconds[name].append(time.process_time() - begun)
    for name in ways:
        right, quickest = accuracy(networks[name], ways["exact"], test), min(seconds[name])
        ratio = quickest / min(seconds["PyTorch"])
        print(f"| {digits} | {name} | {quickest:.2f} | {ratio:.2f} | {right:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--digits", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("| digits | way | s/epoch | times PyTorch | accuracy |\n|---:|---|---:|---:|---:|")
    for digits in options.digits:
        compare(digits, options)


if __name__ == "__main__":
    main()
