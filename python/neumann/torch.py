"""Reasoning as a layer of PyTorch networks.

>>> import neumann, torch
>>> program = neumann.Program(text='''
... :- type(image, [a, b]).  :- type(digit, 0..9).
... :- neural(digit(image, digit)).  :- exclusive(digit/2, 2).
... sum(S) :- digit(a, X), digit(b, Y), S is X + Y.
... ''')
>>> layer = neumann.torch.Reasoner(program, inputs={"a": "digit(a,D)", "b": "digit(b,D)"}, outputs="sum(S)", semantics="exact")
>>> logits = torch.zeros(4, 10, requires_grad=True)
>>> sums = layer(a=logits.softmax(1), b=logits.softmax(1))
>>> sums.shape
torch.Size([4, 19])
>>> torch.nn.functional.nll_loss(sums.log(), torch.tensor([0, 1, 9, 18])).backward()
>>> logits.grad.shape
torch.Size([4, 10])
"""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, cast

import numpy as np
import torch
from torch import nn

from . import _torch_ops
from ._program import Program
from ._options import Semantics, suggests_keywords
from ._clauses import Clauses
from ._reasoner import Inputs, require_groups
from ._reasoner import Reasoner as ArrayReasoner
from ._reasoner import _key
from ._sparse import column_of
from ._torch_functions import Forward, LogForward, SparseForward

_LEAST, _MOST = 0.01, 0.99  # bounds of the starting values of learned weights: beyond, a sigmoid hardly moves


