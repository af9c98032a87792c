#!/usr/bin/env python3
"""Rules and networks that are learned together, from labels of the whole: five seeds of each story.

    PYTHONPATH=build/python OMP_NUM_THREADS=1 bench/rules_and_networks.py [less | plus | figures …]

less, plus: images of digits (scikit-learn's, 8×8), two at a time, with a label: the first is less than the second; their sum
is at least 10. The relation is not known: candidates use less, successor, equal, even, half and at least 10 of the sum.
figures: two to four drawn objects, whose colours and shapes nobody labels: there are two of the same shape, and not of the
same colour. Warm: the network knows a few labelled digits, or objects, before; cold: none.
"""

import argparse
import time

import neumann
import numpy as np
import torch
from torch import nn

DIGITS = """
:- type(image, [a, b]).  :- type(digit, 0..9).
:- neural(digit(image, digit)).  :- exclusive(digit/2, 2).
:- pred(less(digit, digit)).  :- pred(follows(digit, digit)).  :- pred(same(digit, digit)).
:- pred(even(digit)).  :- pred(small(digit)).  :- pred(carry(digit, digit)).
:- pred(holds).
:- modeb(2, digit(#image, -digit)).  :- modeb(1, less(+digit, +digit)).  :- modeb(1, follows(+digit, +digit)).
:- modeb(1, same(+digit, +digit), unordered).  :- modeb(1, carry(+digit, +digit), unordered).
:- modeb(1, even(+digit)).  :- modeb(1, small(+digit)).
:- initial((holds :- digit(a, X), digit(b, Y))).
:- learn(holds/0, 1).
"""


def digits_program():
    pairs = [(x, y) for x in range(10) for y in range(10)]
    facts = [f"less({x},{y})." for x, y in pairs if x < y] + [f"follows({x},{x + 1})." for x in range(9)]
    facts += [f"same({x},{x})." for x in range(10)] + [f"even({x})." for x in range(0, 10, 2)]
    facts += [f"small({x})." for x in range(5)] + [f"carry({x},{y})." for x, y in pairs if x + y >= 10]
    return neumann.Program(text=DIGITS + " ".join(facts))


class Digits:
    """Pairs of images of digits."""

    relations = {"less": lambda x, y: x < y, "plus": lambda x, y: x + y >= 10}

    def __init__(self, story, seed):
        from sklearn.datasets import load_digits

        data = load_digits()
        order = np.random.default_rng(seed).permutation(len(data.target))
        self.random = np.random.default_rng(seed)
        self.x = torch.from_numpy(data.images[order].astype(np.float32) / 16).unsqueeze(1)
        self.y = torch.from_numpy(data.target[order])
        self.relation = self.relations[story]
        self.inputs, self.outputs = {"a": "digit(a,D)", "b": "digit(b,D)"}, "holds"

    program = staticmethod(digits_program)

    def network(self):
        return nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10), nn.Softmax(1),
        )  # fmt: skip

    def warm(self, network):
        optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
        for _ in range(40):  # a hundred labelled digits
            loss = nn.functional.nll_loss(network(self.x[:100]).clamp_min(1e-9).log(), self.y[:100])
            optimiser.zero_grad(), loss.backward(), optimiser.step()

    def batches(self, part, size=64):
        first, last, count = (0, 1200, 3000) if part == "train" else (1200, len(self.y), 1000)
        random = self.random if part == "train" else np.random.default_rng(0)
        pairs = torch.from_numpy(random.integers(first, last, (count, 2)))
        for pair in pairs.split(size):
            label = self.relation(self.y[pair[:, 0]], self.y[pair[:, 1]]).float()
            yield {"a": self.x[pair[:, 0]], "b": self.x[pair[:, 1]]}, label

    def forward(self, network, learner, images):
        seen = [network(images["a"]), network(images["b"])]
        return learner(a=seen[0], b=seen[1])[:, 0], [torch.cat(seen)]

    def seen(self, network):
        """How many digits of the test images the network names right."""
        with torch.no_grad():
            return (network(self.x[1200:]).argmax(1) == self.y[1200:]).float().mean().item()


FIGURES = """
:- type(object, [o1, o2, o3]).  :- type(image, [img]).  :- type(color, [red, yellow, blue]).
:- type(shape, [circle, square, triangle]).
:- neural(color(object, color)).  :- exclusive(color/2, 2).  :- neural(shape(object, shape)).  :- exclusive(shape/2, 2).
:- pred(in(object, image)).  :- pred(kp(image)).
in(o1, img).  in(o2, img).  in(o3, img).
:- pred(same_color(object, object)).  :- pred(same_shape(object, object)).
:- pred(diff_color(object, object)).  :- pred(diff_shape(object, object)).
:- distinct(same_color/2).  :- distinct(same_shape/2).  :- distinct(diff_color/2).  :- distinct(diff_shape/2).
same_color(A, B) :- color(A, C), color(B, C).   diff_color(A, B) :- color(A, C), color(B, D), C \\= D.
same_shape(A, B) :- shape(A, C), shape(B, C).   diff_shape(A, B) :- shape(A, C), shape(B, D), C \\= D.
:- modeb(2, in(-object, +image)).  :- modeb(1, color(+object, #color)).  :- modeb(1, shape(+object, #shape)).
:- modeb(1, same_color(+object, +object), unordered).  :- modeb(1, diff_color(+object, +object), unordered).
:- modeb(1, same_shape(+object, +object), unordered).  :- modeb(1, diff_shape(+object, +object), unordered).
:- initial((kp(X) :- in(A, X), in(B, X))).
:- learn(kp/1, 1).
"""


