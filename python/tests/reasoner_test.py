"""Arrays in, arrays out: the contract, its refusals, threads, memory."""

import pickle
import threading

import neumann
import numpy as np
import pytest


def rows(*values, dtype=np.float32):
    return np.array(values, dtype=dtype)


def test_names_and_values(wet):
    reasoner = wet.reasoner(
        inputs=["rain", "sprinkler", "frost"], outputs=["wet", "slippery", "rain"], semantics="noisy-or"
    )
    assert reasoner.input_atoms == ["rain", "sprinkler", "frost"]
    assert reasoner.output_atoms == ["wet", "slippery", "rain"]
    assert reasoner.clauses[0] == "0.6::wet :- rain." and reasoner.weights.tolist() == [0.6, 0.7, 0.8]
    for dtype in (np.float32, np.float64):
        out = reasoner(rows([1, 0.5, 1], [0, 0, 0.25], dtype=dtype))
        assert out.dtype == dtype
        np.testing.assert_allclose(out, [[0.74, 0.592, 1], [0, 0, 0]], rtol=1e-6)


def test_patterns_stand_for_typed_instances(digits):
    reasoner = digits.reasoner(inputs="digit/2", outputs=["sum(S)"], semantics="exact")
    assert reasoner.input_atoms == [f"digit({i},{d})" for i in "ab" for d in range(4)]
    assert reasoner.output_atoms == [f"sum({s})" for s in range(7)]
    assert digits.reasoner(outputs="sum(S)").input_atoms == reasoner.input_atoms  # the neural predicates


def test_an_input_that_nothing_needs_has_a_column(digits):
    reasoner = digits.reasoner(inputs=["digit(a,D)", "digit(b,D)"], outputs=["sum(0)", "sum(6)"])
    assert len(reasoner.input_atoms) == 8
    x = np.full((1, 8), 0.25)
    found = reasoner.gradients(x)
    assert found.inputs[0, 1] == 0 and found.inputs[0, 0] > 0


def test_an_output_that_cannot_be_derived_is_zero():
    program = neumann.Program(text=":- type(n, 0..3). :- neural(p(n)). :- pred(q(n)). q(X) :- p(X), X < 2.")
    reasoner = program.reasoner(inputs="p(X)", outputs=["q(3)", "q(1)"])
    assert reasoner.output_atoms == ["q(3)", "q(1)"]
    assert reasoner(np.ones((2, 4), np.float32)).tolist() == [[0, 1], [0, 1]]
    assert reasoner.gradients(np.ones((1, 4))).inputs[0].tolist() == [0, 1, 0, 0]


def test_groups_by_name(digits):
    reasoner = digits.reasoner(
        inputs={"left": "digit(a,D)", "right": ["digit(b,D)"]}, outputs="sum(S)", semantics="exact"
    )
    assert reasoner.groups == {"left": 4, "right": 4}
    one = np.eye(4, dtype=np.float32)
    out = reasoner(left=one, right=one)
    assert out.argmax(axis=1).tolist() == [0, 2, 4, 6]
    with pytest.raises(TypeError, match="'middle'.*left, right"):
        reasoner(left=one, middle=one)
    with pytest.raises(TypeError, match="'right' is missing"):
        reasoner(left=one)
    with pytest.raises(ValueError, match=r"right: .*\[4, 4\].*not \[3, 4\]"):
        reasoner(left=one, right=one[:3])


def test_gradients_are_those_of_the_formula(wet):
    reasoner = wet.reasoner(inputs=["rain", "sprinkler", "frost"], outputs="slippery", semantics="noisy-or")
    x = rows([0.5, 0.25, 0.75], [0.1, 0.9, 0.3], dtype=np.float64)
    found = reasoner.gradients(x, np.array([[1.0], [2.0]]))
    step = 1e-6
    for k in range(3):
        moved = x.copy()
        moved[:, k] += step
        np.testing.assert_allclose((reasoner(moved) - reasoner(x))[:, 0] / step * [1, 2], found.inputs[:, k], rtol=1e-4)
    for c in range(3):
        weights = reasoner.weights
        weights[c] += step
        slope = ((reasoner(x, weights=weights) - reasoner(x))[:, 0] / step * [1, 2]).sum()
        assert slope == pytest.approx(found.weights[c], rel=1e-4)


def test_weights_may_be_set(wet):
    reasoner = wet.reasoner(inputs=["rain"], outputs="wet", semantics="noisy-or")
    reasoner.weights = [0.5, 1, 1]
    assert reasoner(rows([1]))[0, 0] == 0.5
    assert reasoner(rows([1]), weights=[0.25, 1, 1])[0, 0] == 0.25
    with pytest.raises(ValueError, match="weights: .*3 clauses.*2"):
        reasoner.weights = [1, 1]
    with pytest.raises(ValueError, match="weights: .*1.5.*wet :- rain"):
        reasoner.weights = [1.5, 1, 1]