class Reasoner(nn.Module):
    """A program as a layer: probabilities [B, K] of input atoms in, probabilities [B, Q] of output atoms out.

    `inputs` are atoms or patterns, or several groups of them by name, which are given by name: `layer(a=…, b=…)`.
    With `learn_weights` the weights of clauses are parameters: True for all clauses, or numbers, texts or predicates of
    heads ("wet", "wet/1"). They are sigmoids of `weight_logits` and start at the weights of the program, but for 0 and 1,
    which start at 0.01 and 0.99. Clauses named in a group of `one_of` share a softmax, so that their weights add up to 1,
    as those of an annotated disjunction or of alternative rules do. With `log` the outputs are logarithms, computed in
    double precision: log(1e-60) is one. With `normalise` atoms that exclude each other and add up to more than 1, as a
    softmax in half precision does, are divided by their sum. Other options are those of `Program.reasoner`, but that the
    default semantics is "exact": the outputs are probabilities. Where compiling for it takes too long, the error names
    others.

    Tensors are float32, or float64 for double precision, which is computed on the processor. float16 and bfloat16 become
    float32, normalised. Inputs may be sparse tensors [B, K], or a list of dictionaries of atoms; `sparse` makes such
    tensors of edges. With `device="cuda"` float32 tensors of a GPU stay there; else they are copied to the processor
    and back.
    """

    @suggests_keywords
    def __init__(
        self,
        program: Program,
        inputs: Inputs | None = None,
        outputs: str | Sequence[str] | None = None,
        *,
        learn_weights: Clauses = False,
        one_of: Sequence[Clauses] = (),
        log: bool = False,
        normalise: bool = False,
        semantics: Semantics = "exact",
        steps: int | Literal["auto"] | None = "auto",
        device: str = "cpu",
        gamma: float | None = None,
        k: int | None = None,
        samples: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        memory_budget: int | None = None,
    ) -> None:
        super().__init__()
        if isinstance(inputs, Mapping) and "self" in inputs:
            raise ValueError("inputs: a group cannot be called 'self': PyTorch calls the layer so")
        self.log, self.normalise = log, normalise
        self.reasoner = ArrayReasoner(
            program,
            inputs,
            outputs,
            semantics,
            steps,
            device,
            _both(learn_weights, one_of),
            gamma=gamma,
            k=k,
            samples=samples,
            seed=seed,
            threads=threads,
            time_limit=time_limit,
            memory_limit=memory_limit,
            memory_budget=memory_budget,
        )
        #: Groups of clauses whose weights add up to 1, by their numbers.
        self.one_of: list[list[int]] = [self.reasoner.clause_numbers(group) for group in one_of]
        grouped = [number for group in self.one_of for number in group]
        if len(set(grouped)) != len(grouped):
            twice = next(number for number in grouped if grouped.count(number) > 1)
            raise ValueError(f"one_of: the clause '{self.reasoner.clauses[twice]}' is in two groups")
        #: The numbers of the clauses whose weights are learned.
        self.learned: list[int] = sorted({*self.reasoner.clause_numbers(learn_weights), *grouped})
        self._base = torch.from_numpy(self.reasoner.weights)
        start = self._base[self.learned].clamp(_LEAST, _MOST)
        logits = torch.logit(start)
        for group in self._groups():
            logits[group] = start[group].log()
        self.weight_logits = nn.Parameter(logits.float()) if self.learned else None

    def _groups(self) -> list[list[int]]:
        """Places of the groups' members among the learned weights."""
        return [[self.learned.index(number) for number in group] for group in self.one_of]

    @property
    def input_atoms(self) -> list[str]:
        return self.reasoner.input_atoms

    @property
    def output_atoms(self) -> list[str]:
        return self.reasoner.output_atoms

    @property
    def output_values(self) -> list[Any]:
        return self.reasoner.output_values

    def index(self, predicate: str, *arguments: Any) -> int:
        """The column of an output atom: `layer.index("sum", 7)`."""
        return self.reasoner.index(predicate, *arguments)

    @property
    def clauses(self) -> list[str]:
        return self.reasoner.clauses

    @property
    def weights(self) -> torch.Tensor:
        """The weight of each clause, as it is now, in double precision; what is learned has a gradient."""
        if self.weight_logits is None:
            return self._base.clone()
        logits = self.weight_logits.double()
        learned = torch.sigmoid(logits)
        for group in self._groups():
            places = torch.tensor(group, device=logits.device)
            learned = learned.index_copy(0, places, logits[places].softmax(0))
        where = torch.tensor(self.learned, device=learned.device)
        return self._base.to(learned.device).index_copy(0, where, learned)

    def forward(self, x: Any = None, /, **groups: torch.Tensor) -> torch.Tensor:
        if groups:
            require_groups(groups, self.reasoner.groups, x is not None)
            x = self._joined({name: _from_half(one) for name, one in groups.items()})
            halved = any(_is_half(one) for one in groups.values())
        elif x is None:
            raise TypeError("expected a tensor of inputs")
        elif _is_sparse(x):
            return self._of_sparse(x)
        else:
            halved = _is_half(x)
            x = _from_half(x)
        _require_floats("x", x, len(self.input_atoms))
        if self.normalise or halved:
            x = self._normalised(x)
        weights = None if self.weight_logits is None else self.weights
        if self.log:
            return cast(torch.Tensor, LogForward.apply(self.reasoner, x, weights))
        traced = _torch_ops.transformed(x, weights, self.reasoner.number)
        return traced if traced is not None else cast(torch.Tensor, Forward.apply(self.reasoner, x, weights))

    def _normalised(self, x: torch.Tensor) -> torch.Tensor:
        group = torch.from_numpy(self.reasoner.exclusive_groups).to(x.device)
        sums = x.new_zeros(len(x), int(group.max()) + 1 if len(group) else 0).index_add(1, group, x)
        return x / sums.clamp(min=1).index_select(1, group)

    def _of_sparse(self, x: Any) -> torch.Tensor:
        if self.log:
            raise ValueError("x: log probabilities of sparse inputs are not there yet; take their logarithm")
        begin, column, value = self._rows(x) if isinstance(x, torch.Tensor) else self._rows_of_dictionaries(x)
        weights = None if self.weight_logits is None else self.weights
        return cast(torch.Tensor, SparseForward.apply(self.reasoner, begin, column, value, weights))

    def _rows(self, x: torch.Tensor) -> tuple[np.ndarray, np.ndarray, torch.Tensor]:
        if x.dim() != 2 or x.shape[1] != len(self.input_atoms):
            raise ValueError(f"x: expected a sparse tensor of shape [B, {len(self.input_atoms)}], not {list(x.shape)}")
        if x.layout == torch.sparse_csr:
            return x.crow_indices().cpu().numpy().astype(np.uintp), x.col_indices().cpu().numpy().astype(np.uintp), x.values()
        x = x.coalesce()
        row, column = x.indices().cpu().numpy()
        begin = np.concatenate([[0], np.bincount(row, minlength=x.shape[0]).cumsum()])
        return begin.astype(np.uintp), column.astype(np.uintp), x.values()

    def _rows_of_dictionaries(self, rows: Any) -> tuple[np.ndarray, np.ndarray, torch.Tensor]:
        places = self.reasoner._input_places
        begin = np.cumsum([0, *(len(row) for row in rows)]).astype(np.uintp)
        column = np.array([column_of(atom, places, _key) for row in rows for atom in row], dtype=np.uintp)
        values = [torch.as_tensor(value) for row in rows for value in row.values()]
        floats = [one if one.is_floating_point() else one.float() for one in values]
        return begin, column, torch.stack(floats) if floats else torch.zeros(0)

    def sparse(
        self,
        predicate: str,
        index: Any,
        values: torch.Tensor,
        batch: torch.Tensor | None = None,
        examples: int | None = None,
    ) -> torch.Tensor:
        """A sparse tensor of inputs from edges: `values[i]` is the probability of predicate(index[0][i], index[1][i], …) in
        the example `batch[i]`, in the only one without `batch`. Has gradients by the values.

        >>> import neumann, torch
        >>> program = neumann.Program(text=":- pred(e(n, n)). p(X,Y) :- e(X,Y). p(X,Z) :- e(X,Y), p(Y,Z).")
        >>> layer = neumann.torch.Reasoner(program, ["e(0,1)", "e(1,2)"], "p(0,2)", semantics="exact")
        >>> values = torch.tensor([0.5, 0.25], requires_grad=True)
        >>> layer(layer.sparse("e", torch.tensor([[0, 1], [1, 2]]), values))
        tensor([[0.1250]], grad_fn=<SparseForwardBackward>)
        """
        arguments = [one.tolist() if hasattr(one, "tolist") else list(one) for one in index]
        places = self.reasoner._input_places
        columns = [column_of((predicate, *one), places, _key) for one in zip(*arguments)]
        if len(columns) != len(values):
            raise ValueError(f"values: {len(values)} for {len(columns)} atoms")
        rows = torch.zeros(len(columns), dtype=torch.long) if batch is None else batch.cpu()
        count = examples if examples is not None else 1 if batch is None else int(rows.max()) + 1
        indices = torch.stack([rows, torch.tensor(columns, dtype=torch.long)]).to(values.device)
        return torch.sparse_coo_tensor(indices, values, (count, len(self.input_atoms)))

    def _joined(self, groups: dict[str, torch.Tensor]) -> torch.Tensor:
        known = self.reasoner.groups
        for name, width in known.items():
            _require_floats(name, groups[name], width)
        first = next(iter(known))
        for name in known:
            if len(groups[name]) != len(groups[first]):
                raise ValueError(f"{name}: {len(groups[name])} rows, and '{first}' has {len(groups[first])}")
            if groups[name].dtype != groups[first].dtype or groups[name].device != groups[first].device:
                raise TypeError(
                    f"{name}: {groups[name].dtype} on {groups[name].device}, and '{first}' is {groups[first].dtype} on {groups[first].device}"
                )
        return torch.cat([groups[name] for name in known], dim=1)

    def extra_repr(self) -> str:
        learned = f", {len(self.learned)} weights learned" if self.learned else ""
        return f"{len(self.input_atoms)} inputs, {len(self.output_atoms)} outputs, {len(self.clauses)} clauses, {self.reasoner.semantics}{learned}"


