"""The forward reasoning graph as data and as a picture."""

from __future__ import annotations

import html
import json
import math
from typing import Any

from . import _core

_MOST_DRAWN = 150  # atoms; a picture of more is none
_SMALL = 'stroke="none" fill="#667788" font-size="10"'
_ROW, _GAP, _LETTER, _BOX = 78, 18, 7.2, 26


class Graph:
    """Atoms, and the conjunctions that derive them: ground clauses. In a notebook, a picture; facts on top."""

    def __init__(self, model: _core.Model) -> None:
        self._model = model
        data = json.loads(model.graph(json=True))
        #: {"text": …, "weight": …}
        self.clauses: list[dict[str, Any]] = data["clauses"]
        #: {"atom": …, "initial": …}
        self.atoms: list[dict[str, Any]] = data["atoms"]
        #: {"clause": …, "head": …, "body": […], "negated": […]}, numbers of clauses and atoms; "negated" may be missing
        self.conjunctions: list[dict[str, Any]] = data["conjunctions"]

    def to_dot(self) -> str:
        """For Graphviz."""
        return self._model.graph(json=False)

    def to_svg(self) -> str:
        """The atoms in layers, each below what derives it. Of a large graph, those nearest to the facts."""
        layer = self._layers()
        shown = sorted(range(len(self.atoms)), key=lambda a: (layer[a], a))[:_MOST_DRAWN]
        rows: dict[int, list[int]] = {}
        for atom in shown:
            rows.setdefault(layer[atom], []).append(atom)
        width = {a: max(34.0, _LETTER * len(self.atoms[a]["atom"]) + 16) for a in shown}
        place: dict[int, tuple[float, float]] = {}
        total = max((sum(width[a] + _GAP for a in row) for row in rows.values()), default=100.0) + _GAP
        for number, row in enumerate(rows[key] for key in sorted(rows)):
            if number > 0:
                row.sort(key=lambda a: self._wished(a, place))
            x = (total - sum(width[a] + _GAP for a in row) + _GAP) / 2
            for a in row:
                place[a] = (x + width[a] / 2, number * _ROW + _BOX)
                x += width[a] + _GAP
        lines = self._lines(place) + [self._box(a, place[a], width[a]) for a in shown]
        height = len(rows) * _ROW + (14 if len(shown) < len(self.atoms) else -14)
        if len(shown) < len(self.atoms):
            lines.append(
                f'<text x="{_GAP}" y="{height - 4}" fill="#777">{len(shown)} of {len(self.atoms)} atoms</text>'
            )
        style = 'font-family="monospace" font-size="12" text-anchor="middle"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:.0f} {height}" width="{min(total, 1000):.0f}" {style}>'
            + "".join(lines)
            + "</svg>"
        )

    def _layers(self) -> list[int]:
        """How many conjunctions lie between an atom and the facts, at least."""
        derived = {one["head"] for one in self.conjunctions}
        layer = [-1 if a in derived and not self.atoms[a]["initial"] else 0 for a in range(len(self.atoms))]
        for depth in range(1, len(self.atoms) + 1):
            known = list(layer)
            for one in self.conjunctions:
                if layer[one["head"]] < 0 and all(known[b] >= 0 for b in premises(one)):
                    layer[one["head"]] = depth
            if known == layer:
                break
        layer = [max(layer) + 1 if depth < 0 else depth for depth in layer]
        first_use: dict[int, int] = {}
        for one in self.conjunctions:
            for atom in premises(one):
                first_use[atom] = min(layer[one["head"]], first_use.get(atom, layer[one["head"]]))
        for atom, depth in first_use.items():  # what nothing derives stands just above what it is for
            if atom not in derived:
                layer[atom] = max(0, depth - 1)
        return layer

    def _wished(self, atom: int, place: dict[int, tuple[float, float]]) -> float:
        above = [place[b][0] for one in self.conjunctions if one["head"] == atom for b in premises(one) if b in place]
        return sum(above) / len(above) if above else math.inf

    def _lines(self, place: dict[int, tuple[float, float]]) -> list[str]:
        lines = []
        for one in self.conjunctions:
            if one["head"] not in place or any(b not in place for b in premises(one)):
                continue
            x, y = place[one["head"]]
            top = [place[b] for b in premises(one)]
            knot = (sum([x, x] + [a for a, _ in top]) / (len(top) + 2), y - 30)
            title = html.escape(self.clauses[one["clause"]]["text"])
            weight = float(self.clauses[one["clause"]]["weight"])
            paths = [f"M{a:.1f} {b + 13:.1f}L{knot[0]:.1f} {knot[1]:.1f}" for a, b in top]
            dashed = paths[len(one["body"]) :]
            paths = paths[: len(one["body"])] + [f"M{knot[0]:.1f} {knot[1]:.1f}L{x:.1f} {y - 13:.1f}"]
            lines.append(
                f'<g stroke="#8899aa" fill="none"><title>{title}</title><path d="{"".join(paths)}"/>'
                + (f'<path d="{"".join(dashed)}" stroke-dasharray="4 3"/>' if dashed else "")
                + f'<circle stroke="none" cx="{knot[0]:.1f}" cy="{knot[1]:.1f}" r="4" fill="#8899aa"/>'
                + (
                    f'<text x="{knot[0] + 20:.1f}" y="{knot[1] + 4:.1f}" {_SMALL}>{weight:g}</text>'
                    if weight < 1
                    else ""
                )
                + "</g>"
            )
        return lines

    def _box(self, atom: int, place: tuple[float, float], width: float) -> str:
        x, y = place
        text = html.escape(self.atoms[atom]["atom"])
        initial = float(self.atoms[atom]["initial"])
        fill = "#dcebd5" if initial > 0 else "#f4f6f8"
        return (
            f"<g><title>{text}, initially {initial:g}</title>"
            f'<rect x="{x - width / 2:.1f}" y="{y - _BOX / 2:.1f}" width="{width:.1f}" height="{_BOX}" rx="6" fill="{fill}" stroke="#556677"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}">{text}</text></g>'
        )

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        return f"<neumann.Graph: {len(self.atoms)} atoms, {len(self.conjunctions)} conjunctions>"


def premises(conjunction: dict[str, Any]) -> list[int]:
    """The atoms of a body, negated ones included."""
    return [*conjunction["body"], *conjunction.get("negated", ())]
