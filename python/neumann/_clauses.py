"""Clauses by numbers, texts and predicates."""

from __future__ import annotations

import re
from typing import Any, Sequence, Union

import numpy as np

from ._atoms import indicator
from ._options import did_you_mean

#: Clauses by their numbers, their texts or the predicates of their heads; True: all of them.
Clauses = Union[bool, str, Sequence[Union[int, str]]]


def head_of(clause: str) -> str:
    """The head of a clause as it is printed.

    >>> head_of("0.5::wet(X) :- rain."), head_of("t(_)::a."), head_of("d(1).")
    ('wet(X)', 'a', 'd(1)')
    """
    head = re.sub(r"^(?:t\([^()]*\)|[-+.\deE/]+)::", "", clause)
    return head.split(" :- ", 1)[0].rstrip(".").strip()


def numbers_of(which: Clauses, clauses: list[str]) -> list[int]:
    if which is True:
        return list(range(len(clauses)))
    found: set[int] = set()
    for one in [which] if isinstance(which, str) else which or ():
        found.update(_named(one, clauses) if isinstance(one, str) else [_number(one, clauses)])
    return sorted(found)


def _number(number: Any, clauses: list[str]) -> int:
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"a clause is a number, a text or a predicate, not {type(number).__name__}")
    if not 0 <= number < len(clauses):
        raise ValueError(f"there is no clause {number}; the program has {len(clauses)}, numbered from 0")
    return int(number)


def _named(name: str, clauses: list[str]) -> list[int]:
    if name in clauses:
        return [place for place, text in enumerate(clauses) if text == name]
    heads = [indicator(head_of(text)) for text in clauses]
    found = [place for place, head in enumerate(heads) if name in (head, head.rsplit("/", 1)[0])]
    if not found:
        raise ValueError(f"no clause has the head '{name}'{did_you_mean(name, dict.fromkeys(heads))}")
    return found
