"""A rule between two digits is learned with the network that reads them: pairs of images say no more than yes or no.

The network knows a hundred labelled digits before. Which relation makes a pair a yes is not known: the search of
`neumann learn` gives the candidates, and gradients choose.
"""

import neumann
import torch
from torch import nn

PROGRAM = """
:- type(image, [a, b]).  :- type(digit, 0..9).
:- neural(digit(image, digit)).  :- exclusive(digit/2, 2).
:- pred(pair(digit, digit)).  pair(X, Y).
less(X, Y) :- pair(X, Y), X < Y.  follows(X, Y) :- pair(X, Y), Y is X + 1.  same(X, X) :- pair(X, X).
carry(X, Y) :- pair(X, Y), X + Y >= 10.  even(X) :- pair(X, X), X mod 2 =:= 0.
:- pred(yes).  :- learn(yes/0, 1).  :- initial((yes :- digit(a, X), digit(b, Y))).
:- modeb(2, digit(#image, -digit)).  :- modeb(1, less(+digit, +digit)).  :- modeb(1, follows(+digit, +digit)).
:- modeb(1, same(+digit, +digit), unordered).  :- modeb(1, carry(+digit, +digit), unordered).
:- modeb(1, even(+digit)).
"""


def make_network():
    return nn.Sequential(
        nn.Conv2d(1, 8, 5, stride=2), nn.ReLU(), nn.Conv2d(8, 24, 5, stride=2), nn.ReLU(), nn.Flatten(),
        nn.Linear(24 * 16, 64), nn.ReLU(), nn.Linear(64, 10), nn.Softmax(dim=1),
    )  # fmt: skip


def pairs(count, seed):
    images, labels = (torch.from_numpy(one) for one in neumann.datasets.digits(2 * count, seed))
    x, y = images.unflatten(0, (count, 2)), labels.unflatten(0, (count, 2))
    return x, (y[:, 0] + y[:, 1] >= 10).float()  # what is to be found out


def know_some_digits(network):
    images, labels = (torch.from_numpy(one) for one in neumann.datasets.digits(100, seed=7))
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    for _ in range(40):
        optimiser.zero_grad()
        nn.functional.nll_loss(network(images[:, None]).clamp_min(1e-9).log(), labels).backward()
        optimiser.step()


def main(count=1500, epochs=6):
    torch.manual_seed(1)
    network = make_network()
    know_some_digits(network)
    learner = neumann.torch.RuleLearner(neumann.Program(text=PROGRAM), {"a": "digit(a,D)", "b": "digit(b,D)"}, "yes")
    optimiser = torch.optim.Adam([{"params": network.parameters(), "lr": 1e-3}, {"params": learner.parameters(), "lr": 0.1}])
    x, y = pairs(count, seed=1)
    for epoch in range(epochs):
        for batch in torch.randperm(count).split(32):
            yes = learner(a=network(x[batch, :1]), b=network(x[batch, 1:]))[:, 0].clamp(1e-6, 1 - 1e-6)
            optimiser.zero_grad()
            nn.functional.binary_cross_entropy(yes, y[batch]).backward()
            optimiser.step()
        learner.advance() if epoch < epochs - 2 else learner.freeze()
        print(f"epoch {epoch + 1}: {learner.clauses[0]}")
    x, y = pairs(500, seed=2)
    with torch.no_grad():
        right = ((learner(a=network(x[:, :1]), b=network(x[:, 1:]))[:, 0] > 0.5) == (y > 0.5)).float().mean().item()
    print(f"{right:.1%} of the test pairs are right")
    return learner.clauses, right


if __name__ == "__main__":
    main()
