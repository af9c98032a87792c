"""The layer: gradients of every semantics, groups, learned weights, refusals."""

import copy
import io

import neumann
import pytest

torch = pytest.importorskip("torch")

SEMANTICS = [one["name"] for one in neumann.semantics() if one["has_gradients"]]
PROGRAM = """
:- neural(rain).  :- neural(sprinkler).  :- neural(frost).
0.3::wet :- rain, sprinkler.
0.4::wet :- sprinkler.
0.6::slippery :- wet, frost.
"""


def make(semantics="noisy-or", **options):
    if semantics in ("paper", "alpha-ilp"):
        options.setdefault("steps", 3)
    return neumann.torch.Reasoner(
        neumann.Program(text=PROGRAM),
        inputs=["rain", "sprinkler", "frost"],
        outputs=["wet", "slippery"],
        semantics=semantics,
        **options,
    )


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_gradcheck_by_inputs_and_weights(semantics):
    torch.manual_seed(1)
    layer = make(semantics, learn_weights=True, **({"gamma": 0.1} if semantics in ("softor", "paper") else {}))
    x = torch.rand(3, 3, dtype=torch.float64) * 0.5 + 0.25
    weights = torch.rand(3, dtype=torch.float64) * 0.5 + 0.25
    if semantics == "lukasiewicz":  # a conjunction of small values is 0 there
        x, weights = 0.9 + 0.1 * x, 0.9 + 0.1 * weights

    def reason(x, weights):
        return neumann._torch_functions.Forward.apply(layer.reasoner, x, weights)

    assert reason(x, weights).min() > 0
    assert torch.autograd.gradcheck(reason, (x.requires_grad_(), weights.requires_grad_()))


def test_single_precision_is_near_double():
    torch.manual_seed(2)
    for semantics in SEMANTICS:
        layer = make(semantics)
        x = torch.rand(20, 3)
        torch.testing.assert_close(layer(x).double(), layer(x.double()), rtol=1e-4, atol=1e-5)


def test_groups_and_a_network_before_them():
    program = neumann.Program(
        text=":- type(image, [a, b]). :- type(digit, 0..9). :- neural(digit(image, digit)). :- exclusive(digit/2, 2)."
        "sum(S) :- digit(a, X), digit(b, Y), S is X + Y."
    )
    layer = neumann.torch.Reasoner(
        program, inputs={"a": "digit(a,D)", "b": "digit(b,D)"}, outputs="sum(S)", semantics="exact"
    )
    network = torch.nn.Linear(5, 10)
    x = torch.rand(8, 5)
    sums = layer(a=network(x).softmax(1), b=network(x).softmax(1))
    torch.testing.assert_close(sums.sum(1), torch.ones(8))
    p = network(x).softmax(1)
    expected = torch.stack([sum(p[:, i] * p[:, s - i] for i in range(10) if 0 <= s - i < 10) for s in range(19)], dim=1)
    torch.testing.assert_close(sums, expected)
    gradient = torch.autograd.grad(sums[:, 7].log().sum(), network.weight, retain_graph=True)[0]
    torch.testing.assert_close(
        gradient, torch.autograd.grad(expected[:, 7].log().sum(), network.weight)[0], rtol=1e-4, atol=1e-5
    )
    with pytest.raises(ValueError, match="a group cannot be called 'self'"):
        neumann.torch.Reasoner(program, {"self": "digit(a,D)"}, "sum(S)")
    with pytest.raises(TypeError, match="'b' is missing"):
        layer(a=p)
    with pytest.raises(ValueError, match=r"b: .*\[B, 10\].*\[8, 9\]"):
        layer(a=p, b=p[:, :9])
    with pytest.raises(ValueError, match="b: 7 rows, and 'a' has 8"):
        layer(a=p, b=p[:7])
    with pytest.raises(TypeError, match="b: torch.float64"):
        layer(a=p, b=p.double())


