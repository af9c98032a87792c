"""Inputs of which few are not 0: matrices in CSR form, and dictionaries of atoms."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._arrays import as_array
from ._atoms import AtomKey
from ._options import did_you_mean


class SparseRows(NamedTuple):
    """A matrix in CSR form: row e has `value[i]` in the columns `column[i]`, for i from begin[e] to begin[e + 1] − 1."""

    begin: np.ndarray
    column: np.ndarray
    value: np.ndarray


def is_sparse(x: Any) -> bool:
    """Matrices of SciPy, and lists of dictionaries."""
    if isinstance(x, SparseRows) or all(hasattr(x, name) for name in ("tocsr", "nnz", "shape")):
        return True
    return isinstance(x, Sequence) and not isinstance(x, str) and len(x) > 0 and all(isinstance(one, Mapping) for one in x)


def sparse_rows(x: Any, columns: Mapping[AtomKey, int], parse: Any) -> SparseRows:
    if isinstance(x, SparseRows):
        return x
    if hasattr(x, "tocsr"):
        return of_matrix(x, len(columns))
    begin, column, value = [0], [], []
    for row in x:
        for atom, probability in row.items():
            column.append(column_of(atom, columns, parse))
            value.append(float(probability))
        begin.append(len(column))
    return SparseRows(np.array(begin, np.uintp), np.array(column, np.uintp), np.array(value, np.float64))


def of_matrix(x: Any, columns: int) -> SparseRows:
    if x.shape[1] != columns:
        raise ValueError(f"x: expected a sparse matrix of shape [B, {columns}], not {list(x.shape)}")
    csr = x.tocsr()
    csr.sum_duplicates()
    value = as_array("x", np.asarray(csr.data))
    return SparseRows(csr.indptr.astype(np.uintp), csr.indices.astype(np.uintp), value)


def column_of(atom: Any, columns: Mapping[AtomKey, int], parse: Any) -> int:
    """The column of an input atom: its text, or a tuple of its predicate and arguments."""
    key = atom if isinstance(atom, tuple) else parse(atom)
    found = columns.get(key)
    if found is None:
        texts = {f"{one[0]}({','.join(map(str, one[1:]))})" if len(one) > 1 else str(one[0]): 0 for one in columns}
        hint = did_you_mean(str(atom), texts) if len(texts) <= 1000 else ""
        raise KeyError(f"{atom} is none of the {len(columns)} inputs{hint}")
    return found
