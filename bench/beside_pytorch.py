#!/usr/bin/env python3
"""Layers beside the same values written by hand in PyTorch: a forward and a backward pass of 64 examples.

    PYTHONPATH=build/python OMP_NUM_THREADS=1 python3 bench/beside_pytorch.py [--repeat 50]

digits: sums of two numbers of four digits, a digit of the result at a time, with carry. sudoku: the probability that a 4×4
grid is valid (by hand: the 288 valid grids). graph: which entities are reached in two steps over 3,000 uncertain facts, by
noisy-or. Values and gradients are compared first. Prints CPU milliseconds, the fastest of the repetitions, in turns.
"""

import argparse
import itertools
import time

import neumann
import numpy as np
import torch

BATCH = 64


def digits():
    places = range(4)
    program = neumann.Program(text="""
        :- type(number, [a, b]).  :- type(place, 0..4).  :- type(digit, 0..9).
        :- neural(digit(number, place, digit)).  :- exclusive(digit/3, 3).
        carry(0, 0).
        carry(Q, D) :- carry(P, C), digit(a, P, X), digit(b, P, Y), Q is P + 1, D is (X + Y + C) // 10.
        out(P, D) :- carry(P, C), digit(a, P, X), digit(b, P, Y), D is (X + Y + C) mod 10.
    """)
    inputs = [f"digit({number},{place},{digit})" for number in "ab" for place in places for digit in range(10)]
    outputs = [f"out({place},{digit})" for place in places for digit in range(10)]
    layer = neumann.torch.Reasoner(program, inputs, outputs, threads=1)
    pairs = torch.arange(10)[:, None] + torch.arange(10)[None, :]

    def by_hand(x):
        a, b = x.reshape(len(x), 2, 4, 10).unbind(1)
        carry, results = x.new_tensor([[1.0, 0.0]]).expand(len(x), 2), []
        for place in places:
            joint = (a[:, place, :, None] * b[:, place, None, :]).flatten(1)
            sums = x.new_zeros(len(x), 20).index_add(1, pairs.flatten(), joint)
            sums = sums * carry[:, :1] + torch.roll(sums, 1, 1) * carry[:, 1:]
            results.append(sums[:, :10] + sums[:, 10:])
            carry = torch.stack([sums[:, :10].sum(1), sums[:, 10:].sum(1)], 1)
        return torch.cat(results, 1)

    return layer, by_hand, torch.rand(BATCH, 8, 10).softmax(2).flatten(1)


def sudoku():
    cells = list(itertools.product(range(4), range(4)))
    peers = [(p, q) for p, q in itertools.combinations(cells, 2)
             if p[0] == q[0] or p[1] == q[1] or (p[0] // 2, p[1] // 2) == (q[0] // 2, q[1] // 2)]  # fmt: skip
    names = {cell: f"c{cell[0]}{cell[1]}" for cell in cells}
    program = neumann.Program(text=f"""
        :- type(cell, [{', '.join(names.values())}]).  :- type(value, 1..4).
        :- neural(has(cell, value)).  :- exclusive(has/2, 2).
        {' '.join(f'peer({names[p]}, {names[q]}).' for p, q in peers)}
        clash :- peer(P, Q), has(P, V), has(Q, V).
        valid :- \\+ clash.
    """)
    layer = neumann.torch.Reasoner(program, "has(C,V)", "valid", threads=1)
    rows = list(itertools.permutations(range(4)))
    grids = [grid for grid in itertools.product(rows, repeat=4)
             if all(grid[p[0]][p[1]] != grid[q[0]][q[1]] for p, q in peers)]  # fmt: skip
    values = torch.tensor(grids).flatten(1)
    assert len(values) == 288

    def by_hand(x):
        chances = x.reshape(len(x), 16, 4)
        return chances[:, torch.arange(16), values].prod(2).sum(1, keepdim=True)

    return layer, by_hand, torch.rand(BATCH, 16, 4).softmax(2).flatten(1)


def graph():
    random = np.random.default_rng(1)
    facts = sorted({(int(a), int(b)) for a, b in random.integers(0, 1000, (3000, 2)) if a != b})
    program = neumann.Program(text=":- pred(edge(n, n)).  far(X, Z) :- edge(X, Y), edge(Y, Z).")
    starts = range(50)
    places = {fact: place for place, fact in enumerate(facts)}
    ways = [(a, c, places[a, b], place) for (a, b) in facts if a in starts for (b2, c), place in places.items() if b2 == b]
    asked = sorted({(a, c) for a, c, _, _ in ways})
    layer = neumann.torch.Reasoner(
        program, [f"edge({a},{b})" for a, b in facts], [f"far({a},{c})" for a, c in asked], semantics="noisy-or", threads=1
    )
    number = {pair: place for place, pair in enumerate(asked)}
    which = torch.tensor([number[a, c] for a, c, _, _ in ways])
    first, second = torch.tensor([one[2] for one in ways]), torch.tensor([one[3] for one in ways])

    def by_hand(x):
        fails = torch.log1p(-x[:, first] * x[:, second])
        return 1 - x.new_zeros(len(x), len(asked)).index_add(1, which, fails).exp()

    return layer, by_hand, torch.rand(BATCH, len(facts)) * 0.9


def measure(name, layer, by_hand, x, repeat):
    ways = {"PyTorch": by_hand, "layer": layer}
    found = {}
    for way, function in ways.items():
        given = x.clone().requires_grad_()
        values = function(given)
        values.sum().backward()
        found[way] = values.detach(), given.grad
    torch.testing.assert_close(found["layer"], found["PyTorch"], rtol=1e-3, atol=1e-5)
    seconds = {way: [] for way in ways}
    for _ in range(repeat):
        for way, function in ways.items():
            given = x.clone().requires_grad_()
            begun = time.process_time()
            function(given).sum().backward()
            seconds[way].append(time.process_time() - begun)
    quickest = {way: min(one) * 1000 for way, one in seconds.items()}
    print(f"| {name} | {quickest['PyTorch']:.2f} | {quickest['layer']:.2f} | {quickest['layer'] / quickest['PyTorch']:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=50)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    print("| task | PyTorch, ms | layer, ms | times PyTorch |\n|---|---:|---:|---:|")
    for task in (digits, sudoku, graph):
        measure(task.__name__, *task(), options.repeat)


if __name__ == "__main__":
    main()
