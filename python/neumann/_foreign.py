"""Predicates that are functions of Python: called once, with all combinations of their inputs as arrays."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._atoms import parts

if TYPE_CHECKING:
    from ._program import Program

_PLACE = re.compile(r"([+-])([a-z]\w*)")


def read_declaration(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The name of a predicate, and the sign and the type of each argument.

    >>> read_declaration("distance(+city, +city, -real)")
    ('distance', [('+', 'city'), ('+', 'city'), ('-', 'real')])
    """
    match = re.fullmatch(r"\s*([a-z]\w*)\s*\((.*)\)\s*", text)
    places = [_PLACE.fullmatch(one.strip()) for one in match[2].split(",")] if match else []
    if match is None or not all(places):
        raise ValueError(f"predicate: expected a text such as 'distance(+city, +city, -real)', not '{text}'")
    return match[1], [(one[1], one[2]) for one in places if one]


def constant_text(value: Any) -> str:
    """A value as programs write it.

    >>> constant_text("ulm"), constant_text("New York"), constant_text(2.5), constant_text("it's")
    ('ulm', "'New York'", '2.5', "'it\\\\'s'")
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f"predicate: a value of type {type(value).__name__} is no name and no number")
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ValueError(f"predicate: {value} is no number of programs")
        return np.format_float_positional(value, trim="0")
    if not isinstance(value, str) or re.fullmatch(r"[a-z]\w*", value):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def values_of(program: Program, types: list[str]) -> dict[str, list[Any]]:
    """The constants of each type, in their order."""
    names = {one: f"each__{place}" for place, one in enumerate(dict.fromkeys(types))}
    declared = " ".join(f":- neural({name}({one}))." for one, name in names.items())
    helper = program._with_text(f"{program.text}\n{declared}\n")
    patterns = [f"{name}(_)" for name in names.values()]
    model = helper._model_for(patterns, patterns, "softor")
    return {one: [parts(text)[1] for text, _, _ in model.instances(f"{name}(_)")] for one, name in names.items()}


def rows_of(declaration: str, places: list[tuple[str, str]], values: dict[str, list[Any]], function: Callable[..., Any]) -> list[Any]:
    """The rows of the table that the function describes."""
    inputs = [one for sign, one in places if sign == "+"]
    combinations = list(itertools.product(*(values[one] for one in inputs)))
    arrays = [np.array(column) for column in zip(*combinations)] if combinations else [np.array([])] * len(inputs)
    found = function(*arrays)
    outputs = len(places) - len(inputs)
    columns = list(found) if isinstance(found, tuple) else [found]
    wanted = "an array of bool" if outputs == 0 else "an array" if outputs == 1 else f"a tuple of {outputs} arrays"
    if len(columns) != max(outputs, 1) or any(np.shape(one) != (len(combinations),) for one in columns):
        raise ValueError(
            f"{declaration}: the function {function.__name__} has to return {wanted} of {len(combinations)} values, not "
            f"{' and '.join(str(list(np.shape(one))) for one in columns)}"
        )
    if outputs == 0:
        if np.asarray(columns[0]).dtype != np.bool_:
            raise TypeError(f"{declaration}: the function {function.__name__} has to return {wanted}")
        return [row for row, holds in zip(combinations, columns[0]) if holds]
    rows = []
    for row, *given in zip(combinations, *columns):
        if any(one is None or one != one for one in given):  # None and NaN: no answer
            continue
        inputs_left, outputs_left = iter(row), iter(one.item() if hasattr(one, "item") else one for one in given)
        rows.append(tuple(next(inputs_left) if sign == "+" else next(outputs_left) for sign, _ in places))
    return rows
