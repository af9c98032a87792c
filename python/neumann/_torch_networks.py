"""The networks of the package as modules of PyTorch: object detectors and slot attention."""

from __future__ import annotations

import math
import os
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from . import _weights
from ._options import did_you_mean

#: Columns that every row of an object begins with; the probabilities of its attributes follow.
COLUMNS = ("presence", "x", "y", "width", "height", "ground_x", "ground_y")
_FIRST_ATTRIBUTE = len(COLUMNS)
_CELL = 4  # pixels per cell of the feature map
_BOX_SCALE, _GROUND_SCALE = 0.2, 3.0  # of raw outputs
_LEAST_PRESENCE = 0.05  # objects that are less likely are not mentioned

# Slot attention.
_SLOTS, _DIM, _ROUNDS = 11, 64, 3  # ten objects, and one slot for the ground
_CENTRE_SCALE = 0.1  # of a slot's correction to its centre
_NEAR_BY = 0.1  # distances of a slot's cells are counted in this
_LEAST_SHARE = 1e-8
_GROUND_PRESENCE = -20.0


class Layout(NamedTuple):
    """What networks say of an object: the size of their images, and the values of each attribute."""

    name: str
    width: int
    height: int
    features: int
    merge: float  #: cells that point to places nearer than this, in pixels, mean the same object
    attributes: dict[str, list[str]]

    @property
    def columns(self) -> int:
        return _FIRST_ATTRIBUTE + sum(len(values) for values in self.attributes.values())

    def places(self, attribute: str) -> slice:
        """The columns of an attribute."""
        first = _FIRST_ATTRIBUTE
        for name, values in self.attributes.items():
            if name == attribute:
                return slice(first, first + len(values))
            first += len(values)
        raise KeyError(f"{self.name} objects have no attribute '{attribute}'{did_you_mean(attribute, self.attributes)}")


FLAT = Layout(
    "flat", 128, 128, 32, 4.0, {"shape": ["circle", "square", "triangle"], "color": ["red", "yellow", "blue"]}
)
SOLID = Layout(
    "solid",
    192,
    128,
    64,
    3.5,
    {
        "shape": ["sphere", "cube", "cylinder"],
        "size": ["large", "small"],
        "material": ["rubber", "metal"],
        "color": ["cyan", "blue", "yellow", "purple", "red", "green", "gray", "brown"],
    },
)
_LAYOUTS = {"figures": FLAT, "solids": SOLID, "slots": SOLID}


