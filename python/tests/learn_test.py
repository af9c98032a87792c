"""Learning: goals, formats, results, callbacks, Ctrl-C."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import neumann
import pytest

PROGRAM = """
:- type(picture, [img]).  :- type(object, [o1, o2]).  :- type(color, [red, blue]).  :- type(shape, [circle, square]).
:- pred(in(object, picture)).  :- neural(color(object, color)).  :- neural(shape(object, shape)).  :- pred(good(picture)).
in(o1, img).  in(o2, img).
:- modeb(1, in(-object, +picture)).  :- modeb(1, color(+object, #color)).  :- modeb(1, shape(+object, #shape)).
:- learn(good/1, 1).  :- label(good(img)).
"""


def pictures():
    examples = []
    for code in range(16):
        red, circle = [code & 1, code & 2], [code & 4, code & 8]
        atoms = {}
        for i, name in enumerate(("o1", "o2")):
            atoms[f"color({name},{'red' if red[i] else 'blue'})"] = 1
            atoms[f"shape({name},{'circle' if circle[i] else 'square'})"] = 1
        examples.append({"atoms": atoms, "label": int(any(r and c for r, c in zip(red, circle)))})
    return examples


def test_a_rule_is_learned_and_told_about():
    events = []
    result = neumann.learn(
        neumann.Program(text=PROGRAM),
        pictures(),
        algorithm="gradient",
        progress=lambda event, details: events.append((event, details)),
    )
    assert result.train_accuracy == 1 and result.wrong_labels == 0 and len(result.clauses) == 1
    assert {"color(", "shape("} <= {result.clauses[0].text[i : i + 6] for i in range(len(result.clauses[0].text))}
    assert any(event == "round" and details["clauses"] > 0 for event, details in events)
    learned = neumann.Program(text=result.program)
    assert [int(one["good(img)"] > 0.5) for one in learned.reason(pictures(), queries="good(img)")] == [
        one["label"] for one in pictures()
    ]
    assert result.to_svg("rounds").startswith("<svg")


def test_the_search_finds_the_same():
    events = []
    result = neumann.learn(
        neumann.Program(text=PROGRAM), pictures(), progress=lambda event, details: events.append((event, details["text"]))
    )
    assert result.train_accuracy == 1 and len(result.clauses) == 1
    assert any(event == "note" and text.startswith("search: 0 wrong of 16") for event, text in events)
    with pytest.raises(ValueError, match="algorithm: 'guess'"):
        neumann.learn(neumann.Program(text=PROGRAM), pictures(), algorithm="guess")


def test_weights_have_the_least_loss():
    program = neumann.Program(text=":- neural(q(thing)). :- type(thing, [a]).\n0.5::r(a).\nt(0.3)::p(X) :- q(X).")
    train = [{"atoms": {"q(a)": 1}, "targets": {"p(a)": int(i > 0)}} for i in range(10)]
    events = []
    result = neumann.learn(program, train, goal="weights", progress=lambda event, details: events.append(event))
    [clause] = result.clauses
    assert (clause.text, clause.predicate, clause.line, clause.start) == ("p(X) :- q(X)", "p/1", 3, 0.3)
    assert clause.weight == pytest.approx(0.9, abs=1e-3)
    assert result.train_loss == pytest.approx(0.3251, abs=1e-3) and result.log_likelihood is None
    assert "iteration" in events and repr(result).splitlines() == ["<neumann.LearnResult: 1 clause>", repr(clause)]
    squared = neumann.learn(program, train, goal="weights", loss="squared", rate=0.2)
    assert squared.clauses[0].weight == pytest.approx(0.9, abs=1e-3)


def test_probabilities_are_the_most_likely():
    program = neumann.Program(text="t(_)::burglary.\nt(_)::alarm :- burglary.")
    observed = [{"burglary": 1, "alarm": 1}, {"burglary": 0}, {"burglary": 1, "alarm": 0}, {"alarm": 0, "burglary": 0}]
    for how in ({}, {"method": "gradient"}):
        result = neumann.learn(program, observed, goal="probabilities", **how)
        assert [clause.weight for clause in result.clauses] == pytest.approx([0.5, 0.5], abs=5e-3)
        assert result.log_likelihood == pytest.approx(-4.1589, abs=1e-3)
    assert neumann.Program(text=result.program).reason(queries="burglary", semantics="exact")[0][
        "burglary"
    ] == pytest.approx(0.5, abs=5e-3)


FERRIES = pathlib.Path(__file__).parents[2] / "examples" / "popper" / "ferries"


def test_a_task_of_popper():
    result = neumann.learn(FERRIES, test=FERRIES / "test.pl", format="popper")
    assert [clause.text for clause in result.clauses] == [
        "reach(X,Y) :- link(X,Y).",
        "reach(X,Y) :- link(X,H1), reach(H1,Y).",
    ]
    assert result.right and result.test_accuracy == 1 and result.algorithm == "search" and not result.shortest
    assert neumann.Program(text=result.program).reason(queries="reach(hoy,X)") == [{"reach(hoy,iona)": 1}]


def test_wrong_goals_and_formats():
    program = neumann.Program(text=PROGRAM)
    with pytest.raises(ValueError, match="goal: 'rules' is none of clauses, weights, probabilities"):
        neumann.learn(program, pictures(), goal="rules")
    with pytest.raises(ValueError, match="format: 'metagol' is none of program, popper, aleph"):
        neumann.learn(FERRIES, format="metagol")
    with pytest.raises(TypeError, match="format='popper' takes a path"):
        neumann.learn(program, format="popper")
    with pytest.raises(neumann.Error, match="no probability to learn"):
        neumann.learn(program, pictures(), goal="probabilities")
    with pytest.raises(neumann.Error):
        neumann.learn(program)


def test_what_a_callback_raises_comes_out():
    def refuse(event, details):
        raise LookupError(event)

    with pytest.raises(LookupError):
        neumann.learn(neumann.Program(text=PROGRAM), pictures(), progress=refuse)


def test_wrong_options_and_examples():
    program = neumann.Program(text=PROGRAM)
    with pytest.raises(TypeError, match="no option 'epoch'"):
        neumann.learn(program, pictures(), epoch=3)
    with pytest.raises(neumann.Error, match="train.jsonl:1"):
        neumann.learn(program, [{"atoms": {"colour(o1,red)": 1}, "label": 1}])
    with pytest.raises(ValueError, match="folder of pictures"):
        neumann.learn(program, os.path.dirname(__file__))


def test_ctrl_c_gives_the_best_so_far():
    code = """
    import os, signal, sys
    sys.path.insert(0, os.path.dirname(sys.argv[1]))
    import neumann, learn_test
    def told(event, details):
        if event == "round":
            os.kill(os.getpid(), signal.SIGINT)
    try:
        neumann.learn(neumann.Program(text=learn_test.PROGRAM), learn_test.pictures() * 50, progress=told, trials=200, epochs=100000, algorithm="gradient")
    except neumann.Interrupted as stopped:
        print("stopped", len(stopped.result.clauses), stopped.result.interrupted)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), __file__], capture_output=True, text=True, timeout=120
    )
    assert run.stdout.startswith("stopped"), run.stderr
    assert signal.SIGINT  # whoever stops by another signal ends the process, as always