@pytest.mark.parametrize(
    "x, error, says",
    [
        (rows([1, 0]), ValueError, r"x: .*\[B, 3\].*not \[1, 2\]"),
        (rows(1, 0, 1), ValueError, r"x: .*not \[3\]"),
        (np.zeros((2, 3), np.int64), TypeError, "x: expected float32 or float64, not int64"),
        (np.zeros((2, 3), np.float16), TypeError, "x: .*float16"),
        (rows([1, float("nan"), 0]), ValueError, "x: the value nan of sprinkler in row 0"),
        (rows([1, 0, 0], [0, 0, 1.5]), ValueError, "x: the value 1.5 of frost in row 1"),
        (rows([-0.25, 0, 0], dtype=np.float64), ValueError, "x: the value -0.25 of rain in row 0"),
        (rows([0, 1.0000000001, 0], dtype=np.float64), ValueError, "x: the value 1.0000000001 of sprinkler"),
        ("rain", TypeError, "x: expected an array .* not str"),
        (None, TypeError, "expected an array of inputs"),
    ],
)
def test_wrong_inputs_are_refused_by_name(wet, x, error, says):
    reasoner = wet.reasoner(inputs=["rain", "sprinkler", "frost"], outputs="wet")
    for call in (reasoner, reasoner.gradients):
        with pytest.raises(error, match=says):
            call(x)


def test_wrong_calls_are_refused_by_name(wet, digits):
    with pytest.raises(neumann.Error, match="rian"):
        wet.reasoner(inputs=["rian"], outputs="wet")
    with pytest.raises(neumann.Error, match="wett"):
        wet.reasoner(inputs=["rain"], outputs="wett")
    with pytest.raises(neumann.Error, match="unknown constant"):
        digits.reasoner(inputs=["digit(c,D)"], outputs="sum(S)")
    with pytest.raises(ValueError, match="inputs: rain is there twice"):
        wet.reasoner(inputs=["rain", "rain"], outputs="wet")
    with pytest.raises(neumann.Error, match="expected cpu, cuda or auto, not 'gpu'"):
        wet.reasoner(inputs=["rain"], outputs="wet", device="gpu")
    with pytest.raises(ValueError, match="semantics 'softer'.*softor"):
        wet.reasoner(inputs=["rain"], outputs="wet", semantics="softer")
    with pytest.raises(TypeError, match="no option 'gama'; did you mean 'gamma'"):
        wet.reasoner(inputs=["rain"], outputs="wet", gama=0.1)
    with pytest.raises(ValueError, match="paper.* number of steps"):
        wet.reasoner(inputs=["rain"], outputs="wet", semantics="paper")
    reasoner = wet.reasoner(inputs=["rain"], outputs="wet")
    with pytest.raises(ValueError, match=r"by_output: .*\[1, 1\].*not \[1, 2\]"):
        reasoner.gradients(rows([1]), rows([1, 1]))
    with pytest.raises(ValueError, match="by_output: .*finite"):
        reasoner.gradients(rows([1]), rows([float("inf")]))
    with pytest.raises(ValueError, match="no gradients"):
        wet.reasoner(inputs=["rain"], outputs="wet", semantics="sample").gradients(rows([1]))


def test_arrays_of_others_come_by_dlpack_without_a_copy():
    torch = pytest.importorskip("torch")
    from neumann._arrays import as_array

    tensor = torch.rand(4, 3)
    array = as_array("x", tensor)
    assert array.ctypes.data == tensor.data_ptr()
    assert as_array("x", array) is array
    assert torch.from_dlpack(array.copy()).shape == (4, 3)  # and go by it
    with pytest.raises(ValueError, match="x: .*requires gradients"):
        as_array("x", torch.rand(2, 2, requires_grad=True))


def test_rows_need_not_lie_one_after_the_other(wet):
    reasoner = wet.reasoner(inputs=["rain", "sprinkler", "frost"], outputs="wet")
    x = np.asfortranarray(np.random.default_rng(1).random((5, 3), np.float32))
    assert (reasoner(x) == reasoner(np.ascontiguousarray(x))).all()
    assert reasoner(np.zeros((0, 3), np.float32)).shape == (0, 1)
    assert reasoner.gradients(np.zeros((0, 3), np.float32)).weights.tolist() == [0, 0, 0]


def test_many_threads_use_one_reasoner(digits):
    reasoner = digits.reasoner(outputs="sum(S)", semantics="noisy-or", threads=1)
    random = np.random.default_rng(1)
    batches = [random.random((17, 8), np.float32) for _ in range(8)]
    expected = [reasoner.gradients(x) for x in batches]
    wrong = []

    def work(i):
        for _ in range(20):
            found = reasoner.gradients(batches[i])
            if not all((a == b).all() for a, b in zip(found, expected[i])):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []


def test_others_run_while_it_computes(digits):
    reasoner = digits.reasoner(outputs="sum(S)", semantics="noisy-or", threads=1)
    x = np.random.default_rng(1).random((100_000, 8), np.float32)
    done, count = False, 0

    def work():
        reasoner(x)
        nonlocal done
        done = True

    thread = threading.Thread(target=work)
    thread.start()
    while not done:
        count += 1
    thread.join()
    assert count > 1000


def test_reasoners_travel_to_other_processes(digits):
    reasoner = digits.reasoner(inputs="digit/2", outputs="sum(S)", semantics="exact")
    reasoner.weights = [1.0]
    again = pickle.loads(pickle.dumps(reasoner))
    x = np.full((1, 8), 0.25, np.float32)
    assert (again(x) == reasoner(x)).all() and again.output_atoms == reasoner.output_atoms


def test_columns_are_found_by_value(digits):
    reasoner = digits.reasoner(inputs=["digit(a,D)", "digit(b,D)"], outputs="sum(S)", semantics="exact")
    assert reasoner.output_values == list(range(7))
    assert reasoner.index("sum", 5) == reasoner.index("sum(5)") == reasoner.output_atoms.index("sum(5)")
    assert reasoner.index("sum", np.int64(5)) == 5
    assert reasoner.input_atoms[reasoner.input_index("digit", "b", 3)] == "digit(b,3)"
    with pytest.raises(KeyError, match=r"99.*the 7 of 'sum'"):
        reasoner.index("sum", 99)
    with pytest.raises(KeyError, match="did you mean 'sum'"):
        reasoner.index("sun", 7)


def test_topk_counts_k_proofs():
    program = neumann.Program(text=":- neural(a). :- neural(b). c :- a. c :- b.")
    x = np.array([[0.5, 0.25]])
    reason = {k: program.reasoner(["a", "b"], "c", semantics="topk", k=k)(x)[0, 0] for k in (1, 2)}
    assert reason[1] == pytest.approx(0.5) and reason[2] == pytest.approx(1 - 0.5 * 0.75)
    assert program.reason({"a": 0.5, "b": 0.25}, queries="c", semantics="topk", k=1)[0]["c"] == pytest.approx(0.5)


def test_every_semantics_has_its_type():
    from typing import get_args

    from neumann._options import Semantics

    assert set(get_args(Semantics)) == {one["name"] for one in neumann.semantics()}


def test_clauses_are_chosen_by_name(wet):
    reasoner = wet.reasoner(outputs=["wet", "slippery"], varying="wet")
    assert reasoner.clause_numbers(True) == list(range(len(reasoner.clauses)))
    assert reasoner.clause_numbers("wet/0") == reasoner.clause_numbers("wet")
    assert reasoner.clause_numbers(reasoner.clauses[0]) == [0]
    with pytest.raises(ValueError, match="no clause has the head 'wett'; did you mean 'wet/0'"):
        reasoner.clause_numbers("wett")
    with pytest.raises(ValueError, match="no clause -1"):
        reasoner.clause_numbers([-1])
    with pytest.raises(TypeError, match="not float"):
        reasoner.clause_numbers([0.5])


def test_gradients_by_weights_are_slopes():
    program = neumann.Program(text=":- neural(a). :- neural(b). 0.5::c :- a. 0.25::c :- b.")
    x, step = np.array([[0.5, 0.25], [0.125, 0.75]]), 1e-6
    for semantics in ("exact", "noisy-or", "topk"):
        reasoner = program.reasoner(["a", "b"], "c", semantics)
        found = reasoner.gradients(x).weights
        for clause in range(2):
            moved = [reasoner(x, weights=reasoner.weights + sign * step * np.eye(2)[clause]).sum() for sign in (1, -1)]
            assert found[clause] == pytest.approx((moved[0] - moved[1]) / (2 * step), abs=1e-5)


PATHS = ":- pred(edge(node, node)). path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z)."
EDGES = ["edge(0,1)", "edge(1,2)", "edge(0,2)", "edge(2,3)"]


def test_listed_atoms_open_no_types():
    reasoner = neumann.Program(text=PATHS).reasoner(EDGES, ["path(0,X)"], "exact")
    assert reasoner.output_atoms == ["path(0,1)", "path(0,2)", "path(0,3)"]
    whole = neumann.Program(text=PATHS + ":- type(node, 0..3).").reasoner("edge(X,Y)", ["path(0,X)"], "exact")
    rng = np.random.default_rng(7)
    for _ in range(20):
        x = rng.random((2, len(EDGES)))
        full = np.zeros((2, len(whole.input_atoms)))
        full[:, [whole.input_atoms.index(one) for one in EDGES]] = x
        expected = whole(full)[:, [whole.output_atoms.index(one) for one in reasoner.output_atoms]]
        np.testing.assert_allclose(reasoner(x), expected, atol=1e-12)


