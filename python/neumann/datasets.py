"""Data to try things on: generated, the same on any machine for the same seed.

`kandinsky`, `clevr_hans` and the like are those of `neumann generate`; `digits` and `digit_sums` are drawn here, with a
pen that trembles. All have NumPy arrays, and `.torch()` gives a `torch.utils.data.Dataset`.
"""

from __future__ import annotations

import dataclasses
import json
import os
import struct
import tempfile
import zlib
from typing import Any

import numpy as np

from . import _core
from ._perception import png_bytes as png_bytes
from ._program import Program


@dataclasses.dataclass
class Dataset:
    """Examples as arrays: `x` [N, K] in the order of `atoms`, labels `y` [N], pictures [N, H, W, 3] if they were drawn."""

    x: np.ndarray
    y: np.ndarray
    atoms: list[str] = dataclasses.field(default_factory=list)
    examples: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    images: np.ndarray | None = None
    program: Program | None = None

    def __len__(self) -> int:
        return len(self.y)

    def torch(self) -> Any:
        """As a `torch.utils.data.Dataset` of pairs (x, y)."""
        import torch

        return torch.utils.data.TensorDataset(torch.from_numpy(self.x), torch.from_numpy(self.y))


def names() -> dict[str, list[str]]:
    """The data sets of `neumann generate`, and their patterns.

    >>> "red-triangle" in names()["kandinsky"]
    True
    """
    return dict(_core.datasets())


def generate(
    name: str,
    pattern: str = "",
    *,
    split: str = "train",
    count: int = 100,
    seed: int = 1,
    images: bool = False,
    **options: Any,
) -> Dataset:
    """A split of one of the data sets of `names()`. Options: `noise`, `flip`, `borderline`, `label_noise`, `width`, `height`.

    >>> data = generate("kandinsky", "red-triangle", count=20)
    >>> data.x.shape[0], sorted(set(data.y.tolist())), data.program is not None
    (20, [0, 1], True)
    """
    with tempfile.TemporaryDirectory(prefix="neumann-") as folder:
        asked = dict(name=name, pattern=pattern, splits=[split], count=count, seed=seed, images=images, **options)
        _core.generate(asked, os.path.join(folder, "data"))
        path = os.path.join(folder, "data")
        with open(os.path.join(path, split, "examples.jsonl"), encoding="utf-8") as file:
            examples = [json.loads(line) for line in file]
        pictures = None
        if images:
            files = [os.path.join(path, split, "images", one["images"][0]) for one in examples]
            pictures = np.stack([read_png(one) for one in files])
        program = None
        if os.path.exists(os.path.join(path, "program.nm")):
            with open(os.path.join(path, "program.nm"), encoding="utf-8") as file:
                program = Program(text=file.read(), name=f"{name}.nm")
    atoms = list(dict.fromkeys(atom for one in examples for atom in one["atoms"]))
    column = {atom: i for i, atom in enumerate(atoms)}
    x = np.zeros((len(examples), len(atoms)), np.float32)
    for row, one in enumerate(examples):
        for atom, value in one["atoms"].items():
            x[row, column[atom]] = value
    labels = np.array([int(one.get("label", -1)) for one in examples], np.int64)
    return Dataset(x, labels, atoms, examples, pictures, program)


def kandinsky(pattern: str, **options: Any) -> Dataset:
    """Flat figures: `generate("kandinsky", pattern, …)`."""
    return generate("kandinsky", pattern, **options)


def clevr_hans(**options: Any) -> Dataset:
    """Solid objects in three classes: `generate("clevr-hans", …)`."""
    return generate("clevr-hans", **options)


# Digits as strokes in a unit square, y downwards: polygons that a pen follows. Curves are arcs (x, y, rx, ry, from, to).
_ARC = tuple[float, float, float, float, float, float]
_STROKES: dict[int, list[list[tuple[float, float]] | _ARC]] = {
    0: [(0.5, 0.5, 0.24, 0.36, 0, 360)],
    1: [[(0.36, 0.28), (0.54, 0.14), (0.54, 0.86)]],
    2: [(0.5, 0.34, 0.24, 0.2, 190, 400), [(0.68, 0.46), (0.27, 0.85), (0.76, 0.85)]],
    3: [(0.48, 0.32, 0.22, 0.18, 200, 450), (0.48, 0.67, 0.25, 0.19, 270, 520)],
    4: [[(0.6, 0.87), (0.6, 0.14), (0.24, 0.62), (0.78, 0.62)]],
    5: [[(0.72, 0.15), (0.35, 0.15), (0.32, 0.45)], (0.48, 0.63, 0.24, 0.22, 225, 510)],
    6: [[(0.62, 0.13), (0.4, 0.36), (0.29, 0.62)], (0.5, 0.65, 0.22, 0.2, 0, 360)],
    7: [[(0.26, 0.16), (0.74, 0.16), (0.42, 0.87)]],
    8: [(0.5, 0.32, 0.19, 0.17, 0, 360), (0.5, 0.67, 0.23, 0.19, 0, 360)],
    9: [(0.5, 0.35, 0.22, 0.2, 0, 360), [(0.72, 0.36), (0.66, 0.6), (0.5, 0.87)]],
}


