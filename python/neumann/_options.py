"""Keyword options: their names in one place, and errors for misspelt ones."""

from __future__ import annotations

import difflib
import functools
import inspect
from typing import Any, Callable, Iterable, Literal, TypeVar

#: The semantics that a program may be reasoned with (docs/semantics.md).
Semantics = Literal[
    "softor",
    "noisy-or",
    "max-product",
    "godel",
    "lukasiewicz",
    "sum-product",
    "clausewise",
    "alpha-ilp",
    "paper",
    "exact",
    "topk",
    "mpe",
    "sample",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about a name that does not exist.

    >>> did_you_mean("timelimit", ["time_limit", "gamma"])
    "; did you mean 'time_limit'?"
    >>> did_you_mean("x", ["time_limit", "gamma"])
    '; known are time_limit, gamma'
    """
    known = list(known)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; known are {', '.join(known)}" if known else ""


def suggests_keywords(function: _Function) -> _Function:
    """Names the nearest keyword if a call has one that does not exist.

    >>> @suggests_keywords
    ... def f(*, time_limit=0): pass
    >>> f(timelimit=3)
    Traceback (most recent call last):
    TypeError: f() has no option 'timelimit'; did you mean 'time_limit'?
    """
    keywords = {
        name
        for name, one in inspect.signature(function).parameters.items()
        if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD) and name != "self"
    }
    title = function.__qualname__.replace(".__init__", "")

    @functools.wraps(function)
    def checked(*positional: Any, **named: Any) -> Any:
        for name in named:
            if name not in keywords:
                raise TypeError(f"{title}() has no option '{name}'{did_you_mean(name, sorted(keywords))}")
        return function(*positional, **named)

    return checked  # type: ignore[return-value]


def given(**options: Any) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in options.items() if value is not None}
