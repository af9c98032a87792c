"""Texts of atoms, as far as they can be understood without the program that they belong to."""

from __future__ import annotations

import re
from typing import Any, Tuple

#: A term as a Python value: a number, a name, a list, or a tuple of a functor and its arguments.
Value = Any
#: The predicate of an atom, and its arguments.
AtomKey = Tuple[Value, ...]

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}

_TOKEN = re.compile(r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|.""", re.DOTALL)
_INDICATOR = re.compile(r"\s*([a-z]\w*|'(?:[^'\\]|\\.)*')\s*/\s*(\d+)\s*")


def indicator(atom: str) -> str:
    """The predicate of an atom.

    >>> indicator("edge(a, f(X, b))"), indicator("rain"), indicator("digit/2")
    ('edge/2', 'rain/0', 'digit/2')
    """
    if match := _INDICATOR.fullmatch(atom):
        return f"{match[1]}/{match[2]}"
    name, depth, arity = "", 0, 0
    for token in _TOKEN.findall(atom.strip()):
        if depth == 0 and token != "(":
            name += token
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
        arity += (depth == 1 and token == ",") or (depth == 1 and token == "(" and arity == 0)
    return f"{name.rstrip(')').strip()}/{arity}"


def pattern(atom: str) -> str:
    """An atom that matches all those of a predicate that is given by name and arity.

    >>> pattern("digit/2"), pattern("digit(a,D)")
    ('digit(_,_)', 'digit(a,D)')
    """
    match = _INDICATOR.fullmatch(atom)
    if not match:
        return atom
    arity = int(match[2])
    return match[1] + (f"({','.join('_' * arity)})" if arity else "")


def is_ground(atom: str) -> bool:
    """Whether it has no variables.

    >>> is_ground("digit(a,'X')"), is_ground("digit(a,X)")
    (True, False)
    """
    return not any(token[0] == "_" or token[0].isupper() for token in _TOKEN.findall(atom) if token[0] not in "'\"")


def parts(atom: str) -> AtomKey:
    """The predicate of an atom and its arguments as Python values.

    >>> parts("sum(7)"), parts("edge(a,'B c')"), parts("rain")
    (('sum', 7), ('edge', 'a', 'B c'), ('rain',))
    >>> parts("member(f(x,0.5),[1,[]])")
    ('member', ('f', 'x', 0.5), [1, []])
    """
    value = _Reader(atom).whole()
    return value if isinstance(value, tuple) else (value,)


class _Reader:
    """Terms as the library prints them, which knows no operators but a sign."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[str] = [one for one in _VALUE.findall(text) if not one.isspace()]
        self._next = 0

    def whole(self) -> Value:
        value = self._term()
        if self._next != len(self._tokens):
            raise self._error()
        return value

    def _error(self) -> ValueError:
        return ValueError(f"'{self._text}' is no ground atom")

    def _take(self) -> str:
        if self._next == len(self._tokens):
            raise self._error()
        self._next += 1
        return self._tokens[self._next - 1]

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _term(self) -> Value:
        token = self._take()
        if token == "[":
            return self._list("]")
        if _NUMBER.fullmatch(token):
            return int(token) if token.lstrip("+-").isdigit() else float(token)
        if token[0] == "'":
            name: Value = re.sub(r"\\(.)|''", lambda one: _ESCAPES.get(one[1], one[1]) if one[1] else "'", token[1:-1])
        elif token[0].isalpha() or token[0] == '"':
            name = token
        else:
            raise self._error()
        if self._peek() != "(":
            return name
        self._take()
        return (name, *self._list(")"))

    def _list(self, end: str) -> list[Value]:
        values: list[Value] = []
        if self._peek() == end:
            self._take()
            return values
        while True:
            values.append(self._term())
            separator = self._take()
            if separator == end:
                return values
            if separator != ",":
                raise self._error()


_VALUE = re.compile(
    r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\w+|\s+|.""", re.DOTALL
)