def _pen_points(digit: int) -> np.ndarray:
    points: list[np.ndarray] = []
    for stroke in _STROKES[digit]:
        if isinstance(stroke, tuple):
            x, y, rx, ry, begin, end = stroke
            angle = np.radians(np.linspace(begin, end, 24))
            corners = np.stack([x + rx * np.cos(angle), y + ry * np.sin(angle)], axis=1)
        else:
            corners = np.array(stroke)
        for a, b in zip(corners[:-1], corners[1:]):
            steps = max(2, int(np.hypot(*(b - a)) * 40))
            points.append(a + (b - a) * np.linspace(0, 1, steps)[:, None])
    return np.concatenate(points)


def digits(count: int, seed: int = 1, size: int = 28) -> tuple[np.ndarray, np.ndarray]:
    """Drawn digits: pictures [N, size, size] from 0 to 1, and which digits they are.

    Each is written anew: slanted, turned, stretched, moved, with a pen of another width and a hand that trembles.

    >>> images, labels = digits(10)
    >>> images.shape, images.dtype, labels.dtype
    ((10, 28, 28), dtype('float32'), dtype('int64'))
    """
    random = np.random.default_rng(seed)
    labels = random.integers(0, 10, count)
    strokes = {digit: _pen_points(digit) for digit in _STROKES}
    grid = (np.arange(size) + 0.5) / size
    images = np.empty((count, size, size), np.float32)
    for i, digit in enumerate(labels):
        points = strokes[int(digit)]
        turn, slant = random.normal(0, 0.12), random.normal(0, 0.15)
        scale = random.uniform(0.75, 1.05, 2)
        middle = points - 0.5
        bend = 0.03 * np.sin(middle[:, ::-1] * random.uniform(3, 9, 2) + random.uniform(0, 6, 2))
        middle = (middle + bend) * scale
        x = middle[:, 0] - slant * middle[:, 1]
        y = middle[:, 1]
        at = np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], axis=1)
        at += 0.5 + random.uniform(-0.07, 0.07, 2)
        pen = random.uniform(0.03, 0.055)
        # Ink falls off with the distance from the nearest point of the stroke.
        across = (grid[None, :] - at[:, :1]) ** 2
        down = (grid[None, :] - at[:, 1:]) ** 2
        nearest = np.sqrt((down[:, :, None] + across[:, None, :]).min(axis=0))
        images[i] = np.clip((pen - nearest) * size + 0.5, 0, 1)
    images += random.normal(0, 0.05, images.shape).astype(np.float32)
    return np.clip(images, 0, 1), labels


def digit_sums(count: int, digits_each: int = 2, seed: int = 1, size: int = 28) -> Dataset:
    """Pictures x [N, digits, size, size] of drawn digits, labelled with nothing but their sum.

    >>> data = digit_sums(3, digits_each=2)
    >>> data.x.shape, data.y.shape
    ((3, 2, 28, 28), (3,))
    """
    images, labels = digits(count * digits_each, seed, size)
    return Dataset(images.reshape(count, digits_each, size, size), labels.reshape(count, digits_each).sum(axis=1))


def read_png(path: str) -> np.ndarray:
    """A PNG file with 8 bits a channel, [H, W, 3] of uint8: what the data sets are drawn as."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed, width, height, channels = 8, b"", 0, 0, 3
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if depth != 8 or colour not in (0, 2, 6) or interlace:
                raise ValueError(f"{path}: a kind of PNG that is not read here")
            channels = {0: 1, 2: 3, 6: 4}[colour]
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    image = np.zeros((height, width * channels), np.uint8)
    before = np.zeros(width * channels, np.uint8)
    for y in range(height):
        before = image[y] = _unfiltered(int(rows[y, 0]), rows[y, 1:], before, channels)
    pixels = image.reshape(height, width, channels)
    return np.repeat(pixels, 3, axis=2) if channels == 1 else pixels[:, :, :3].copy()


def _unfiltered(kind: int, row: np.ndarray, above: np.ndarray, step: int) -> np.ndarray:
    """A line of a PNG, of which differences are stored."""
    if kind == 0:
        return row
    if kind == 2:
        return np.add(row, above)
    out = np.zeros(len(row) + step, np.int64)  # the first `step` stand for the pixel before the line
    up = np.concatenate([np.zeros(step, np.int64), above])
    for i, value in enumerate(row.tolist(), start=step):
        left = int(out[i - step])
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + int(up[i])) // 2
        else:
            corner = int(up[i - step])
            base = left + int(up[i]) - corner
            guess = min((left, int(up[i]), corner), key=lambda one: abs(base - one))
        out[i] = (value + guess) & 255
    return out[step:].astype(np.uint8)