def test_a_listed_atom_may_be_a_fact_or_unneeded():
    program = neumann.Program(text=PATHS + "0.5::edge(0,1). edge(1,2). 0.25::edge(7,8).")
    reasoner = program.reasoner(["edge(0,1)", "edge(1,2)", "edge(8,9)"], "path(0,2)", "exact")
    assert reasoner(np.array([[0.5, 0.5, 1.0], [1.0, 1.0, 0.0]])).tolist() == [[0.25], [1.0]]


def test_many_listed_atoms_are_no_cross_product():
    edges = [f"edge(e{i},e{i // 2})" for i in range(1, 400)]
    reasoner = neumann.Program(text=PATHS).reasoner(edges, ["path(e399,X)"], "noisy-or")
    assert len(reasoner.output_atoms) == 9
    assert reasoner(np.full((1, len(edges)), 0.9)).max() == pytest.approx(0.9)


def test_a_saved_graph_knows_its_listed_atoms(tmp_path):
    listed = [*EDGES, "edge(8,9)"]  # nothing asked depends on the last one
    saved = neumann.Program(text=PATHS).save(tmp_path / "paths.nmg", "path(0,3)", listed)
    x = np.array([[0.5, 0.5, 0.5, 1.0, 1.0]])
    expected = neumann.Program(text=PATHS).reasoner(listed, "path(0,3)", "exact")(x)
    assert saved.reasoner(listed, "path(0,3)", "exact")(x) == expected
    with pytest.raises(ValueError, match=r"as if edge\(3,0\) had no values of its own"):
        saved.reasoner(["edge(3,0)"], "path(0,3)", "exact")


def test_sparse_inputs_are_dense_ones_with_zeros():
    reasoner = neumann.Program(text=PATHS + "0.5::edge(0,1).").reasoner(EDGES, ["path(0,X)"], "exact")
    rows = [{"edge(0,1)": 0.5, "edge(1,2)": 0.25}, {}, {("edge", 0, 2): 0.75, "edge(2,3)": 1}]
    dense = np.array([[0.5, 0.25, 0, 0], [0, 0, 0, 0], [0, 0, 0.75, 1]])
    np.testing.assert_array_equal(reasoner(rows), reasoner(dense))
    expected, found = reasoner.gradients(dense), reasoner.gradients(rows)
    np.testing.assert_array_equal(found.inputs, expected.inputs[[0, 0, 2, 2], [0, 1, 2, 3]])
    scipy = pytest.importorskip("scipy.sparse")
    np.testing.assert_array_equal(reasoner(scipy.csr_matrix(dense)), reasoner(dense))
    with pytest.raises(KeyError, match=r"edge\(0,9\) is none of the 4 inputs"):
        reasoner([{"edge(0,9)": 1}])
    with pytest.raises(ValueError, match="not in"):
        reasoner([{"edge(0,1)": 1.5}])


def test_circuits_are_saved_and_pickled(tmp_path):
    program = neumann.Program(text=PATHS)
    reasoner = program.reasoner(EDGES, "path(0,3)", "exact")
    x = np.array([[0.5, 0.25, 0.125, 0.75]])
    copy = pickle.loads(pickle.dumps(reasoner))
    assert copy(x) == reasoner(x) and copy.program.text == program.text
    assert pickle.loads(pickle.dumps(copy))(x) == reasoner(x)
    plain, circuit = tmp_path / "plain.nmg", tmp_path / "circuit.nmg"
    program.save(plain, "path(0,3)", EDGES)
    saved = program.save(circuit, "path(0,3)", EDGES, semantics="exact")
    assert circuit.stat().st_size > plain.stat().st_size
    assert saved.reasoner(EDGES, "path(0,3)", "exact")(x) == reasoner(x)


def test_exact_has_a_time_limit():
    side = range(9)
    edges = [f"edge({x * 9 + y},{a * 9 + b})" for x in side for y in side for a, b in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if a in side and b in side]
    with pytest.raises(neumann.Error, match="time_limit="):
        neumann.Program(text=PATHS).reasoner(edges, "path(0,80)", "exact", time_limit=0.3)


def test_atoms_that_exclude_each_other_are_found():
    program = neumann.Program(text=":- type(i,[a,b]). :- type(d,0..1). :- neural(digit(i,d)). :- exclusive(digit/2, 2). :- neural(on(i)). s :- digit(a,X), digit(b,X), on(a).")
    reasoner = program.reasoner(["digit(a,D)", "digit(b,D)", "on(a)"], "s", "exact")
    assert reasoner.exclusive_groups.tolist() == [0, 0, 1, 1, 2]