class Figures:
    """Images of three drawn objects each. The label: two of them have the same shape and different colours."""

    inputs = {
        f"{kind}{number}": f"{kind}(o{number},V)" for kind in ("color", "shape") for number in (1, 2, 3)
    }
    outputs = "kp(img)"

    def __init__(self, _, seed):
        self.random = np.random.default_rng(seed)
        self.train, self.test = self.draw(2000, self.random), self.draw(1000, np.random.default_rng(0))

    def program(self):
        return neumann.Program(text=FIGURES)

    def draw(self, count, random):
        """Three objects of 12×12 pixels for each image, their colours and shapes."""
        color, shape = random.integers(0, 3, (count, 3)), random.integers(0, 3, (count, 3))
        y, x = np.mgrid[0:12, 0:12] - 5.5
        masks = np.stack([x * x + y * y < 20, np.maximum(abs(x), abs(y)) < 4, (y < 3.6) & (abs(x) < (y + 5) * 0.6)])
        paints = np.array([[0.8, 0.1, 0.1], [0.8, 0.8, 0.1], [0.1, 0.2, 0.8]])
        images = masks[shape][:, :, None] * paints[color][..., None, None] + random.normal(0, 0.1, (count, 3, 3, 12, 12))
        return torch.from_numpy(images.astype(np.float32)), torch.from_numpy(color), torch.from_numpy(shape)

    def network(self):
        def seer():
            return nn.Sequential(
                nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(400, 32), nn.ReLU(), nn.Linear(32, 3),
                nn.Softmax(1),
            )  # fmt: skip

        return nn.ModuleDict({"color": seer(), "shape": seer()})

    def warm(self, network):
        objects, color, shape = (one[:10].flatten(0, 1) for one in self.train)  # thirty labelled objects
        optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
        for _ in range(30):
            loss = sum(
                nn.functional.nll_loss(network[kind](objects).clamp_min(1e-9).log(), label)
                for kind, label in (("color", color), ("shape", shape))
            )
            optimiser.zero_grad(), loss.backward(), optimiser.step()

    def batches(self, part, size=64):
        objects, color, shape = self.train if part == "train" else self.test
        order = self.random.permutation(len(objects)) if part == "train" else np.arange(len(objects))
        for one in torch.from_numpy(order).split(size):
            pairs = [(shape[one, a] == shape[one, b]) & (color[one, a] != color[one, b]) for a, b in ((0, 1), (0, 2), (1, 2))]
            yield objects[one], torch.stack(pairs).any(0).float()

    def forward(self, network, learner, objects):
        seen = {kind: network[kind](objects.flatten(0, 1)).unflatten(0, (-1, 3)) for kind in ("color", "shape")}
        values = learner(**{f"{kind}{n + 1}": seen[kind][:, n] for kind in seen for n in range(3)})[:, 0]
        return values, [one.flatten(0, 1) for one in seen.values()]

    def seen(self, network):
        """How many colours and shapes the networks name right."""
        objects, color, shape = (one.flatten(0, 1) for one in self.test)
        with torch.no_grad():
            right = [network[kind](objects).argmax(1) == label for kind, label in (("color", color), ("shape", shape))]
        return torch.stack(right).float().mean().item()


STORIES = {"less": Digits, "plus": Digits, "figures": Figures}


def undecided(p):
    """How undecided each row is, less how different the rows are: all values are used, and each row has one."""
    mean = p.mean(0)
    return (mean * mean.clamp_min(1e-9).log()).sum() - (p * p.clamp_min(1e-9).log()).sum(1).mean()


def accuracy(data, network, learner):
    network.eval()
    with torch.no_grad():
        right = [((data.forward(network, learner, x)[0] > 0.5) == (y > 0.5)).float() for x, y in data.batches("test")]
    network.train()
    return torch.cat(right).mean().item()


def run(data, seed, warm, epochs, rounds, rate, balance):
    torch.manual_seed(seed)
    network = data.network()
    if warm:
        data.warm(network)
    before = data.seen(network)
    learner = neumann.torch.RuleLearner(data.program(), data.inputs, data.outputs, seed=seed)
    optimiser = torch.optim.Adam(
        [{"params": network.parameters(), "lr": 1e-3}, {"params": learner.parameters(), "lr": rate}]
    )
    begun = time.process_time()
    for epoch in range(epochs):
        for images, label in data.batches("train"):
            p, seen = data.forward(network, learner, images)
            loss = nn.functional.binary_cross_entropy(p.clamp(1e-6, 1 - 1e-6), label)
            loss = loss + balance * sum(undecided(one) for one in seen)
            optimiser.zero_grad(), loss.backward(), optimiser.step()
        if epoch < rounds:
            learner.advance()
        elif epoch == rounds:
            learner.freeze()
    return {
        "rule": learner.clauses[0], "test": accuracy(data, network, learner), "seen before": before,
        "seen": data.seen(network), "seconds": time.process_time() - begun,
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stories", nargs="*", default=list(STORIES))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--balance", type=float, default=0.0, help="weight of a term for decided outputs that are all used")
    parser.add_argument("--start", choices=["warm", "cold", "both"], default="both")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for story in arguments.stories:
        for warm in {"warm": [True], "cold": [False], "both": [True, False]}[arguments.start]:
            for seed in range(1, arguments.seeds + 1):
                found = run(STORIES[story](story, seed), seed, warm, arguments.epochs, arguments.rounds, arguments.rate, arguments.balance)
                print(story, "warm" if warm else "cold", f"seed {seed}:", end=" ")
                print(*(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in found.items()), sep=", ", flush=True)


if __name__ == "__main__":
    main()
