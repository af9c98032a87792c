"""Differentiable forward reasoning with first-order logic programs.

>>> import neumann
>>> program = neumann.Program(text='''
... 0.7::rain.  0.8::sprinkler.
... wet :- rain.
... 0.9::wet :- sprinkler.
... :- query(wet).
... ''')
>>> [answer] = program.reason(semantics="noisy-or")
>>> print(f"{answer['wet']:.3f}")
0.916

docs/python.md tells the whole story. `neumann.torch` is a layer for PyTorch; `neumann.datasets` has data to try it on.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import Diagnostic, Error
from ._explanation import Explanation
from ._graph import Graph
from ._learning import Interrupted, LearnResult, learn
from ._perception import command, perceive
from ._program import Answer, Program
from ._reasoner import Gradients, Reasoner

if TYPE_CHECKING:
    from . import datasets, torch

__version__: str = _core.version

__all__ = [
    "Answer",
    "Diagnostic",
    "Error",
    "Explanation",
    "Gradients",
    "Graph",
    "Interrupted",
    "LearnResult",
    "Program",
    "Reasoner",
    "command",
    "datasets",
    "learn",
    "perceive",
    "semantics",
    "torch",
]


def semantics() -> list[dict[str, Any]]:
    """What AND, OR and NOT can mean: the name of each semantics, a sentence about it, what it needs.

    >>> [one["name"] for one in semantics() if one["needs_steps"]]
    ['paper', 'alpha-ilp']
    """
    return _core.semantics()


def __getattr__(name: str) -> Any:
    if name in ("torch", "datasets"):  # loaded when they are used: PyTorch is large, and need not be there
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'neumann' has no attribute '{name}'")
