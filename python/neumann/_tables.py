"""Facts from NumPy arrays, frames of pandas and Polars, Arrow tables and rows: tables as the language reads them."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from typing import Any, Iterable

import numpy as np

from ._atoms import indicator


class Table:
    """CSV in memory, and in a file as long as somebody needs it."""

    def __init__(self, predicate: str, text: str, options: str) -> None:
        self.predicate, self.text, self.options = predicate, text, options
        self._folder = tempfile.TemporaryDirectory(prefix="neumann-")
        self._path = os.path.join(self._folder.name, predicate.split("/")[0].strip("'") + ".csv")
        with open(self._path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    @property
    def folder(self) -> str:
        return os.path.join(self._folder.name, "")

    @property
    def directive(self) -> str:
        path = self._path.replace("\\", "\\\\").replace("'", "\\'")
        return f"{self.predicate}, '{path}'{self.options}"

    def __reduce__(self) -> Any:
        return Table, (self.predicate, self.text, self.options)


def make_table(predicate: str, data: Any, probability: Any = None) -> Table:
    """`probability`: a column of the data by name or number, or one number for each row."""
    rows, names = _rows(data)
    chances: list[Any] | None = None
    if isinstance(probability, (str, int)) and not isinstance(probability, bool):
        column = _column(names, probability, rows)
        chances = [row[column] for row in rows]
        rows = [row[:column] + row[column + 1 :] for row in rows]
    elif probability is not None:
        chances = list(np.asarray(probability).tolist())
        if len(chances) != len(rows):
            raise ValueError(f"probability: {len(chances)} numbers given for {len(rows)} rows")
    width = len(rows[0]) if rows else None
    if "/" not in predicate:
        if width is None:
            raise ValueError(f"facts of {predicate}: there are no rows; say how many arguments it has: '{predicate}/2'")
        predicate = f"{predicate}/{width}"
    arity = int(indicator(predicate).rsplit("/", 1)[1])
    for number, row in enumerate(rows):
        if len(row) != arity:
            raise ValueError(f"facts of {predicate}: row {number} has {len(row)} values")
    return Table(predicate, _csv(predicate, rows, chances), "" if chances is None else f", [probability({arity + 1})]")


def _rows(data: Any) -> tuple[list[list[Any]], list[Any]]:
    if hasattr(data, "itertuples"):  # a frame of pandas
        return [list(row) for row in data.itertuples(index=False, name=None)], list(data.columns)
    if hasattr(data, "iter_rows"):  # a frame of Polars
        return [list(row) for row in data.iter_rows()], list(data.columns)
    if hasattr(data, "to_pydict") and hasattr(data, "column_names"):  # an Arrow table
        columns = data.to_pydict()
        return [list(row) for row in zip(*columns.values())], list(columns)
    if isinstance(data, np.ndarray):
        if data.ndim not in (1, 2):
            raise ValueError(f"facts: expected a row for each fact, not an array of shape {list(data.shape)}")
        data = data.reshape(len(data), -1).tolist()
    rows = [list(row) if isinstance(row, (tuple, list)) else [row] for row in data]
    return rows, list(range(len(rows[0]) if rows else 0))


def _column(names: list[Any], wanted: str | int, rows: list[list[Any]]) -> int:
    if wanted in names:
        return names.index(wanted)
    raise ValueError(f"probability: there is no column {wanted!r} among {names}")


def _csv(predicate: str, rows: list[list[Any]], chances: Iterable[Any] | None) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, row in enumerate(rows):
        for value in row:
            if isinstance(value, float) and not value.is_integer() or value is None:
                raise ValueError(
                    f"facts of {predicate}: row {number} has the value {value}; constants are names and whole numbers"
                )
        writer.writerow([int(value) if isinstance(value, float) else value for value in row])
    if chances is None:
        return text.getvalue()
    lines = text.getvalue().splitlines()
    for chance in (chances := list(chances)):
        if not 0 <= float(chance) <= 1:
            raise ValueError(f"probability: {chance} is not in [0, 1]")
    return "".join(f"{line},{float(chance)!r}\n" for line, chance in zip(lines, chances))
