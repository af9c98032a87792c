"""Programs: reading, asking, explaining, facts of one's own, pictures, saving."""

import pickle
import subprocess
import sys

import neumann
import numpy as np
import pytest


def test_mistakes_have_places_and_advice():
    with pytest.raises(neumann.Error) as caught:
        neumann.Program(text="color(a,red).\nbad(X) :- colr(X,red).", name="mine.nm")
    [wrong] = [one for one in caught.value.diagnostics if one.severity == "error"]
    assert (wrong.file, wrong.line, wrong.column, wrong.end_column) == ("mine.nm", 2, 11, 14)
    assert "colr/2" in wrong.message and "color/2" in wrong.advice
    assert "mine.nm:2:11-14: error:" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics == caught.value.diagnostics


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(neumann.Error, match="nowhere.nm"):
        neumann.Program(tmp_path / "nowhere.nm")
    with pytest.raises(TypeError, match="either a path or a text"):
        neumann.Program()
    with pytest.raises(TypeError, match="no option 'colour'"):
        neumann.Program(text="a.", colour=True)
    with pytest.raises(TypeError, match="no option 'termdepth'; did you mean 'term_depth'"):
        neumann.Program(text="a.", termdepth=3)


def test_reason_takes_dictionaries_files_and_arrays(wet, tmp_path):
    examples = [{"rain": 0.5, "frost": np.float32(1)}, {"atoms": {"rain": 1}, "id": "second"}]
    answers = wet.reason(examples, queries=["wet", "slippery"], semantics="noisy-or")
    assert [one.id for one in answers] == [1, "second"]
    assert answers[0]["wet"] == pytest.approx(0.3) and answers[1]["slippery"] == 0
    path = tmp_path / "examples.jsonl"
    path.write_text('{"atoms": {"rain": 0.5}}\n')
    assert wet.reason(path, queries="wet", semantics="noisy-or")[0]["wet"] == pytest.approx(0.3)
    assert wet.reason({"rain": 1}, queries="wet", history=True)[0].history.shape[1] == 1


def test_wrong_examples_are_named(wet):
    with pytest.raises(neumann.Error, match="examples:2.*rian"):
        wet.reason([{"rain": 1}, {"rian": 1}])
    with pytest.raises(neumann.Error, match="examples:1"):
        wet.reason([{"rain": 1.5}])
    with pytest.raises(neumann.Error, match="NaN"):
        wet.reason([{"rain": float("nan")}])
    with pytest.raises(TypeError, match="example 0"):
        wet.reason([3])


