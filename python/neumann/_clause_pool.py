"""Candidate clauses of a search that trains networks at the same time."""

from __future__ import annotations

from typing import Any, Sequence

from . import _core
from ._program import Program


class ClausePool:
    """The clauses that a program's `learn` and mode directives allow, from general to special ones, by numbers: the steps
    are those of `neumann learn`. `trail` lists the clauses that were refined, in order: it makes an equal pool again.

    >>> import neumann
    >>> program = neumann.Program(text='''
    ... :- type(thing, [it]).  :- type(colour, [red, blue]).  :- neural(colour(thing, colour)).
    ... :- modeb(1, colour(+thing, #colour)).  :- learn(good/1, 1).  :- pred(good(thing)).
    ... ''')
    >>> pool = ClausePool(program, max_body=2, max_variables=4)
    >>> pool.texts(pool.first)
    ['good(X).']
    >>> pool.texts(pool.refine(pool.first[0]))
    ['good(X) :- colour(X,red).', 'good(X) :- colour(X,blue).']
    """

    def __init__(self, program: Program, max_body: int, max_variables: int, trail: Sequence[int] = ()) -> None:
        if program._saved:
            raise ValueError("program: a saved graph has nothing left to learn; take the program that it was made of")
        self._arguments = program, max_body, max_variables
        self._language = _core.ClauseLanguage(
            program.text, program._options, max_body, max_variables, program.name
        )
        #: Each learned predicate ("kp/1"), and how many clauses it may have.
        self.targets: list[tuple[str, int]] = self._language.targets
        #: The text of the program without clauses of these.
        self.background: str = self._language.background
        self.first: list[int] = self._language.first()
        self.trail: list[int] = []
        self._children: dict[int, list[int]] = {}
        for number in trail:
            self.refine(number)

    def refine(self, number: int) -> list[int]:
        """The least specialisations of a clause."""
        if number not in self._children:
            self.trail.append(number)
            self._children[number] = self._language.refine(number)
        return self._children[number]

    def is_refined(self, number: int) -> bool:
        return number in self._children

    def nearest(self, count: int) -> list[int]:
        """So many clauses, the most general first."""
        found = dict.fromkeys(self.first)
        for number in self.first:
            if len(found) >= count:
                break
            found.update(dict.fromkeys(self.refine(number)))
        waiting = [number for number in found if not self.is_refined(number)]
        while waiting and len(found) < count:
            children = [child for child in self.refine(waiting.pop(0)) if child not in found]
            found.update(dict.fromkeys(children))
            waiting += children
        return list(found)[:count]

    def __reduce__(self) -> Any:
        return ClausePool, (*self._arguments, list(self.trail))

    def texts(self, numbers: Sequence[int]) -> list[str]:
        return [self._language.text(number) for number in numbers]

    def shortest_text(self, number: int) -> str:
        """Of an equivalent clause, without goals that say nothing."""
        return self._language.shortest_text(number)

    def predicate(self, number: int) -> str:
        return self._language.predicate(number)

    def goals(self, number: int) -> int:
        return self._language.goals(number)
