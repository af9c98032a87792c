#!/usr/bin/env python3
"""Tries the installed package: reasoning, the command, its networks, the layer if PyTorch is there. scripts/wheel.sh runs it
where no compiler and no package of the system can be found."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import neumann
import numpy as np

# What every Linux has, as wheels may expect (PEP 600): the C and C++ runtimes, and zlib.
SYSTEM = ("libz.so", "linux-vdso", "ld-linux", "libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libstdc++.so", "libgcc_s.so")

PROGRAM = """
:- type(image, [a, b]).  :- type(digit, 0..9).
:- neural(digit(image, digit)).  :- exclusive(digit/2, 2).
sum(S) :- digit(a, X), digit(b, Y), S is X + Y.
"""


def require(holds, what):
    if not holds:
        sys.exit(f"try_wheel.py: {what}")


def linked_elsewhere(package):
    """Shared libraries that come neither with the package nor with every Linux."""
    files = [*package.glob("*.so"), package / "bin/neumann"]
    for file in files:
        linked = subprocess.run(["/usr/bin/ldd", file], capture_output=True, text=True, check=True).stdout
        for line in linked.splitlines():
            name, _, path = line.strip().partition(" => ")
            if not pathlib.Path(name).name.startswith(SYSTEM) and str(package.parent) not in path:
                yield f"{file.name}: {line.strip()}"


def main():
    package = pathlib.Path(neumann.__file__).parent
    require(pathlib.Path(sys.prefix) in package.parents, f"neumann is that of {package}")
    require(shutil.which("c++") is None and shutil.which("gcc") is None, "there is a compiler")
    elsewhere = list(linked_elsewhere(package))
    require(not elsewhere, f"libraries of the machine are used: {elsewhere}")

    program = neumann.Program(text=PROGRAM)
    reasoner = program.reasoner(["digit(a,D)", "digit(b,D)"], "sum(S)", "exact")
    sums = reasoner(np.full((2, 20), 0.1, dtype=np.float32))
    require(abs(sums[0, reasoner.index("sum", 9)] - 0.1) < 1e-6, f"sums are {sums}")
    gradients = reasoner.gradients(np.full((2, 20), 0.1, dtype=np.float32))
    require(np.allclose(gradients.inputs, 1), "gradients are wrong")

    told = subprocess.run(["neumann", "--version"], capture_output=True, text=True, check=True).stdout
    require(told.strip() == f"neumann {neumann.__version__}", f"the command says {told}")
    [image] = neumann.datasets.generate("kandinsky", "twopairs", count=1, images=True).images
    require(neumann.perceive(image)[0], "the networks see nothing")

    if importlib.util.find_spec("torch") is not None:
        import torch

        layer = neumann.torch.Reasoner(program, {"a": "digit(a,D)", "b": "digit(b,D)"}, "sum(S)", semantics="exact")
        logits = torch.zeros(4, 10, requires_grad=True)
        layer(a=logits.softmax(1), b=logits.softmax(1))[:, 9].log().sum().backward()
        require(logits.grad.isfinite().all(), "the layer's gradients are wrong")
        print(f"with PyTorch {torch.__version__}, ", end="")
    print(f"neumann {neumann.__version__} works with Python {sys.version.split()[0]} and NumPy {np.__version__}")


if __name__ == "__main__":
    main()