def test_ctrl_c_ends_long_reasoning():
    code = """
import neumann, os, signal, threading
program = neumann.Program(text=":- neural(a). b :- a. :- query(b).")
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(1000):
        program.reason([{"a": 0.5}] * 50_000)
except KeyboardInterrupt:
    print("stopped")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.stdout == "stopped\n", run.stderr


def test_explanations(wet):
    explanation = wet.explain("slippery", {"rain": 1, "frost": 1}, semantics="noisy-or")
    assert explanation.value == pytest.approx(0.48)
    assert explanation.text.startswith("slippery")
    assert explanation._repr_html_().startswith("<svg") and "<html" in explanation.to_html()
    assert explanation.data["atom"] == "slippery" and "digraph" in explanation.to_dot()
    not_so = wet.explain("slippery", {"rain": 1})
    assert not not_so.holds and "frost" in not_so.text
    with pytest.raises(neumann.Error, match="slipery"):
        wet.explain("slipery")


def test_facts_from_frames_arrays_and_rows():
    pandas = pytest.importorskip("pandas")
    program = neumann.Program(
        text="path(X,Y) :- edge(X,Y).\npath(X,Z) :- edge(X,Y), path(Y,Z).\n:- pred(edge(node, node))."
    )
    frame = pandas.DataFrame({"from": ["a b", "it's"], "to": ["it's", "c"], "p": [0.5, 1.0]})
    answer = program.with_facts("edge", frame, probability="p").reason(queries="path(X,Y)", semantics="exact")[0]
    assert answer == {"path('a b','it''s')": 0.5, "path('it''s',c)": 1, "path('a b',c)": 0.5}
    numbers = program.with_facts("edge", np.array([[1, 2], [2, 3]]))
    assert numbers.reason(queries="path(1,X)")[0] == {"path(1,2)": 1, "path(1,3)": 1}
    assert numbers.with_facts("edge/2", [(3, 4)]).reason(queries="path(1,4)")[0] == {"path(1,4)": 1}
    assert pickle.loads(pickle.dumps(numbers)).reason(queries="path(1,3)")[0]["path(1,3)"] == 1
    assert "fact edge.csv:1" in numbers.explain("path(1,2)").text
    with pytest.raises(ValueError, match="2 numbers given for 1 rows"):
        program.with_facts("edge", [("a", "b")], probability=[0.5, 0.5])
    with pytest.raises(ValueError, match="row 1 has 3 values"):
        program.with_facts("edge", [("a", "b"), ("a", "b", "c")])
    with pytest.raises(ValueError, match="0.25"):
        program.with_facts("edge", np.array([[0.25, 1]]))
    with pytest.raises(ValueError, match="'q'"):
        program.with_facts("edge", frame, probability="q")


def test_saved_graphs_are_all_that_others_need(wet, tmp_path):
    saved = wet.save(tmp_path / "wet.nmg", outputs=["slippery"])
    there = pickle.loads(pickle.dumps(saved))
    asked = [{"rain": 1, "frost": 1}]
    assert there.reason(asked, semantics="noisy-or") == wet.reason(asked, queries="slippery", semantics="noisy-or")
    reasoner = saved.reasoner(inputs=["rain", "frost"], semantics="noisy-or")
    assert reasoner(np.ones((1, 2), np.float32))[0, 0] == pytest.approx(0.48)
    with pytest.raises(ValueError, match="inputs: .* slippery had no values of its own"):
        wet.save(tmp_path / "less.nmg", outputs=["wet"]).reasoner(inputs=["slippery"])
    with pytest.raises(ValueError, match="saved graph"):
        saved.with_facts("rain", [()])


def test_graphs_are_pictures(wet):
    from xml.dom import minidom

    graph = wet.graph(outputs=["slippery"])
    assert len(graph.atoms) == 5 and len(graph.conjunctions) == 3
    assert len(minidom.parseString(graph.to_svg()).getElementsByTagName("rect")) == 5
    assert "slippery" in graph._repr_html_() and "digraph" in graph.to_dot()
    many = neumann.Program(
        text=":- type(n, 0..30). :- pred(p(n,n)). p(X,Y) :- q(X), q(Y). :- pred(q(n)). "
        + " ".join(f"q({i})." for i in range(31))
    )
    assert "150 of" in many.graph().to_svg()
    negated = neumann.Program(text="0.5::rain. dry :- \\+ rain.").graph()
    assert "stroke-dasharray" in negated.to_svg()


def test_data_sets():
    data = neumann.datasets.kandinsky("red-triangle", count=6, images=True, width=32, height=32)
    assert data.x.shape[0] == len(data) == 6 and data.images.shape == (6, 32, 32, 3)
    answers = data.program.reason(data.examples)
    assert [int(max(one.values()) > 0.5) for one in answers] == data.y.tolist()
    sums = neumann.datasets.digit_sums(5)
    assert sums.x.shape == (5, 2, 28, 28) and (sums.y <= 18).all()
    again = neumann.datasets.digit_sums(5)
    assert (again.x == sums.x).all()


def test_pictures_come_from_the_command(tmp_path, monkeypatch):
    fake = tmp_path / "neumann"
    fake.write_text("#!/bin/sh\necho '{\"objects\": []}'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("NEUMANN_COMMAND", str(fake))
    assert neumann.perceive(np.zeros((4, 4, 3), np.uint8)) == [{"objects": []}]
    fake.write_text("#!/bin/sh\necho 'error: no networks' >&2\nexit 2\n")
    with pytest.raises(neumann.Error, match="no networks"):
        neumann.perceive([tmp_path / "a.png"])
    with pytest.raises(ValueError, match="uint8"):
        neumann.perceive(np.zeros((4, 4, 3)))


def test_frames_of_polars_and_arrow_tables():
    program = neumann.Program(text=":- pred(road(town, town)). way(X,Y) :- road(X,Y). way(X,Z) :- road(X,Y), way(Y,Z).")
    data = {"from": ["ulm", "bonn"], "to": ["bonn", "kiel"], "p": [0.5, 0.5]}
    frames = []
    for module, make in (("polars", lambda m: m.DataFrame(data)), ("pyarrow", lambda m: m.table(data))):
        try:
            frames.append(make(__import__(module)))
        except ImportError:
            pass
    if not frames:
        pytest.skip("neither Polars nor PyArrow is there")
    for frame in frames:
        roads = program.with_facts("road", frame, probability="p")
        assert roads.reason(queries="way(ulm,kiel)", semantics="exact") == [{"way(ulm,kiel)": 0.25}]


def test_facts_of_a_misspelt_predicate_are_refused():
    program = neumann.Program(text=":- pred(road(town, town)). way(X,Y) :- road(X,Y).")
    with pytest.raises(ValueError, match="does not use raod/2; did you mean 'road/2'"):
        program.with_facts("raod", [("ulm", "bonn")])


CITIES = """
:- type(city, [ulm, bonn, kiel]).  :- pred(distance(city, city, number)).  :- pred(far(city)).
near(X, Y) :- distance(X, Y, D), D < 500.
trip(X) :- far(X).
"""


def test_predicates_of_python():
    program = neumann.Program(text=CITIES)
    place = {"ulm": (0, 0), "bonn": (0, 400), "kiel": (100, 900)}
    calls = []

    @program.predicate("distance(+city, +city, -number)")
    def distance(a, b):
        calls.append(len(a))
        found = [np.hypot(*np.subtract(place[x], place[y])) for x, y in zip(a, b)]
        return np.where(a == b, np.nan, found)

    assert calls == [9]
    expected = {"near(ulm,bonn)": 1, "near(bonn,ulm)": 1}
    assert program.reason(queries="near(X,Y)")[0] == expected and calls == [9]
    assert pickle.loads(pickle.dumps(program)).reason(queries="near(X,Y)")[0] == expected

    @program.predicate("far(+city)")
    def far(city):
        return city == "kiel"

    assert program.reason(queries="trip(X)")[0] == {"trip(kiel)": 1}
    with pytest.raises(ValueError, match="such as 'distance"):
        program.predicate("far")
    with pytest.raises(ValueError, match=r"far\(\+city\): the function short has to return an array of bool of 3 values, not \[2\]"):
        program.predicate("far(+city)")(lambda_named("short", lambda city: city[:2] == "ulm"))
    with pytest.raises(ZeroDivisionError):  # with the traceback of the function
        program.predicate("far(+city)")(lambda city: 1 / 0)
    with pytest.raises(ValueError, match="does not use 'near_by/1'|does not use near_by/1"):
        program.predicate("near_by(+city)")(lambda city: city == "ulm")


def lambda_named(name, function):
    function.__name__ = name
    return function


def test_misspelt_options_of_explanations():
    with pytest.raises(TypeError, match="no option 'tresholds'; did you mean 'threshold'"):
        neumann.Program(text="a.").explain("a", tresholds=0.5)
