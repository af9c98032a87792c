"""The same numbers as the command, for every semantics; and the command itself."""

import json
import os
import pathlib
import subprocess
import sys

import neumann
import numpy as np
import pytest

COMMAND = os.environ.get("NEUMANN_COMMAND", "")
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
needs_command = pytest.mark.skipif(not os.path.exists(COMMAND), reason="NEUMANN_COMMAND names no command")


def by_command(path, *arguments):
    run = subprocess.run([COMMAND, "reason", path, "--json", *arguments], capture_output=True, text=True, check=True)
    return [json.loads(line)["values"] for line in run.stdout.splitlines()]


@needs_command
@pytest.mark.parametrize("semantics", [one["name"] for one in neumann.semantics()])
def test_same_numbers(semantics):
    path = EXAMPLES / "07_wet.nm"
    steps = 4 if semantics in ("paper", "alpha-ilp") else None
    expected = by_command(path, "--semantics", semantics, *(["--steps", str(steps)] if steps else []))
    program = neumann.Program(path)
    answers = program.reason(semantics=semantics, steps=steps or "auto")
    assert [{atom: np.float32(v) for atom, v in one.items()} for one in answers] == [
        {atom: np.float32(v) for atom, v in one.items()} for one in expected
    ]
    if semantics == "sample":
        return  # which worlds are drawn depends on what is asked
    reasoner = program.reasoner(inputs=["dam_broken"], semantics=semantics, steps=steps or "auto")
    out = reasoner(np.zeros((1, 1), np.float32))
    assert dict(zip(reasoner.output_atoms, out[0])) == {atom: np.float32(v) for atom, v in expected[0].items()}


@needs_command
def test_examples_and_arrays_agree():
    program = neumann.Program(EXAMPLES / "08_digits.nm")
    random = np.random.default_rng(1)
    x = random.dirichlet(np.ones(10), (5, 4)).astype(np.float32).reshape(5, 40)
    reasoner = program.reasoner(inputs="digit/2", outputs="total([a,b,c,d],S)", semantics="exact")
    examples = [dict(zip(reasoner.input_atoms, row)) for row in x.tolist()]
    answers = program.reason(examples, queries="total([a,b,c,d],S)", semantics="exact")
    for row, answer in zip(reasoner(x), answers):
        np.testing.assert_allclose(row, [answer[atom] for atom in reasoner.output_atoms], rtol=1e-5)


@needs_command
def test_the_command_comes_with_the_package():
    run = subprocess.run([sys.executable, "-m", "neumann", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.strip().endswith(neumann.__version__)
