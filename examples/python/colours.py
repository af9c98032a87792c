"""A network learns the names of colours from labels of whole pictures: the program says what the labels mean.

Each picture is a row of three patches. Nobody tells the network which patch has which colour.
"""

import neumann
import numpy as np
import torch
from torch import nn

PROGRAM = """
:- type(patch, [p1, p2, p3]).
:- type(colour, [red, green, blue]).
:- neural(colour(patch, colour)).
:- exclusive(colour/2, 2).
has_red :- colour(P, red).
has_red_beside_blue :- colour(p1, red), colour(p2, blue).
has_red_beside_blue :- colour(p2, red), colour(p3, blue).
"""
RGB = np.array([[0.9, 0.1, 0.1], [0.1, 0.8, 0.2], [0.1, 0.2, 0.9]])


def pictures(count, seed):
    random = np.random.default_rng(seed)
    colours = random.integers(0, 3, (count, 3))
    pixels = np.clip(RGB[colours] + random.normal(0, 0.1, (count, 3, 3)), 0, 1)
    beside = ((colours[:, :2] == 0) & (colours[:, 1:] == 2)).any(axis=1)
    labels = np.stack([(colours == 0).any(axis=1), beside], axis=1)
    return [torch.from_numpy(one) for one in (pixels.astype(np.float32), labels.astype(np.float32), colours)]


def main():
    torch.manual_seed(1)
    patches = ("p1", "p2", "p3")
    layer = neumann.torch.Reasoner(
        neumann.Program(text=PROGRAM),
        inputs={p: f"colour({p},C)" for p in patches},
        outputs=["has_red", "has_red_beside_blue"],
        semantics="exact",
    )
    network = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(dim=1))
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    pixels, labels, _ = pictures(600, seed=1)
    for _ in range(150):
        optimiser.zero_grad()
        out = layer(**{p: network(pixels[:, i]) for i, p in enumerate(patches)})
        nn.functional.binary_cross_entropy(out.clamp(1e-4, 1 - 1e-4), labels).backward()
        optimiser.step()
    pixels, _, colours = pictures(500, seed=2)
    right = (network(pixels.reshape(-1, 3)).argmax(1) == colours.reshape(-1)).float().mean().item()
    print(f"{right:.1%} of the patches are called by the right colour")
    return right


if __name__ == "__main__":
    main()
