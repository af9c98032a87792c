"""pip install in a fresh virtual environment, and what is there afterwards."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def test_one_version():
    import neumann

    for file in ("pyproject.toml", "CMakeLists.txt"):
        assert neumann.__version__ in (ROOT / file).read_text(), file


def test_pip_install(tmp_path):
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", place], check=True)
    python = place / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NEUMANN_COMMAND")}
    # No index is asked: what Debian has is enough. Sources are not changed by it.
    subprocess.run(
        [python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "-q", ROOT],
        env={**environment, "JOBS": "2"}, cwd=tmp_path, check=True,
    )  # fmt: skip
    say = "import neumann; print(neumann.__file__, neumann.Program(text='a. b :- a.').reason(queries='b'))"
    run = subprocess.run([python, "-c", say], cwd="/", env=environment, capture_output=True, text=True, check=True)
    assert str(place) in run.stdout and "{'b': 1.0}" in run.stdout
    run = subprocess.run(
        [place / "bin" / "neumann", "--version"], cwd="/", env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() != ""
    without_torch = "import sys, neumann; assert 'torch' not in sys.modules"
    subprocess.run([python, "-c", without_torch], cwd="/", env=environment, check=True)
    assert (place / "lib").exists() and list(place.glob("lib/python*/site-packages/neumann/py.typed"))
