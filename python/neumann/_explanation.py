"""Why an atom has its value."""

from __future__ import annotations

import json
from typing import Any, Callable

from . import _core


class Explanation:
    """Proofs, what they depend on, and why not: as text, as a picture, as a page, as data. A picture in a notebook.

    >>> import neumann
    >>> explanation = neumann.Program(text="0.9::rain. wet :- rain.").explain("wet")
    >>> print(explanation.text.splitlines()[0])
    wet  0.9000  holds: at least 0.5
    >>> explanation.to_svg()[:4]
    '<svg'
    """

    def __init__(self, core: _core.Explanation, program: str, shown: Callable[[str], str]) -> None:
        self._core, self._program, self._shown = core, program, shown

    @property
    def atom(self) -> str:
        return self._core.atom

    @property
    def value(self) -> float:
        return self._core.value

    @property
    def holds(self) -> bool:
        """Whether the value reaches the threshold."""
        return self._core.holds

    @property
    def text(self) -> str:
        """What `neumann explain` prints."""
        return self._shown(self._core.text(True))

    @property
    def data(self) -> dict[str, Any]:
        """Everything that is known: proofs, inputs, clauses, with values, gradients and shares."""
        return dict(json.loads(self._shown(self._core.to_json())))

    def to_svg(self) -> str:
        """The best proof as a tree, or the nearest miss."""
        return self._shown(self._core.to_svg())

    def to_html(self) -> str:
        """A page that needs nothing else."""
        return self._shown(self._core.to_html(self._program))

    def to_dot(self) -> str:
        """All proofs, for Graphviz."""
        return self._shown(self._core.to_dot())

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<neumann.Explanation: {self.atom} is {self.value:.4g}>"
