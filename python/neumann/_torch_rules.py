"""Rules that are learned while networks are trained."""

from __future__ import annotations

import math
from typing import Any, Literal, Mapping, NamedTuple, Sequence

import torch
from torch import nn

from ._clause_pool import ClausePool
from ._options import Semantics, suggests_keywords
from ._program import Program
from ._reasoner import Inputs, as_list

_CHOSEN = "chosen__"  # (slot, clause): probabilities of the slots
_OUT = -1e9  # the logit of a place that is empty
_ALIKE = 1e-6  # gains nearer than this, as a share of the largest, are the same


class RuleClause(NamedTuple):
    """A candidate clause as it stands."""

    text: str
    weight: float  #: in the slot where it is highest
    gain: float  #: how fast the loss falls with its weight, a mean over batches since the last `advance`


class RuleLearner(nn.Module):
    """A program of which some rules are not known yet, as a layer: it learns them by gradients, with the networks before it.

    The program says what is to be learned by `learn`, mode and `initial` directives, as for `neumann learn`; candidates
    are the clauses of the same search. Each learned predicate has as many slots as `learn` allows clauses, and each slot
    is a softmax over the candidates: the probability that it is this one. So the outputs are probabilities, and a loss of
    them trains the slots and the networks that give the inputs. Call `advance()` now and then, such as after each epoch:
    candidates of little use are dropped, and the best are refined. `freeze()` ends the search with the most
    probable clause of each slot, and `program()` is the program with these.

    At most `candidates` clauses are weighed at a time, and `keep` of them stay when `advance` makes room. `max_body` and
    `max_variables` bound the clauses. Other options are those of `Reasoner`.

    >>> import neumann, torch
    >>> program = neumann.Program(text='''
    ... :- type(thing, [it]).  :- type(colour, [red, green, blue]).  :- neural(colour(thing, colour)).
    ... :- exclusive(colour/2, 2).
    ... :- modeb(1, colour(+thing, #colour)).  :- learn(good/1, 1).  :- pred(good(thing)).
    ... ''')
    >>> learner = neumann.torch.RuleLearner(program, {"it": "colour(it,C)"}, "good(it)")
    >>> optimiser = torch.optim.Adam(learner.parameters(), lr=0.2)
    >>> for _ in range(40):
    ...     x = torch.rand(32, 3).softmax(1)
    ...     loss = torch.nn.functional.mse_loss(learner(it=x)[:, 0], x[:, 1])
    ...     optimiser.zero_grad(); loss.backward(); optimiser.step()
    >>> learner.freeze().clauses
    ['good(X) :- colour(X,green).']
    """

    @suggests_keywords
    def __init__(
        self,
        program: Program,
        inputs: Inputs | None = None,
        outputs: str | Sequence[str] | None = None,
        *,
        candidates: int = 128,
        keep: int = 32,
        max_body: int = 6,
        max_variables: int = 8,
        seed: int = 1,
        semantics: Semantics = "exact",
        steps: int | Literal["auto"] | None = "auto",
        gamma: float | None = None,
        k: int | None = None,
        threads: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> None:
        super().__init__()
        if not 0 < keep < candidates:
            raise ValueError(f"keep: {keep} is not between 1 and the number of candidates, {candidates}")
        self._base, self._outputs, self._keep, self._bounds = program, outputs, keep, (max_body, max_variables)
        self._options: dict[str, Any] = dict(
            semantics=semantics, steps=steps, gamma=gamma, k=k, threads=threads, time_limit=time_limit, memory_limit=memory_limit
        )
        plain = program.neural if inputs is None else inputs
        self._inputs: dict[str, Any] = dict(plain) if isinstance(plain, Mapping) else {"x": as_list(plain)}
        self._pool = ClausePool(program, *self._bounds)
        #: The predicate of each slot.
        self.slots: list[str] = [target for target, count in self._pool.targets for _ in range(count)]
        noise = torch.Generator().manual_seed(seed)
        self.slot_logits = nn.Parameter(0.01 * torch.randn(len(self.slots), candidates, generator=noise))
        self.register_buffer("_gains", torch.zeros(candidates), persistent=False)
        self._batches = 0
        self._seen: set[int] = set()
        #: The numbers of the candidates, by their places among the logits.
        self._places: list[int | None] = [None] * candidates
        self._frozen: list[int] | None = None  # the clause of each slot
        self._take(self._pool.nearest(candidates), {})

    # The layer of the present candidates.

    def _compile(self) -> None:
        from .torch import Reasoner

        self._columns = [place for place, number in enumerate(self._places) if number is not None]
        numbers = self._numbers()
        names = [f"c{number}" for number in numbers]
        lines = [
            f":- type(slot__, [{', '.join(f's{slot}' for slot in range(len(self.slots)))}]).",
            f":- type(candidate__, [{', '.join(names)}]).",
            f":- neural({_CHOSEN}(slot__, candidate__)).  :- exclusive({_CHOSEN}/2, 2).",
            f"used__(C) :- {_CHOSEN}(S, C).",
        ]
        for text, name in zip(self._pool.texts(numbers), names):
            body = text.rstrip(".")
            lines.append(f"{body}{', ' if ' :- ' in body else ' :- '}used__({name}).")
        whole = self._base._with_text("\n".join([self._pool.background, *lines]))
        chosen = [f"{_CHOSEN}(s{slot},{name})" for slot in range(len(self.slots)) for name in names]
        self._layer = Reasoner(whole, {**self._inputs, _CHOSEN: chosen}, self._outputs, **self._options)
        target = [self._pool.predicate(n) for n in numbers]
        fits = [[one == slot for one in target] for slot in self.slots]
        self.register_buffer("_fits", torch.tensor(fits, device=self.slot_logits.device), persistent=False)

    @property
    def slot_weights(self) -> torch.Tensor:
        """The probability of each candidate in each slot; a row adds up to 1."""
        if self._frozen is not None:
            rows = [[float(number == chosen) for number in self._numbers()] for chosen in self._frozen]
            return torch.tensor(rows, device=self.slot_logits.device)
        columns = torch.tensor(self._columns, device=self.slot_logits.device)
        return self.slot_logits[:, columns].masked_fill(~self._fits, _OUT).softmax(1)

    def forward(self, x: Any = None, /, **groups: torch.Tensor) -> torch.Tensor:
        if x is not None:
            groups["x"] = x
        if not groups:
            raise TypeError("expected a tensor of inputs")
        first = next(iter(groups.values()))
        weights = self.slot_weights
        if weights.requires_grad and self.training:
            weights.register_hook(self._count)
        rows = weights.to(first.dtype).flatten().expand(len(first), -1)
        return self._layer(**groups, **{_CHOSEN: rows})

    def _count(self, gradient: torch.Tensor) -> None:
        places = torch.tensor(self._columns, device=gradient.device)
        self._gains.index_add_(0, places, -gradient.detach().sum(0).to(self._gains.dtype))
        self._batches += 1

    # The search.

    def _take(self, numbers: list[int], starts: dict[int, torch.Tensor]) -> None:
        """Makes these the candidates. Those that stay keep their places, so that an optimiser goes on with them."""
        wanted, here = set(numbers), set(self._numbers())
        self._places = [number if number in wanted else None for number in self._places]
        free = [place for place, number in enumerate(self._places) if number is None]
        with torch.no_grad():
            for number in numbers:
                if number not in here:
                    place = free.pop(0)
                    self._places[place] = number
                    if number in starts:
                        self.slot_logits[:, place] = starts[number]
        self._seen |= wanted
        self._gains.zero_()
        self._batches = 0
        self._compile()

    def candidates(self) -> list[RuleClause]:
        """The candidates, those with the highest weights first."""
        weights = self.slot_weights.detach().max(0).values.tolist()
        gains = (self._gains / max(self._batches, 1)).tolist()
        texts = self._pool.texts(self._numbers())
        found = [RuleClause(text, weight, gains[place]) for text, weight, place in zip(texts, weights, self._columns)]
        return sorted(found, key=lambda one: (-one.weight, one.text))

    def advance(self) -> bool:
        """Drops candidates of little use, and refines the best: those with much weight, and those whose weight lowers the
        loss most, as the gradients of the batches since the last call say. Of candidates that make no difference to each
        other in these, the shortest stays. Returns whether there are new candidates."""
        if self._frozen is not None:
            return False
        alike = self._join_alike()
        numbers = list(alike)
        place_of = self._place_of()
        weights = dict(zip(self._numbers(), self.slot_weights.detach().max(0).values.tolist()))
        gains = self._gains.tolist()
        by_weight = sorted(numbers, key=lambda n: (-weights[n], self._pool.goals(n), n))
        by_gain = sorted(numbers, key=lambda n: (-gains[place_of[n]], self._pool.goals(n), n))
        kept = dict.fromkeys(by_weight[: self._keep // 2])
        kept.update(dict.fromkeys([n for n in by_gain if n not in kept][: self._keep - len(kept)]))
        starts: dict[int, torch.Tensor] = {}
        for number in by_gain:
            if number not in kept:
                continue
            found = [child for one in [number, *alike[number]] for child in self._pool.refine(one)]
            children = [child for child in dict.fromkeys(found) if child not in self._seen and child not in starts]
            # All of a clause's children together may weigh as much as it does.
            start = self.slot_logits.detach()[:, place_of[number]] - math.log(1 + len(children))
            room = len(self._places) - len(kept) - len(starts)
            starts.update((child, start) for child in children[:room])
            if room <= len(children):
                break
        self._take([*kept, *starts], starts)
        return bool(starts)

    def _join_alike(self) -> dict[int, list[int]]:
        """Of candidates with the same gain, and so with the same effect in all batches, the shortest takes over the weight
        of the others: they are listed by its number."""
        place_of = self._place_of()
        if self._batches == 0:
            return {number: [] for number in place_of}
        gains: list[float] = self._gains.tolist()
        near = _ALIKE * max(abs(gain) for gain in gains)
        groups: list[list[int]] = []
        for number in sorted(place_of, key=lambda n: (self._pool.predicate(n), gains[place_of[n]], n)):
            last = groups[-1][-1] if groups else None
            same = last is not None and self._pool.predicate(number) == self._pool.predicate(last)
            if same and last is not None and gains[place_of[number]] - gains[place_of[last]] <= near:
                groups[-1].append(number)
            else:
                groups.append([number])
        alike: dict[int, list[int]] = {}
        for group in groups:
            first, *others = sorted(group, key=lambda n: (self._pool.goals(n), n))
            alike[first] = others
            with torch.no_grad():
                places = [place_of[number] for number in group]
                joined = self.slot_logits[:, places].logsumexp(1)
                self.slot_logits[:, [place_of[number] for number in others]] = _OUT
                self.slot_logits[:, place_of[first]] = joined
        return alike

    def _numbers(self) -> list[int]:
        """Those of the candidates, as the columns of the slots have them."""
        return [number for number in self._places if number is not None]

    def _place_of(self) -> dict[int, int]:
        return {number: place for place, number in enumerate(self._places) if number is not None}

    def freeze(self) -> RuleLearner:
        """Ends the search: each slot becomes its most probable clause, and only networks go on learning."""
        if self._frozen is None:
            self._join_alike()
            self._frozen = self._chosen()
            self.slot_logits.requires_grad_(False)
            self._take(sorted(set(self._frozen)), {})
        return self

    @property
    def clauses(self) -> list[str]:
        """The most probable clause of each slot, without goals that say nothing; each once."""
        return list(dict.fromkeys(self._pool.shortest_text(number) for number in self._chosen()))

    def _chosen(self) -> list[int]:
        if self._frozen is not None:
            return self._frozen
        numbers = self._numbers()
        return [numbers[column] for column in self.slot_weights.detach().argmax(1).tolist()]

    def program(self) -> Program:
        """The program with the most probable clause of each slot: rules that any semantics, the command and people read."""
        return self._base._with_text("\n".join([self._pool.background, *self.clauses]))

    @property
    def output_atoms(self) -> list[str]:
        return self._layer.output_atoms

    def index(self, predicate: str, *arguments: Any) -> int:
        """The column of an output atom."""
        return self._layer.index(predicate, *arguments)

    def get_extra_state(self) -> dict[str, Any]:
        return {
            "trail": list(self._pool.trail),
            "places": list(self._places),
            "seen": sorted(self._seen),
            "frozen": self._frozen,
        }

    def set_extra_state(self, state: Any) -> None:
        self._pool = ClausePool(self._base, *self._bounds, state["trail"])
        self._places, self._seen, self._frozen = list(state["places"]), set(state["seen"]), state["frozen"]
        self._compile()

    def extra_repr(self) -> str:
        return f"{len(self.slots)} slots, {len(self._columns)} candidates{', frozen' if self._frozen else ''}"
