"""What networks see in pictures: by the command, in a process of its own.

The networks run on the LibTorch that they were built with. In one process with a PyTorch of another version they could
not, so they never do: this package links no PyTorch, and asks the `neumann` command, which has a copy in the package.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from typing import Any

import numpy as np

from ._errors import Error


def command() -> str:
    """The path of the `neumann` command: $NEUMANN_COMMAND, that of this package, or the first on the PATH."""
    found = os.environ.get("NEUMANN_COMMAND") or _bundled() or shutil.which("neumann")
    if found is None:
        raise Error("error: there is no neumann command: install it, or say where it is: NEUMANN_COMMAND=…")
    return found


def _bundled() -> str | None:
    path = os.path.join(os.path.dirname(__file__), "bin", "neumann")
    return path if os.path.exists(path) else None


def perceive(
    images: Any, *, network: str = "auto", least: float = 0.5, device: str = "cpu", cache: str | None = None
) -> list[dict[str, Any]]:
    """The objects in pictures: files, folders of them, or arrays [H, W, 3] of uint8.

    Gives a dictionary for each picture, as `neumann perceive --json` does. Needs a command with networks
    (docs/python.md, Pictures); without one, the error says how to get it.
    """
    if isinstance(images, (str, os.PathLike)) or isinstance(images, np.ndarray) and images.ndim == 3:
        images = [images]
    with tempfile.TemporaryDirectory(prefix="neumann-") as folder:
        files = [_as_file(one, os.path.join(folder, f"{i}.png")) for i, one in enumerate(images)]
        call = [command(), "perceive", "--json", "--network", network, "--least", str(least), "--device", device]
        call += ["--no-cache"] if cache is None else ["--cache", cache]
        run = subprocess.run(call + files, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Error(run.stderr.strip() or f"error: {call[0]} failed with exit code {run.returncode}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def _as_file(image: Any, path: str) -> str:
    if isinstance(image, (str, os.PathLike)):
        return os.fspath(image)
    with open(path, "wb") as file:
        file.write(png_bytes(np.asarray(image)))
    return path


def png_bytes(image: np.ndarray) -> bytes:
    """A picture [H, W, 3] of uint8 as a PNG file.

    >>> png_bytes(np.zeros((2, 2, 3), np.uint8))[1:4]
    b'PNG'
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"images: expected an array [H, W, 3] of uint8, not {list(image.shape)} of {image.dtype}")
    height, width, _ = image.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, width * 3)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows.tobytes()))
        + chunk(b"IEND", b"")
    )


def run_command() -> None:
    """Becomes the command: what `neumann` and `python -m neumann` do."""
    path = os.environ.get("NEUMANN_COMMAND") or _bundled()  # one on the PATH may be the script that called this
    if path is None:
        sys.exit("error: this package was built without the neumann command; NEUMANN_COMMAND may say where it is")
    os.execv(path, [path, *sys.argv[1:]])