@pytest.mark.parametrize("semantics", ["noisy-or", "exact"])
def test_weights_are_learned(semantics):
    torch.manual_seed(3)
    truth = make(semantics)
    layer = make(semantics, learn_weights=True)
    assert layer.weights.tolist() == pytest.approx([0.3, 0.4, 0.6], abs=1e-6)
    with torch.no_grad():
        layer.weight_logits.fill_(0)
    x = torch.rand(64, 3)
    target = truth(x)
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.1)
    for _ in range(300):
        optimiser.zero_grad()
        loss = ((layer(x) - target) ** 2).sum()
        loss.backward()
        optimiser.step()
    assert layer.weights.tolist() == pytest.approx([0.3, 0.4, 0.6], abs=0.02)


def test_some_weights_are_learned_and_saved():
    layer = make(learn_weights=[2])
    assert list(layer.state_dict()) == ["weight_logits"] and layer.learned == [2]
    layer(torch.rand(2, 3)).sum().backward()
    assert layer.weight_logits.grad.shape == (1,)
    with torch.no_grad():
        layer.weight_logits += 1
    file = io.BytesIO()
    torch.save(layer.state_dict(), file)
    file.seek(0)
    other = make(learn_weights=[2])
    other.load_state_dict(torch.load(file))
    assert other.weights.tolist() == layer.weights.tolist()
    again = copy.deepcopy(layer)
    x = torch.rand(2, 3)
    assert torch.equal(again(x), layer(x))
    assert list(make().state_dict()) == [] and list(make().parameters()) == []
    assert "3 clauses, noisy-or, 1 weights learned" in repr(layer)


def test_weights_of_a_group_add_up_to_one():
    program = neumann.Program(text="0.2::a; 0.3::b; 0.4::c :- d. :- neural(d). q :- a. r :- b. s :- c.")
    layer = neumann.torch.Reasoner(
        program, inputs="d", outputs=["q", "r", "s"], semantics="exact", one_of=[["a", "b", "c"]]
    )
    assert layer.weights[layer.learned].tolist() == pytest.approx([2 / 9, 3 / 9, 4 / 9])
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.3)
    for _ in range(60):
        optimiser.zero_grad()
        values = layer(torch.ones(1, 1))
        assert float(values.sum()) == pytest.approx(1, abs=1e-5)
        (-values[0, 0] - values[0, 1]).backward()
        optimiser.step()
    assert float(layer(torch.ones(1, 1))[0, 2]) < 0.05
    with pytest.raises(ValueError, match="in two groups"):
        neumann.torch.Reasoner(program, "d", "q", one_of=[["a", "b"], ["b", "c"]])


def test_weights_of_groups_have_the_right_gradients():
    torch.manual_seed(5)
    layer = make("noisy-or", learn_weights="slippery", one_of=["wet"]).double()
    x = torch.rand(3, 3, dtype=torch.float64)

    def reason(logits):
        return torch.func.functional_call(layer, {"weight_logits": logits}, (x,)) if hasattr(torch, "func") else None

    if hasattr(torch, "func"):
        logits = layer.weight_logits.detach().clone().requires_grad_()
        assert torch.autograd.gradcheck(reason, (logits,))
    assert layer.learned == [0, 1, 2] and layer.one_of == [[0, 1]]


def test_a_second_derivative_is_refused():
    layer = make()
    x = torch.rand(2, 3, requires_grad=True)
    [gradient] = torch.autograd.grad(layer(x).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="first derivatives only"):
        gradient.sum().backward()


def test_several_passes_are_under_way():
    layer = make(learn_weights=True)
    a = torch.rand(2, 3, requires_grad=True)
    b = torch.rand(5, 3, requires_grad=True)
    first, second = layer(a), layer(b)
    second.sum().backward(retain_graph=True)
    first.sum().backward()
    before = b.grad.clone()
    second.sum().backward()
    torch.testing.assert_close(b.grad, 2 * before)


def test_wrong_tensors_are_refused_by_name():
    layer = make()
    with pytest.raises(TypeError, match="x: expected float32 or float64, not torch.int64"):
        layer(torch.zeros(2, 3, dtype=torch.int64))
    with pytest.raises(TypeError, match="x: .*torch.int32"):
        layer(torch.zeros(2, 3).int())
    with pytest.raises(ValueError, match=r"x: .*\[B, 3\].*\[2, 4\]"):
        layer(torch.zeros(2, 4))
    with pytest.raises(ValueError, match="x: the value nan of frost in row 1"):
        layer(torch.tensor([[0.0, 0, 0], [0, 0, float("nan")]]))
    with pytest.raises(TypeError, match="expected a tensor, not list"):
        layer([[0.0, 0, 0]])
    with pytest.raises(neumann.Error, match="expected cpu, cuda or auto, not 'gpu'"):
        make(device="gpu")


