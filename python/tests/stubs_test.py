"""The types of the C++ module are those that it has, and the package is typed throughout."""

import ast
import inspect
import os
import pathlib
import shutil
import subprocess
import sys

import neumann
import pytest
from neumann import _core

PACKAGE = pathlib.Path(neumann.__file__).parent


def stub_names():
    """Names of the stub: those of the module, and for each class those of its members."""
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    names = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = None
    return names


def test_stubs_name_what_is_there():
    stubs = stub_names()
    assert set(stubs) == {name for name in vars(_core) if not name.startswith("__")}
    for name, members in stubs.items():
        if members is not None:
            found = {member for member in vars(getattr(_core, name)) if not member.startswith("_")}
            assert members - {"__init__"} == found, name


def test_stubs_have_the_arguments_that_are_there():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            signature = inspect.getdoc(getattr(_core, node.name)).split("->")[0]
            for argument in node.args.args:
                assert argument.arg + ":" in signature or "arg0" in signature, f"{node.name}: {argument.arg}"


def test_mypy():
    mypy = shutil.which("mypy")
    if mypy is None:
        pytest.skip("there is no mypy")
    source = pathlib.Path(__file__).parents[1] / "neumann"
    run = subprocess.run(
        [
            mypy,
            "--config-file",
            source.parents[1] / "pyproject.toml",
            "--python-executable",
            sys.executable,
            "--cache-dir",
            "/dev/null",
            source,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_mypy_finds_misspelt_options(tmp_path):
    mypy = shutil.which("mypy")
    if mypy is None:
        pytest.skip("there is no mypy")
    user = tmp_path / "user.py"
    user.write_text(
        "import neumann\n"
        "p = neumann.Program(text='a.')\n"
        "p.reasoner(semantics='exat')\n"
        "p.reasoner(timelimit=3)\n"
        "neumann.learn(p, goal='clause')\n"
    )
    source = pathlib.Path(__file__).parents[1]
    run = subprocess.run(
        [mypy, "--config-file", source.parent / "pyproject.toml", "--follow-imports=silent", "--cache-dir", "/dev/null", user],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(source)},
    )  # fmt: skip
    for line, wrong in ((3, "exat"), (4, "timelimit"), (5, "clause")):
        assert any(f"user.py:{line}: error" in said and wrong in said for said in run.stdout.splitlines()), run.stdout
