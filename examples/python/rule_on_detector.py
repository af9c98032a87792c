"""A rule is learned on top of a detector of one's own: its probabilities become atoms, labelled pictures the lesson."""

import neumann
import numpy as np
import torch
from torch import nn

PROGRAM = """
:- type(picture, [img]).  :- type(object, [o1, o2]).
:- type(colour, [red, green, blue]).  :- type(size, [small, large]).
:- neural(colour(object, colour)).  :- neural(size(object, size)).
:- pred(in(object, picture)).  :- pred(good(picture)).
in(o1, img).  in(o2, img).
:- modeb(1, in(-object, +picture)).  :- modeb(1, colour(+object, #colour)).  :- modeb(1, size(+object, #size)).
:- learn(good/1, 1).  :- label(good(img)).
"""
COLOURS, SIZES = ("red", "green", "blue"), ("small", "large")


def objects(count, seed):
    """Measurements of objects, with noise; and what they are."""
    random = np.random.default_rng(seed)
    colour, size = random.integers(0, 3, count), random.integers(0, 2, count)
    seen = np.concatenate([np.eye(3)[colour], np.where(size, 0.8, 0.3)[:, None]], axis=1) + random.normal(
        0, 0.1, (count, 4)
    )
    return torch.from_numpy(seen.astype(np.float32)), torch.from_numpy(colour), torch.from_numpy(size)


def train_detector():
    detector = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 5))
    optimiser = torch.optim.Adam(detector.parameters(), lr=0.02)
    seen, colour, size = objects(1000, seed=1)
    for _ in range(150):
        optimiser.zero_grad()
        out = detector(seen)
        (nn.functional.cross_entropy(out[:, :3], colour) + nn.functional.cross_entropy(out[:, 3:], size)).backward()
        optimiser.step()
    return detector


def examples(detector, count, seed):
    seen, colour, size = objects(2 * count, seed)
    with torch.no_grad():
        out = detector(seen)
    chances = [dict(zip(COLOURS, c)) for c in out[:, :3].softmax(1).tolist()], [
        dict(zip(SIZES, s)) for s in out[:, 3:].softmax(1).tolist()
    ]
    good = ((colour == 2) & (size == 1)).reshape(count, 2).any(dim=1)  # there is something large and blue
    for i in range(count):
        atoms = {
            f"{kind}({o},{name})": p
            for kind, rows in zip(("colour", "size"), chances)
            for o, row in (("o1", rows[2 * i]), ("o2", rows[2 * i + 1]))
            for name, p in row.items()
        }
        yield {"atoms": atoms, "label": int(good[i])}


def main():
    torch.manual_seed(1)
    detector = train_detector()
    result = neumann.learn(
        neumann.Program(text=PROGRAM), list(examples(detector, 200, 2)), test=list(examples(detector, 100, 3))
    )
    print(*result.clauses, f"right on {result.test_accuracy:.1%} of the test pictures", sep="\n")
    return result


if __name__ == "__main__":
    main()
