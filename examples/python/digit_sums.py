"""A network learns to read drawn digits from nothing but the sums of two: the program in between knows what a sum is.

python examples/python/digit_sums.py [PAIRS]
"""

import sys
import time

import neumann
import torch
from torch import nn

PROGRAM = """
:- type(image, [a, b]).
:- type(digit, 0..9).
:- neural(digit(image, digit)).
:- exclusive(digit/2, 2).
sum(S) :- digit(a, X), digit(b, Y), S is X + Y.
"""


def make_network():
    return nn.Sequential(
        nn.Conv2d(1, 8, 5, stride=2), nn.ReLU(), nn.Conv2d(8, 24, 5, stride=2), nn.ReLU(), nn.Flatten(),
        nn.Linear(24 * 16, 64), nn.ReLU(), nn.Linear(64, 10), nn.Softmax(dim=1),
    )  # fmt: skip


def make_layer():
    program = neumann.Program(text=PROGRAM)
    return neumann.torch.Reasoner(
        program, inputs={"a": "digit(a,D)", "b": "digit(b,D)"}, outputs="sum(S)", semantics="exact"
    )


def train_epoch(network, sums, data, optimiser):
    for x, y in torch.utils.data.DataLoader(data, batch_size=32, shuffle=True):
        optimiser.zero_grad()
        out = sums(a=network(x[:, :1]), b=network(x[:, 1:]))
        nn.functional.nll_loss((out + 1e-6).log(), y).backward()
        optimiser.step()


def accuracy(network, layer, data):
    x, y = data.tensors
    with torch.no_grad():
        return (layer(a=network(x[:, :1]), b=network(x[:, 1:])).argmax(1) == y).float().mean().item()


def main(pairs=6000):
    torch.manual_seed(1)
    train, test = (neumann.datasets.digit_sums(n, seed=s).torch() for n, s in ((pairs, 1), (1000, 2)))
    network, layer = make_network(), make_layer()
    optimiser = torch.optim.Adam(network.parameters(), lr=2e-3)
    begun, epoch, right = time.time(), 0, 0.0
    while right < 0.985 and time.time() - begun < 240:
        train_epoch(network, layer, train, optimiser)
        epoch, right = epoch + 1, accuracy(network, layer, test)
        print(f"epoch {epoch}: {right:.1%} of the test sums are right, {time.time() - begun:.0f} s")
    return right


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:]))
