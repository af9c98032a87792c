"""Texts of atoms, as far as they can be understood without the program that they belong to."""

from __future__ import annotations

import re

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