def test_moving_to_a_device():
    layer = make(learn_weights=True).to("cpu", torch.float64)
    assert layer.weight_logits.dtype == torch.float64
    if torch.cuda.is_available():
        layer = make(learn_weights=True).to("cuda")
        x = torch.rand(4, 3, device="cuda", requires_grad=True)
        out = layer(x)
        assert out.device == x.device
        out.sum().backward()
        torch.testing.assert_close(out.cpu(), make(learn_weights=True)(x.cpu()))


def on_a_gpu(**options):
    """A layer there; skips the test where there is no GPU, or none that reasons."""
    if not torch.cuda.is_available():
        pytest.skip("PyTorch has no GPU")
    try:
        return make(device="cuda", **options).to("cuda")
    except ValueError as error:
        pytest.skip(str(error))


def test_without_a_gpu_it_says_so():
    try:
        make(device="cuda")
    except ValueError as error:
        assert "GPU" in str(error)
    x = torch.rand(2, 3)
    assert torch.equal(make(device="auto")(x), make()(x))


def test_tensors_stay_on_the_gpu():
    layer, other = on_a_gpu(learn_weights=True), make(learn_weights=True)
    for examples in (1, 5, 100):
        x = torch.rand(examples, 3)
        here, there = x.clone().requires_grad_(), x.to("cuda").requires_grad_()
        expected, found = other(here), layer(there)
        assert found.is_cuda
        torch.testing.assert_close(found.cpu(), expected, rtol=0, atol=2e-6)
        seeds = torch.rand_like(expected)
        for one in (layer, other):
            one.zero_grad()
        expected.backward(seeds)
        found.backward(seeds.to("cuda"))
        assert there.grad.is_cuda
        torch.testing.assert_close(there.grad.cpu(), here.grad, rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(layer.weight_logits.grad.cpu(), other.weight_logits.grad, rtol=1e-5, atol=1e-6)


def test_streams_of_a_gpu_are_waited_for():
    layer = on_a_gpu()
    x = torch.rand(64, 3, device="cuda")
    expected = layer(x)
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(50_000_000)
        y = x * 1
        assert torch.equal(layer(y), expected)


def test_what_is_no_probability_on_a_gpu_is_refused_by_name():
    layer = on_a_gpu()
    with pytest.raises(ValueError, match="x: the value nan of frost in row 1"):
        layer(torch.tensor([[0.0, 0, 0], [0, 0, float("nan")]], device="cuda"))
    double = torch.rand(3, 3, dtype=torch.float64, device="cuda")
    assert layer(double).dtype == torch.float64


DIGITS = """
:- type(image, [a, b]).  :- type(digit, 0..9).  :- neural(digit(image, digit)).  :- exclusive(digit/2, 2).
sum(S) :- digit(a, X), digit(b, Y), S is X + Y.
"""


def sums(**options):
    groups = {"a": "digit(a,D)", "b": "digit(b,D)"}
    return neumann.torch.Reasoner(neumann.Program(text=DIGITS), groups, "sum(S)", semantics="exact", **options)


def digits(rows=4, dtype=torch.float64):
    torch.manual_seed(3)
    return torch.randn(rows, 2, 10, dtype=dtype, requires_grad=True)


def reason(layer, logits):
    chances = logits.softmax(-1)
    return layer(a=chances[:, 0], b=chances[:, 1])


def test_logarithms_are_exact_where_probabilities_vanish():
    logits = digits()
    torch.testing.assert_close(reason(sums(log=True), logits), reason(sums(), logits).log())
    assert torch.autograd.gradcheck(lambda x: reason(sums(log=True), x), logits)
    program = neumann.Program(text=":- neural(a). :- neural(b). c :- a, b. :- neural(d).")
    both = neumann.torch.Reasoner(program, ["a", "b", "d"], "c", semantics="exact", log=True)
    x = torch.tensor([[1e-30, 1e-30, 0.5], [0, 0.5, 0.5]], requires_grad=True)
    found = both(x)
    assert found[0, 0].item() == pytest.approx(-138.155, rel=1e-4) and found[1, 0] == -torch.inf
    found[0, 0].backward()
    assert torch.isfinite(x.grad).all()


def test_half_precision_is_normalised():
    logits = digits(64, torch.float32)
    expected = reason(sums(), logits)
    torch.testing.assert_close(reason(sums(), logits.bfloat16()), expected, atol=0.02, rtol=0.1)
    rounded = logits.bfloat16().softmax(-1).float()
    assert (rounded.sum(-1) > 1.00001).any()
    torch.testing.assert_close(sums(normalise=True)(a=rounded[:, 0], b=rounded[:, 1]), expected, atol=0.02, rtol=0.1)
    with pytest.raises(ValueError, match="exclude each other"):
        sums()(a=rounded[:, 0], b=rounded[:, 1])


@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="needs PyTorch 2.4")
def test_functions_of_torch_func():
    layer, logits = sums(), digits()
    batches = torch.stack([digits(), digits() + 1])
    each = torch.func.vmap(lambda x: reason(layer, x))(batches)
    torch.testing.assert_close(each[1], reason(layer, batches[1]))
    loss = lambda x: reason(layer, x)[:, 3].log().sum()  # noqa: E731
    loss(logits).backward()
    torch.testing.assert_close(torch.func.grad(loss)(logits.detach()), logits.grad)
    per_example = torch.func.vmap(torch.func.grad(lambda x: loss(x[None])))(logits.detach())
    torch.testing.assert_close(per_example, logits.grad)


