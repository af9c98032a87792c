"""Examples in docstrings are true; so is what docs/python.md shows."""

import doctest
import importlib
import pathlib
import pkgutil

import neumann
import pytest

MODULES = sorted(
    one.name for one in pkgutil.iter_modules(neumann.__path__) if one.name not in ("_core", "__main__", "bin")
)
NEEDS = {name: "torch" for name in MODULES if name.startswith(("torch", "_torch"))} | {"jax": "jax"}
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.parametrize("name", ["", *MODULES])
def test_docstrings(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(f"neumann.{name}" if name else "neumann")
    assert doctest.testmod(module).failed == 0


def test_the_page():
    pytest.importorskip("torch")
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 0 and failed == 0
