"""Arrays of users as NumPy arrays: without a copy where they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

_CPU, _PINNED = 1, 3  # of DLPack's devices, those whose memory a processor reads


def as_array(name: str, value: Any) -> np.ndarray:
    """float32 or float64, rows one after the other. `name` stands in messages."""
    if not isinstance(value, np.ndarray):
        value = _imported(name, value)
    if value.dtype != np.float32 and value.dtype != np.float64:
        raise TypeError(f"{name}: expected float32 or float64, not {value.dtype}")
    return np.ascontiguousarray(value)


def _imported(name: str, value: Any) -> np.ndarray:
    if hasattr(value, "__dlpack__"):
        device = int(value.__dlpack_device__()[0])
        if device not in (_CPU, _PINNED):
            raise ValueError(
                f"{name}: this array is not in the processor's memory; copy it there first, or take neumann.torch.Reasoner"
            )
        if getattr(value, "requires_grad", False):
            raise ValueError(f"{name}: this tensor requires gradients; take neumann.torch.Reasoner, or detach it")
        return np.from_dlpack(value)
    if isinstance(value, (list, tuple)):
        return np.asarray(value, dtype=np.float64)
    raise TypeError(f"{name}: expected an array (NumPy, or any with __dlpack__), not {type(value).__name__}")


def require_shape(name: str, value: np.ndarray, rows: int | None, columns: int, of: str) -> None:
    if value.ndim != 2 or value.shape[1] != columns or (rows is not None and value.shape[0] != rows):
        expected = "B" if rows is None else str(rows)
        raise ValueError(
            f"{name}: expected an array of shape [{expected}, {columns}], a column for each of the {of}, not {list(value.shape)}"
        )


def require_probabilities(name: str, value: np.ndarray, atoms: list[str]) -> None:
    """Names the first that is none."""
    wrong = ~((value >= 0) & (value <= 1))
    if wrong.any():
        row, column = (int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"{name}: the value {value[row, column]!s} of {atoms[column]} in row {row} is not in [0, 1]")
