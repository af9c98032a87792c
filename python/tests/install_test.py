"""The package as wheels have it, in a fresh virtual environment; scripts/wheel.sh makes and tries the wheels themselves."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def test_one_version():
    import neumann

    found = re.search(r"^project\(neumann VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    assert found[1] == neumann.__version__
    for file in ("pyproject.toml", "editors/make_grammars.py", "tests/golden/cli/version/expected", "CITATION.cff"):
        assert f'"{found[1]}"' not in (ROOT / file).read_text(), file


def test_install(tmp_path):
    build = os.environ.get("NEUMANN_BUILD_DIR")
    if build is None:
        pytest.skip("NEUMANN_BUILD_DIR does not say where the package was built")
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", place], check=True)
    [packages] = place.glob("lib/python*/site-packages")
    subprocess.run(
        ["cmake", "--install", build, "--component", "python", "--prefix", packages], check=True, capture_output=True
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NEUMANN_COMMAND")}
    say = "import sys, neumann; print(neumann.__file__, neumann.Program(text='a. b :- a.').reason(queries='b'), 'torch' in sys.modules)"
    run = subprocess.run([place / "bin/python", "-c", say], cwd="/", env=environment, capture_output=True, text=True)
    assert str(place) in run.stdout and "[{'b': 1.0}] False" in run.stdout, run.stderr
    for wanted in ("py.typed", "_core.pyi", "bin/neumann", "share/neumann/weights/figures.safetensors"):
        assert (packages / "neumann" / wanted).exists(), wanted
    run = subprocess.run(
        [place / "bin/python", "-m", "neumann", "--version"], cwd="/", env=environment, capture_output=True, text=True
    )
    assert run.stdout.startswith("neumann "), run.stderr
