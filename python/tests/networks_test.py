"""The networks and valuation functions as modules agree with the library's, and have gradients."""

import json
import pathlib
import subprocess

import neumann
import numpy as np
import pytest
from neumann._perception import png_bytes

torch = pytest.importorskip("torch")

ATOMS = """
:- type(object, [o1, o2, o3, o4]).  :- type(color, [blue, red, yellow, pink]).  :- type(shape, [square, circle, triangle]).
:- type(image, [img]).
:- neural(in(object, image)).  :- neural(color(object, color)).  :- neural(shape(object, shape)).
:- neural(closeby(object, object)).  :- neural(online(object, object, object)).  :- neural(left_of(object, object)).
:- neural(leftside(object)).  :- neural(front(object, object)).
p(O) :- in(O, img).  p(O) :- color(O, C).
"""


def images(name, count):
    if name == "figures":
        return neumann.datasets.kandinsky("twopairs", count=count, images=True, width=128, height=128).images
    data = neumann.datasets.clevr_hans(count=-(-count // 3), images=True, width=192, height=128)
    return data.images[:count]


@pytest.mark.parametrize("name", ["figures", "solids", "slots"])
def test_objects_are_those_of_the_library(name):
    pictures = images(name, 3)
    network = neumann.torch.ObjectNetwork(name)
    with torch.no_grad():
        rows = network(torch.from_numpy(pictures).permute(0, 3, 1, 2), objects=10)
    compared = 0
    for seen, found in zip(neumann.perceive(list(pictures), network=name, least=0.05), rows):
        assert len(seen["objects"]) == (found[:, 0] > 0).sum()
        for one, row in zip(seen["objects"], found):
            expected = [one[column] for column in ("presence", "x", "y", "width", "height")]
            np.testing.assert_allclose(row[:5], expected, atol=1e-4)
            for attribute, values in network.layout.attributes.items():
                said = row[network.layout.places(attribute)]
                assert values[int(said.argmax())] == one[attribute]["value"]
                assert abs(float(said.max()) - one[attribute]["probability"]) < 1e-4
            compared += 1
    assert compared >= 6


def test_atoms_are_those_of_the_library(tmp_path):
    pictures = images("figures", 2)
    program = neumann.Program(text=ATOMS)
    valuation = neumann.torch.Valuation(program, "flat")
    files = [tmp_path / f"{number}.png" for number in range(len(pictures))]
    for file, picture in zip(files, pictures):
        file.write_bytes(png_bytes(picture))
    source = tmp_path / "atoms.nm"
    source.write_text(ATOMS)
    queries = [part for name in program.neural for part in ("--query", pattern(name))]
    run = subprocess.run(
        [neumann.command(), "reason", source, "--json", "--all-answers", "--no-cache", "--network", "figures", *queries, "--images", *files],
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    with torch.no_grad():
        values = valuation(neumann.torch.ObjectNetwork("figures")(torch.from_numpy(pictures).permute(0, 3, 1, 2)))
    for line, row in zip(run.stdout.splitlines(), values):
        expected = json.loads(line)["values"]
        assert len(expected) == len(valuation.atoms)
        np.testing.assert_allclose(row, [expected[atom] for atom in valuation.atoms], atol=1e-4)


def pattern(predicate):
    name, arity = predicate.split("/")
    return f"{name}({','.join('_' * int(arity))})"


def test_gradients():
    torch.manual_seed(1)
    valuation = neumann.torch.Valuation(neumann.Program(text=ATOMS), "flat").double()
    rows = torch.rand(2, 4, 13, dtype=torch.float64) * 0.8 + 0.1
    assert torch.autograd.gradcheck(valuation, rows.requires_grad_())
    valuation(rows).sum().backward()
    assert all(weights.grad.abs().sum() > 0 for weights in valuation.relations.values())


@pytest.mark.parametrize("name", ["figures", "slots"])
def test_networks_learn(name):
    torch.manual_seed(1)
    network = neumann.torch.ObjectNetwork(name)
    x = torch.from_numpy(images(name, 1)).permute(0, 3, 1, 2)
    network(x)[0, 0, 7:].prod().backward()
    without = [name for name, one in network.named_parameters() if one.grad is None]
    assert all("proposals" in name for name in without)  # they only choose
    again = neumann.torch.ObjectNetwork(name, weights=None)
    assert not torch.equal(next(again.parameters()), next(network.parameters()))
    again.load_state_dict(network.state_dict())


def test_refusals(tmp_path):
    with pytest.raises(ValueError, match="no 'figure'; did you mean 'figures'"):
        neumann.torch.ObjectNetwork("figure")
    shipped = pathlib.Path(neumann._weights.folder()) / "figures.safetensors"
    with pytest.raises(ValueError, match="weights for flat objects"):
        neumann.torch.ObjectNetwork("solids", weights=shipped)
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(b"\xff" * 40)
    with pytest.raises(ValueError, match="no file of weights"):
        neumann.torch.ObjectNetwork("solids", weights=bad)
    with pytest.raises(ValueError, match="solid objects have no 'closeby'"):
        neumann.torch.Valuation(neumann.Program(text=ATOMS.replace("square", "cube")), "solid")
    with pytest.raises(ValueError, match=r"\[B, 3, H, W\]"):
        neumann.torch.ObjectNetwork("figures")(torch.zeros(1, 128, 128, 3))


def test_an_unknown_pattern():
    with pytest.raises(neumann.Error, match="kandinsky has no pattern 'two-pairs'; did you mean 'twopairs'"):
        neumann.datasets.generate("kandinsky", "two-pairs", count=1)
