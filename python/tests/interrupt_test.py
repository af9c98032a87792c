"""Ctrl-C ends long work: compiling, forward and backward passes, grounding. Each would take minutes."""

import os
import signal
import threading
import time

import neumann
import numpy as np
import pytest

PATHS = ":- pred(edge(t,t)). path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z)."


def grid(side):
    cells = [(x, y) for x in range(side) for y in range(side)]
    pairs = [((x, y), (x + dx, y + dy)) for x, y in cells for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return [(f"n{a}_{b}", f"n{c}_{d}") for (a, b), (c, d) in pairs if 0 <= c < side and 0 <= d < side]


def interrupted(work, after=0.3):
    """Seconds from Ctrl-C to its exception."""
    sent = []

    def press():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
            assert sent, "the work ended before Ctrl-C"
            time.sleep(5)
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()


def test_compiling_for_exact():
    edges = grid(12)
    program = neumann.Program(text=PATHS).with_facts("edge", edges, probability=[0.5] * len(edges))
    assert interrupted(lambda: program.reasoner([], "path(n0_0,n11_11)", "exact", time_limit=float("inf"))) < 5


def test_grounding():
    text = ":- type(t, 1..400). :- pred(p(t)). p(1). q(X,Y,Z) :- p(A), r(X), r(Y), r(Z). " + " ".join(
        f"r({i})." for i in range(1, 401)
    )
    program = neumann.Program(text=text)
    assert interrupted(lambda: program.reasoner([], "q(X,Y,Z)")) < 5


@pytest.fixture(scope="module")
def large():
    atoms = [f"edge({a},{b})" for a, b in grid(20)]
    return neumann.Program(text=PATHS).reasoner(atoms, "path(X,Y)", "noisy-or", threads=2)


def test_forward(large):
    x = np.full((256, len(large.input_atoms)), 0.5, np.float32)
    assert interrupted(lambda: large(x)) < 5
    assert interrupted(lambda: large(x.astype(np.float64))) < 5


def test_backward(large):
    x = np.full((4, len(large.input_atoms)), 0.5, np.float32)
    outputs, kept = large._core.forward_and_keep(x, None)
    ones = np.ones_like(outputs)
    assert interrupted(lambda: [kept.backward(ones, True, True) for _ in range(1000)], after=0.1) < 5


def test_reasoning_and_learning():
    edges = grid(6)
    program = neumann.Program(text=PATHS).with_facts("edge", edges, probability=[0.5] * len(edges))
    ask = {"queries": "path(X,Y)", "semantics": "sample", "samples": 10**9}
    assert interrupted(lambda: program.reason(**ask)) < 5
    learned = neumann.Program(text=PATHS + " ".join(f"t(0.5)::edge({a},{b})." for a, b in edges))
    observed = [{f"path({a},n5_5)": 1} for a, _ in edges]
    assert interrupted(lambda: neumann.learn(learned, observed, goal="probabilities", iterations=10**6)) < 5


def test_a_handler_that_raises_nothing():
    """The work is done again."""
    program = neumann.Program(text=PATHS)
    atoms = [f"edge({a},{b})" for a, b in grid(12)]
    reasoner = program.reasoner(atoms, "path(X,n0_0)", "noisy-or", steps=3000)
    x = np.full((16, len(atoms)), 0.5, np.float32)
    expected = reasoner(x)
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        while not heard:
            found = reasoner(x)
            np.testing.assert_array_equal(found, expected)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_handlers_are_as_before():
    handler = signal.getsignal(signal.SIGINT)
    neumann.Program(text="0.5::a. b :- a.").reasoner([], "b", "exact")(np.zeros((1, 0), np.float32))
    assert signal.getsignal(signal.SIGINT) is handler
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
