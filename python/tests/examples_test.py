"""The worked examples: what they learn, and that each stays short."""

import importlib.util
import pathlib
import re

import pytest

pytest.importorskip("torch")
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "python"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_are_short(path):
    """The program and what is said about it apart."""
    text = re.sub(r'"""(?s:.)*?"""', "", path.read_text())
    assert len([line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]) <= 60


def test_colours():
    assert load("colours").main() > 0.97


def test_a_rule_on_a_detector():
    result = load("rule_on_detector").main()
    [clause] = result.clauses
    assert "colour(" in clause.text and ",blue)" in clause.text and ",large)" in clause.text
    assert result.test_accuracy > 0.95


def test_an_unknown_relation():
    clauses, right = load("unknown_relation").main(count=1000, epochs=5)
    assert clauses == ["yes :- digit(a,D1), digit(b,D2), carry(D1,D2)."] and right > 0.9


def test_digit_sums_learn_something_in_seconds():
    module = load("digit_sums")
    import neumann
    import torch

    torch.manual_seed(1)
    data = neumann.datasets.digit_sums(320).torch()
    network, layer = module.make_network(), module.make_layer()
    a, b = network(data.tensors[0][:, :1]), network(data.tensors[0][:, 1:])
    by_hand = torch.zeros(320, 19)
    for x in range(10):
        for y in range(10):
            by_hand[:, x + y] += (a[:, x] * b[:, y]).detach()
    torch.testing.assert_close(layer(a=a, b=b).detach(), by_hand)
    before = layer(a=a, b=b)[range(320), data.tensors[1]].log().mean().item()
    optimiser = torch.optim.Adam(network.parameters(), lr=2e-3)
    for _ in range(2):
        module.train_epoch(network, layer, data, optimiser)
    a, b = network(data.tensors[0][:, :1]), network(data.tensors[0][:, 1:])
    assert layer(a=a, b=b)[range(320), data.tensors[1]].log().mean().item() > before
