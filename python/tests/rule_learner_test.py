"""Rules that are learned while networks are trained: candidates, gradients, refinement, what is read off."""

import copy
import io

import neumann
import pytest

torch = pytest.importorskip("torch")

THINGS = """
:- type(thing, [it]).  :- type(colour, [red, green, blue]).  :- type(size, [small, large]).
:- neural(colour(thing, colour)).  :- exclusive(colour/2, 2).  :- neural(size(thing, size)).  :- exclusive(size/2, 2).
:- modeb(1, colour(+thing, #colour)).  :- modeb(1, size(+thing, #size)).  :- pred(good(thing)).
"""
INPUTS = {"colour": "colour(it,C)", "size": "size(it,S)"}


def learner(clauses=1, more="", **options):
    program = neumann.Program(text=f"{THINGS} :- learn(good/1, {clauses}). {more}")
    return neumann.torch.RuleLearner(program, INPUTS, "good(it)", **options)


def data(count, seed):
    random = torch.Generator().manual_seed(seed)
    colour, size = torch.randint(3, (count,), generator=random), torch.randint(2, (count,), generator=random)
    return colour, size, {"colour": torch.eye(3)[colour], "size": torch.eye(2)[size]}


def train(learner, rounds, label, seed=1):
    optimiser = torch.optim.Adam(learner.parameters(), lr=0.2)
    for number in range(rounds):
        for step in range(15):
            colour, size, x = data(32, 1000 * seed + 100 * number + step)
            p = learner(**x)[:, 0].clamp(1e-6, 1 - 1e-6)
            loss = torch.nn.functional.binary_cross_entropy(p, label(colour, size).float())
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        learner.advance()
    return learner.freeze()


def test_values_are_mixtures_of_the_candidates():
    one = learner()
    texts = [candidate.text for candidate in one.candidates()]
    assert "good(X)." in texts and "good(X) :- colour(X,red), size(X,large)." in texts and len(texts) == 12
    _, _, x = data(5, seed=1)
    weights = dict(zip([text for text in one._pool.texts(one._numbers())], one.slot_weights[0]))
    expected = torch.zeros(5)
    for text, weight in weights.items():
        program = one._base._with_text(f"{one._pool.background} {text}")
        expected += weight * neumann.torch.Reasoner(program, INPUTS, "good(it)", semantics="exact")(**x)[:, 0]
    torch.testing.assert_close(one(**x)[:, 0], expected)
    assert torch.autograd.gradcheck(lambda logits: forward(one, logits, x), (one.slot_logits.detach().double().requires_grad_(),))


def test_two_slots_are_two_clauses():
    """By all pairs of candidates."""
    one = learner(clauses=2, candidates=7, keep=3)
    with torch.no_grad():
        one.slot_logits.normal_(generator=torch.Generator().manual_seed(4))
    random = torch.Generator().manual_seed(5)
    x = {"colour": torch.rand(3, 3, generator=random).softmax(1), "size": torch.rand(3, 2, generator=random).softmax(1)}
    texts = one._pool.texts(one._numbers())
    expected = torch.zeros(3)
    for first, p in zip(texts, one.slot_weights[0].detach()):
        for second, q in zip(texts, one.slot_weights[1].detach()):
            program = one._base._with_text(f"{one._pool.background} {first} {second}")
            expected += p * q * neumann.torch.Reasoner(program, INPUTS, "good(it)")(**x)[:, 0]
    torch.testing.assert_close(one(**x)[:, 0], expected)


def forward(learner, logits, x):
    learner.slot_logits = torch.nn.Parameter(logits)
    del learner._parameters["slot_logits"]
    learner.slot_logits = logits
    return learner(**{name: value.double() for name, value in x.items()})


@pytest.mark.parametrize("candidates", [64, 6])  # 6: the rule is reached by refinement alone
def test_a_rule_is_found(candidates):
    one = train(learner(candidates=candidates, keep=3), 6, lambda colour, size: (colour == 1) & (size == 1))
    assert one.clauses == ["good(X) :- colour(X,green), size(X,large)."]
    program = one.program()
    assert program.reason({"colour(it,green)": 0.5, "size(it,large)": 1}, queries="good(it)", semantics="exact") == [
        {"good(it)": 0.5}
    ]
    assert not one.slot_logits.requires_grad and not one.advance()


def test_two_slots_find_two_rules():
    one = train(learner(clauses=2), 6, lambda colour, size: (colour == 0) | (size == 1))
    assert sorted(one.clauses) == ["good(X) :- colour(X,red).", "good(X) :- size(X,large)."]


def test_clauses_of_the_program_are_not_candidates():
    """As `neumann learn`, it learns them anew; others may use what is learned."""
    program = neumann.Program(text=f"{THINGS} :- learn(good/1, 1). good(X) :- colour(X,blue). best(X) :- good(X), size(X,large).")
    one = neumann.torch.RuleLearner(program, INPUTS, "best(it)")
    assert "blue" not in one._pool.background.split("best(X) :-")[1]
    one = train(one, 5, lambda colour, size: (colour == 2) & (size == 1))
    assert one.clauses == ["good(X) :- colour(X,blue)."]
    assert "best(X) :- good(X)" in one.program().text


def test_saved_and_copied():
    one = learner(candidates=6, keep=3)
    _, _, x = data(8, seed=3)
    one(**x).sum().backward()
    one.advance()
    file = io.BytesIO()
    torch.save(one.state_dict(), file)
    file.seek(0)
    other = learner(candidates=6, keep=3, seed=9)
    try:
        other.load_state_dict(torch.load(file, weights_only=False))
    except TypeError:  # of PyTorch before 1.13.1
        file.seek(0)
        other.load_state_dict(torch.load(file))
    torch.testing.assert_close(other(**x), one(**x), rtol=0, atol=0)
    assert [c.text for c in other.candidates()] == [c.text for c in one.candidates()]
    torch.testing.assert_close(copy.deepcopy(one)(**x), one(**x), rtol=0, atol=0)
    other.freeze()
    assert len(other.clauses) == 1


def test_refusals():
    with pytest.raises(neumann.Error, match="does not say what to learn"):
        neumann.torch.RuleLearner(neumann.Program(text=THINGS), INPUTS, "good(it)")
    with pytest.raises(TypeError, match="no option 'candidate'; did you mean 'candidates'"):
        learner(candidate=3)
    with pytest.raises(ValueError, match="keep: 7"):
        learner(candidates=7, keep=7)
    with pytest.raises(TypeError, match="'size' is missing"):
        learner()(colour=torch.eye(3))