def _both(learned: Clauses, groups: Sequence[Clauses]) -> Clauses:
    """The clauses of either."""
    if learned is True or any(group is True for group in groups):
        return True
    both: list[int | str] = []
    for one in (learned, *groups):
        if not isinstance(one, bool):
            both.extend([one] if isinstance(one, str) else one)
    return both


def _is_half(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.dtype in (torch.float16, torch.bfloat16)


def _from_half(x: Any) -> Any:
    return x.float() if _is_half(x) else x


def _is_sparse(x: Any) -> bool:
    if isinstance(x, torch.Tensor):
        return x.layout in (torch.sparse_coo, torch.sparse_csr)
    return isinstance(x, (list, tuple)) and all(isinstance(one, dict) for one in x)


def _require_floats(name: str, x: Any, columns: int) -> None:
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"{name}: expected a tensor, not {type(x).__name__}")
    if x.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name}: expected float32 or float64, not {x.dtype}")
    if x.dim() != 2 or x.shape[1] != columns:
        raise ValueError(f"{name}: expected a tensor of shape [B, {columns}], not {list(x.shape)}")


from ._torch_networks import ObjectNetwork  # noqa: E402
from ._torch_rules import RuleClause, RuleLearner  # noqa: E402  (of a Reasoner)
from ._torch_valuation import Valuation  # noqa: E402

__all__ = ["ObjectNetwork", "Reasoner", "RuleClause", "RuleLearner", "Valuation"]