class _Convolution(nn.Module):
    def __init__(self, before: int, after: int, taps: int = 3, stride: int = 1, dilation: int = 1, relu: bool = True):
        super().__init__()
        self.conv = nn.Conv2d(before, after, taps, stride, dilation * (taps // 2), dilation)
        self.relu = relu

    def forward(self, x: Tensor) -> Tensor:
        y = cast(Tensor, self.conv(x))
        return torch.relu(y) if self.relu else y


class _Residual(nn.Module):
    def __init__(self, channels: int, dilation: int):
        super().__init__()
        self.first = _Convolution(channels, channels)
        self.second = _Convolution(channels, channels, dilation=dilation, relu=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class _FigureTrunk(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        first = [_Convolution(3, 16, stride=2), _Convolution(16, 16), _Convolution(16, 32, stride=2)]
        self.layers = nn.ModuleList(first + [_Convolution(32, 32, dilation=dilation) for dilation in (1, 2, 4)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class _SolidTrunk(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem, self.stem2 = _Convolution(3, 32, stride=2), _Convolution(32, 32)
        self.down = _Convolution(32, 64, stride=2)
        self.fine1, self.fine2 = _Residual(64, 1), _Residual(64, 2)
        self.coarse = _Convolution(64, 96, stride=2)
        self.wide1, self.wide2 = _Residual(96, 1), _Residual(96, 2)
        self.join, self.last = _Convolution(160, 64, taps=1), _Residual(64, 1)

    def forward(self, x: Tensor) -> Tensor:
        near = self.fine2(self.fine1(self.down(self.stem2(self.stem(x)))))
        far = self.wide2(self.wide1(self.coarse(near)))
        up = functional.interpolate(far, scale_factor=2.0, mode="nearest")
        return cast(Tensor, self.last(self.join(torch.cat([near, up], 1))))


class _DenseHead(nn.Module):
    """Every cell says whether the centre of an object is near, and what it is like."""

    def __init__(self, layout: Layout, hidden: int):
        super().__init__()
        self.hidden = _Convolution(layout.features, hidden) if hidden else None
        self.rows = nn.Conv2d(hidden or layout.features, layout.columns, 1)
        with torch.no_grad():  # most cells see nothing: to begin with, no cell claims to
            self.rows.bias.zero_()
            self.rows.bias[0] = -4

    def forward(self, features: Tensor) -> Tensor:
        return cast(Tensor, self.rows(features if self.hidden is None else self.hidden(features)))


def _cell_grid(layout: Layout) -> Tensor:
    across, down = layout.width // _CELL, layout.height // _CELL
    y, x = torch.meshgrid((torch.arange(down) + 0.5) / down, (torch.arange(across) + 0.5) / across, indexing="ij")
    return torch.stack([x.flatten(), y.flatten()], 1)


def _waves(grid: Tensor) -> Tensor:
    """Position encoding: coordinates, and waves from twice the image's width down to an eighth of it."""
    columns = [grid, 1 - grid]
    for halves in (1, 2, 4, 8, 16):
        columns += [torch.sin(grid * (math.pi * halves)), torch.cos(grid * (math.pi * halves))]
    return torch.cat(columns, 1)


class _SlotHead(nn.Module):
    """Slot attention whose slots begin where a dense head proposes centres of objects."""

    def __init__(self, layout: Layout):
        super().__init__()
        width = layout.features
        self.start = nn.Parameter(torch.randn(2, _DIM))
        self.proposals = _DenseHead(layout, 0)
        self.begin = nn.Linear(_DIM, _DIM)
        grid = _cell_grid(layout)
        self.register_buffer("grid", grid, persistent=False)
        self.register_buffer("waves", _waves(grid), persistent=False)
        self.register_buffer(
            "cell_size", torch.tensor([_CELL / layout.width, _CELL / layout.height]), persistent=False
        )
        self.place = nn.Linear(self.waves.shape[1], width)
        self.input_norm = nn.LayerNorm(width)
        self.input_mlp = nn.Sequential(nn.Linear(width, 2 * _DIM), nn.ReLU(), nn.Linear(2 * _DIM, _DIM))
        self.key, self.value, self.query = (nn.Linear(_DIM, _DIM, bias=False) for _ in range(3))
        self.slot_norm, self.output_norm = nn.LayerNorm(_DIM), nn.LayerNorm(_DIM)
        self.narrowness = nn.Linear(_DIM, 2)
        self.update = nn.GRUCell(_DIM, _DIM)
        self.slot_mlp = nn.Sequential(nn.Linear(_DIM, 2 * _DIM), nn.ReLU(), nn.Linear(2 * _DIM, _DIM))
        self.rows = nn.Sequential(nn.Linear(_DIM, 2 * _DIM), nn.ReLU(), nn.Linear(2 * _DIM, layout.columns))
        with torch.no_grad():  # to begin with, all slots attend to the whole image
            self.narrowness.weight.zero_()
            self.narrowness.bias.fill_(-1)

    def _begun(self, proposed: Tensor, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """First states, centres and presences: of the ten most probable cells, and of the ground."""
        batch, said = len(proposed), proposed.detach()
        likely = torch.sigmoid(said[:, :1])
        peaks = likely == functional.max_pool2d(likely, 3, 1, 1)
        cells = (likely * peaks).flatten(1).topk(_SLOTS - 1, 1).indices.unsqueeze(2)
        rows = said.flatten(2).transpose(1, 2)
        found = rows.gather(1, cells.expand(-1, -1, rows.shape[2]))
        centre = self.grid[cells.squeeze(2)] + found[:, :, 1:3] * self.cell_size
        objects = self.start[0] + self.begin(inputs.gather(1, cells.expand(-1, -1, _DIM)))
        ground = self.start[1].expand(batch, 1, -1)
        presence = functional.pad(found[:, :, 0], (0, 1), value=_GROUND_PRESENCE)
        return torch.cat([objects, ground], 1), functional.pad(centre, (0, 0, 0, 1), value=0.5), presence

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """The raw rows of the slots, and their attention to the cells."""
        inputs = self.input_mlp(self.input_norm(features.flatten(2).transpose(1, 2) + self.place(self.waves)))
        keys, values = self.key(inputs), self.value(inputs)
        held, first_centre, presence = self._begun(self.proposals(features), inputs)
        centre = first_centre
        for _ in range(_ROUNDS):
            known = self.slot_norm(held)
            narrow = functional.softplus(self.narrowness(known)) / _NEAR_BY
            apart = self.grid[:, None, :] * narrow[:, None] - (centre.detach() * narrow)[:, None]
            scores = keys @ (self.query(known) / math.sqrt(_DIM)).transpose(1, 2)
            attention = torch.softmax(scores - apart.square().sum(3), 2)
            taken = attention + _LEAST_SHARE
            looked_at = (taken / taken.sum(1, keepdim=True)).transpose(1, 2)
            updates = looked_at @ values
            held = self.update(updates.flatten(0, 1), held.flatten(0, 1)).view_as(held)
            held = held + self.slot_mlp(self.output_norm(held))
            raw = self.rows(held)
            centre = raw[:, :, 1:3] * _CENTRE_SCALE + first_centre
            rows = torch.cat([raw[:, :, :1] + presence.unsqueeze(2), centre, raw[:, :, 3:]], 2)
        return rows, attention


class ObjectNetwork(nn.Module):
    """A network that detects the objects in images: "figures" (flat ones), "solids", or "slots" (slot attention).

    It starts from the weights that come with the package, or from those of a file, as `neumann train detector` writes
    them; `weights=None` starts from random ones. Images are tensors [B, 3, H, W]: bytes, or numbers from 0 to 1; those of
    another size are squashed. The result has a row for each object, the most certain first: its presence, centre, box,
    place on the ground, and a softmax for each attribute (`layout.places("color")`). Rows that are not needed are 0.
    Gradients flow from the rows to the weights; which cells are objects is a choice without a gradient.

    >>> import neumann, torch
    >>> network = neumann.torch.ObjectNetwork("figures")
    >>> rows = network(torch.zeros(2, 3, 128, 128), objects=4)
    >>> rows.shape, network.layout.attributes["color"]
    (torch.Size([2, 4, 13]), ['red', 'yellow', 'blue'])
    """

    def __init__(self, network: str = "solids", weights: str | os.PathLike[str] | None = "shipped") -> None:
        super().__init__()
        if network not in _LAYOUTS:
            raise ValueError(f"network: there is no '{network}'{did_you_mean(network, _LAYOUTS)}")
        self.network, self.layout = network, _LAYOUTS[network]
        self.trunk: Any = _FigureTrunk() if self.layout is FLAT else _SolidTrunk()
        self.dense = _DenseHead(self.layout, 0 if self.layout is FLAT else 96) if network != "slots" else None
        self.slots = _SlotHead(self.layout) if network == "slots" else None
        if weights is not None:
            self.load(os.path.join(_weights.folder(), f"{network}.safetensors") if weights == "shipped" else weights)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Takes the weights of a file."""
        tensors, about = _weights.read_tensors(path)
        if about.get("layout") != self.layout.name:
            raise ValueError(f"{os.fspath(path)}: weights for {about.get('layout')} objects, not {self.layout.name} ones")
        found = {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}
        own = list(self.state_dict())
        lacking = sorted(set(own) - found.keys())
        if lacking:
            raise ValueError(f"{os.fspath(path)}: these are no weights of {self.network}; {lacking[0]} is missing")
        self.load_state_dict({name: found[name] for name in own})

    def raw(self, images: Tensor) -> Tensor:
        """What the network computes, before ranges are applied: a row [B, N, columns] for each cell or slot."""
        if images.dim() != 4 or images.shape[1] != 3:
            raise ValueError(f"images: expected a tensor [B, 3, H, W], not {list(images.shape)}")
        x = images.float() / 127.5 - 1 if not images.is_floating_point() else images * 2 - 1
        size = (self.layout.height, self.layout.width)
        if x.shape[2:] != size:
            x = functional.interpolate(x, size, mode="bilinear", antialias=True)
        features = self.trunk(x)
        if self.slots is not None:
            return cast(Tensor, self.slots(features)[0])
        assert self.dense is not None
        return cast(Tensor, self.dense(features)).flatten(2).transpose(1, 2)

    def activated(self, raw: Tensor) -> Tensor:
        """Rows in their ranges: probabilities, and shares of the image."""
        centre = raw[..., 1:3]
        if self.slots is None:
            across, down = self.layout.width // _CELL, self.layout.height // _CELL
            sides = torch.tensor([across, down], device=raw.device, dtype=raw.dtype)
            centre = centre / sides + _cell_grid(self.layout).to(raw)
        parts = [torch.sigmoid(raw[..., :1]), centre, raw[..., 3:5] * _BOX_SCALE, raw[..., 5:7] * _GROUND_SCALE]
        parts += [raw[..., self.layout.places(name)].softmax(-1) for name in self.layout.attributes]
        return torch.cat(parts, -1)

    def forward(self, images: Tensor, objects: int = 10) -> Tensor:
        raw = self.raw(images)
        rows = self.activated(raw)
        picked = [self._picked(*one, objects) for one in zip(raw[:, :, 0].detach().cpu(), rows.detach().cpu())]
        found = rows.new_zeros(len(rows), objects, self.layout.columns)
        for image, places in enumerate(picked):
            if places:
                found[image, : len(places)] = rows[image, torch.tensor(places, device=rows.device)]
        return found

    def _picked(self, presence: Tensor, rows: Tensor, most: int) -> list[int]:
        """The rows that are objects, the most certain first: of several that point to one place the best. The raw presence
        decides: many probabilities are rounded to 1."""
        likely = (presence >= math.log(_LEAST_PRESENCE / (1 - _LEAST_PRESENCE))).nonzero().flatten()
        order: list[int] = likely[presence[likely].argsort(descending=True, stable=True)].tolist()
        if self.slots is not None:
            return order[:most]
        pixels = torch.tensor([self.layout.width, self.layout.height], dtype=torch.float64)
        places = (rows[:, 1:3].double() * pixels).tolist()
        picked: list[int] = []
        for row in order:
            if all(math.dist(places[row], places[other]) >= self.layout.merge for other in picked):
                picked.append(row)
                if len(picked) == most:
                    break
        return picked

    def extra_repr(self) -> str:
        return f"{self.network}, images {self.layout.width}×{self.layout.height}"


def relation_weights() -> dict[str, Any]:
    """The numbers of the relations that come with the package: "flat.closeby" and the like."""
    return _weights.read_tensors(os.path.join(_weights.folder(), "predicates.safetensors"))[0]
