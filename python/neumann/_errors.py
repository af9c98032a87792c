"""What is wrong with what a person wrote."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from . import _core


def in_python(text: str) -> str:
    """Options of the command as keyword arguments.

    >>> in_python("raise --memory-limit or --time-limit, or take --semantics sample")
    'raise memory_limit= or time_limit=, or take semantics="sample"'
    """
    text = re.sub(r"--(semantics|device|engine) ([a-z][a-z-]*)", r'\1="\2"', text)
    return re.sub(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)\b", lambda option: option[1].replace("-", "_") + "=", text)


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A mistake in the text of a program, or a doubt about it. Lines and columns count from 1, both ends included."""

    message: str
    advice: str = ""
    severity: str = "error"
    code: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    related: tuple[Diagnostic, ...] = ()

    @staticmethod
    def of(fields: dict[str, Any]) -> Diagnostic:
        related = tuple(Diagnostic.of(one) for one in fields.get("related", ()))
        texts = {name: in_python(fields[name]) for name in ("message", "advice") if name in fields}
        own: dict[str, Any] = {**fields, **texts, "related": related}
        return Diagnostic(**own)


class Error(Exception):
    """Something is wrong with a program, an example, an atom, a file. The text is what the command prints, with
    its options as keyword arguments.

    >>> import neumann
    >>> try:
    ...     neumann.Program(text="edge(a,b).\\npath(X,Y) :- egde(X,Y).")
    ... except neumann.Error as error:
    ...     [diagnostic] = [one for one in error.diagnostics if one.severity == "error"]
    >>> print(diagnostic.line, diagnostic.column, diagnostic.message)
    2 14 unknown predicate 'egde/2'
    >>> print(diagnostic.advice)
    did you mean 'edge/2'?
    """

    def __init__(self, text: str = "", problems: list[dict[str, Any]] | tuple[()] = ()) -> None:
        super().__init__(in_python(text))
        self._problems = problems
        #: Every mistake there is, and the warnings, in the order of their places; empty for errors of other kinds.
        self.diagnostics: list[Diagnostic] = [Diagnostic.of(one) for one in problems]

    def __reduce__(self) -> Any:
        return Error, (str(self), self._problems)


_core.set_error_class(Error)
