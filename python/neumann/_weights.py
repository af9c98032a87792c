"""Weights of networks, as the package has them: files in the safetensors format."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

_TYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32, "U8": np.uint8}


def folder() -> str:
    """Where the weights are that come with the package, or with its sources."""
    here = os.path.dirname(os.path.realpath(__file__))
    places = [os.path.join(here, "share", "neumann", "weights"), os.path.join(here, "..", "..", "weights")]
    for place in places:
        if os.path.isdir(place):
            return os.path.normpath(place)
    raise FileNotFoundError(f"the weights of the networks are not there: {places[0]}")


def read_tensors(path: str | os.PathLike[str]) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of a file by their names, and its metadata.

    >>> tensors, about = read_tensors(os.path.join(folder(), "figures.safetensors"))
    >>> tensors["trunk.layers.0.conv.weight"].shape, about["layout"]
    ((16, 3, 3, 3), 'flat')
    """
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise ValueError(f"{os.fspath(path)}: this is no file of weights (safetensors)")
    header: dict[str, Any] = json.loads(data[8 : 8 + size])
    about = header.pop("__metadata__", {})
    tensors = {}
    for name, one in header.items():
        first, last = one["data_offsets"]
        numbers = np.frombuffer(data[8 + size + first : 8 + size + last], _TYPES[one["dtype"]])
        tensors[name] = numbers.reshape(one["shape"]).copy()
    return tensors, about