@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="needs PyTorch 2.4")
def test_compiled_functions():
    layer, logits = sums(), digits()
    compiled = torch.compile(lambda x: 2 * reason(layer, x), fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(logits), 2 * reason(layer, logits))
    compiled(logits).sum().backward()
    found, logits.grad = logits.grad, None
    (2 * reason(layer, logits)).sum().backward()
    torch.testing.assert_close(found, logits.grad)


PATHS = ":- pred(edge(node, node)). path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z)."
EDGES = ["edge(0,1)", "edge(1,2)", "edge(0,2)", "edge(2,3)"]


def test_sparse_tensors_have_gradients():
    layer = neumann.torch.Reasoner(neumann.Program(text=PATHS), EDGES, ["path(0,X)"], semantics="exact")
    edges, batch = torch.tensor([[0, 1, 2], [1, 2, 3]]), torch.tensor([0, 0, 1])
    values = torch.tensor([0.5, 0.25, 0.75], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: layer(layer.sparse("edge", edges, x, batch, 2)), values)
    dense = torch.zeros(2, 4, dtype=torch.float64)
    dense[0, 0], dense[0, 1], dense[1, 3] = values.detach()
    torch.testing.assert_close(layer(layer.sparse("edge", edges, values, batch)), layer(dense))
    torch.testing.assert_close(layer(dense.to_sparse_csr()), layer(dense))
    rows = [{"edge(0,1)": values[0], "edge(1,2)": values[1]}, {("edge", 2, 3): values[2]}]
    torch.testing.assert_close(layer(rows), layer(dense))
    assert torch.autograd.gradcheck(lambda x: layer([{"edge(0,1)": x[0], "edge(1,2)": x[1]}]), values)


def test_the_best_proofs_learn_two_digit_sums():
    program = neumann.Program(text=DIGITS + "even :- sum(0). even :- sum(2).")
    logits = digits(8)
    exact = neumann.torch.Reasoner(program, outputs="sum(S)", semantics="exact")
    proofs = neumann.torch.Reasoner(program, outputs="sum(S)", semantics="topk", k=10)
    chances = logits.softmax(-1).flatten(1)
    torch.testing.assert_close(proofs(chances), exact(chances))  # no sum has more than ten
    assert torch.autograd.gradcheck(lambda x: proofs(x.softmax(-1).flatten(1)), logits[:2])
