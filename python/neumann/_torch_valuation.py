"""From the rows of objects that a network detects to probabilities of atoms: valuation functions with gradients."""

from __future__ import annotations

from typing import Callable

import torch
from torch import Tensor, nn

from ._options import did_you_mean
from ._program import Program
from ._reasoner import _key
from ._torch_networks import FLAT, SOLID, Layout, ObjectNetwork, relation_weights

_ABSENT_BELOW = 0.05  # objects that are less likely count as absent
_LEAST_VALUE = 1e-6  # smaller values are 0


def _centre_distance(places: Tensor) -> Tensor:
    return _root((places[..., 0, :] - places[..., 1, :]).square().sum(-1))


def _line_residual(places: Tensor) -> Tensor:
    """Root of the sum of squares that the best line y = a x + b leaves over."""
    x, y = (places - places.mean(-2, keepdim=True)).unbind(-1)
    xx, xy, yy = (x * x).sum(-1), (x * y).sum(-1), (y * y).sum(-1)
    return _root((yy - xy * xy / xx.clamp_min(1e-30)).clamp_min(0))


def _root(squares: Tensor) -> Tensor:
    """The root, with the derivative 0 at 0."""
    there = squares > 1e-14
    return torch.where(there, squares, torch.ones_like(squares)).sqrt() * there


# Of the places [..., objects, (x, y)] of a relation's objects.
_FEATURES: dict[str, Callable[[Tensor], Tensor]] = {
    "closeby": _centre_distance,
    "online": _line_residual,
    "left_of": lambda places: places[..., 1, 0] - places[..., 0, 0],
    "leftside": lambda places: places[..., 0, 0] - 0.5,
    "rightside": lambda places: places[..., 0, 0] - 0.5,
    "front": lambda places: places[..., 0, 1] - places[..., 1, 1],
}


class Valuation(nn.Module):
    """The probabilities [B, K] of the atoms of a program's neural predicates, given rows [B, N, columns] of objects, as
    `ObjectNetwork` computes them; the k-th constant of the type of objects is the k-th row.

    `in(O,I)` is the row's presence, `color(O,red)` its probability of red; relations such as `closeby` are logistic
    functions of a feature of the places, whose two numbers are parameters. Gradients flow to the rows and to these. With
    `atoms` as its inputs a `Reasoner` takes the result:

    >>> import neumann, torch
    >>> program = neumann.Program(text='''
    ... :- type(object, [o1, o2]).  :- type(image, [img]).  :- type(color, [red, blue]).
    ... :- neural(in(object, image)).  :- neural(color(object, color)).  :- neural(closeby(object, object)).
    ... good :- in(A, img), in(B, img), color(A, red), color(B, blue), closeby(A, B).
    ... ''')
    >>> network = neumann.torch.ObjectNetwork("figures")
    >>> valuation = neumann.torch.Valuation(program, network)
    >>> layer = neumann.torch.Reasoner(program, valuation.atoms, "good")
    >>> layer(valuation(network(torch.zeros(3, 3, 128, 128), objects=2))).shape
    torch.Size([3, 1])
    """

    def __init__(self, program: Program, layout: Layout | ObjectNetwork | str = "solid") -> None:
        super().__init__()
        if isinstance(layout, ObjectNetwork):
            layout = layout.layout
        elif isinstance(layout, str):
            known = {one.name: one for one in (FLAT, SOLID)}
            if layout not in known:
                raise ValueError(f"layout: there is no '{layout}'{did_you_mean(layout, known)}")
            layout = known[layout]
        self.layout = layout
        model = program._model_for(program.neural, program.neural, "softor")
        #: The atoms of the columns.
        self.atoms: list[str] = []
        self._parts: list[tuple[str, str, list[tuple[int, ...]]]] = []  # kind, predicate, numbers of each atom
        relations = relation_weights()
        self.relations = nn.ParameterDict()
        for predicate in program.neural:
            name, arity = predicate.rsplit("/", 1)
            texts = [text for text, _, _ in model.instances(f"{name}({','.join('_' * int(arity))})" if arity != "0" else name)]
            keys = [_key(text)[1:] for text in texts]
            self.atoms += texts
            objects = list(dict.fromkeys(key[0] for key in keys))
            number = {one: place for place, one in enumerate(objects)}
            if name == "in":
                self._parts.append(("presence", name, [(number[key[0]],) for key in keys]))
            elif name in self.layout.attributes:
                values, first = self.layout.attributes[name], self.layout.places(name).start
                column = {value: first + place for place, value in enumerate(values)}
                if not any(key[1] in column for key in keys):
                    raise ValueError(f"{name}: a network for {layout.name} objects knows {', '.join(values)}, none of the program's values")
                self._parts.append(("attribute", name, [(number[key[0]], column.get(key[1], -1)) for key in keys]))
            elif name in _FEATURES and f"{layout.name}.{name}" in relations:
                self._parts.append(("relation", name, [tuple(number[one] for one in key) for key in keys]))
                self.relations[name] = nn.Parameter(torch.from_numpy(relations[f"{layout.name}.{name}"]))
            else:
                known_names = ["in", *self.layout.attributes, *(one for one in _FEATURES if f"{layout.name}.{one}" in relations)]
                raise ValueError(f"program: {layout.name} objects have no '{name}'{did_you_mean(name, known_names)}")

    def forward(self, rows: Tensor) -> Tensor:
        if rows.dim() != 3 or rows.shape[2] != self.layout.columns:
            raise ValueError(f"rows: expected a tensor [B, N, {self.layout.columns}], not {list(rows.shape)}")
        values = torch.cat([self._values(kind, name, numbers, rows) for kind, name, numbers in self._parts], 1)
        return values - torch.where(values < _LEAST_VALUE, values, torch.zeros_like(values)).detach()

    def _values(self, kind: str, name: str, numbers: list[tuple[int, ...]], rows: Tensor) -> Tensor:
        """Of the atoms of a predicate. Objects without a row are absent."""
        most = max(max(one[:1] if kind != "relation" else one) for one in numbers) + 1
        if rows.shape[1] < most:
            rows = torch.nn.functional.pad(rows, (0, 0, 0, most - rows.shape[1]))
        there = rows[:, :, 0].detach() >= _ABSENT_BELOW
        which = torch.tensor(numbers, device=rows.device)
        if kind == "presence":
            return rows[:, which[:, 0], 0]
        if kind == "attribute":
            known = there[:, which[:, 0]] & (which[:, 1] >= 0)
            return rows[:, which[:, 0], which[:, 1].clamp_min(0)] * known
        apart = torch.tensor([len(set(one)) == len(one) for one in numbers], device=rows.device)
        weight, bias = self.relations[name]
        value = torch.sigmoid(weight * _FEATURES[name](rows[:, which, 1:3]) + bias)
        return value * (there[:, which].all(-1) & apart)

    def extra_repr(self) -> str:
        return f"{len(self.atoms)} atoms of {len(self._parts)} predicates, {self.layout.name} objects"
