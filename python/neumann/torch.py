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

from typing import Any, Literal, Sequence, cast

import torch
from torch import nn

from ._program import Program
from ._options import Semantics, suggests_keywords
from ._reasoner import Clauses, Inputs, require_groups
from ._reasoner import Reasoner as ArrayReasoner

_LEAST, _MOST = 0.01, 0.99  # bounds of the starting values of learned weights: beyond, a sigmoid hardly moves


class _Forward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *given: Any, **_: Any) -> torch.Tensor:
        reasoner, x, weights = cast("tuple[ArrayReasoner, torch.Tensor, torch.Tensor | None]", given)
        used = None if weights is None else weights.detach().cpu().contiguous().numpy()
        ctx.on_gpu = _stays_on_gpu(reasoner, x)
        if ctx.on_gpu:
            return _forward_on_gpu(ctx, reasoner, x, weights, used)
        array = x.detach().cpu().contiguous().numpy()
        try:
            outputs, ctx.kept = reasoner._core.forward_and_keep(array, used)
        except ValueError:
            reasoner._explain_inputs(array, used)
            raise
        ctx.save_for_backward(x, weights)
        return torch.from_numpy(outputs).to(x.device)

    @staticmethod
    def backward(ctx: Any, *by_outputs: Any) -> Any:
        x, weights = ctx.saved_tensors
        by_input, by_weight = _Backward.apply(ctx.kept, by_outputs[0], x, weights, ctx.needs_input_grad[1:], ctx.on_gpu)
        return None, by_input, by_weight


class _Backward(torch.autograd.Function):
    """The gradients are functions of their own, so that differentiating them can be refused."""

    @staticmethod
    def forward(ctx: Any, *given: Any, **_: Any) -> Any:
        kept, by_output, x, weights, needed, on_gpu = given
        if on_gpu:
            seeds = by_output.detach().to(x.dtype).contiguous()
            gradient = torch.empty_like(x, memory_format=torch.contiguous_format) if needed[0] else None
            found = kept.backward_on_gpu(
                seeds.data_ptr(), 0 if gradient is None else gradient.data_ptr(), _stream(x), needed[1]
            )
            return gradient, None if found is None else torch.from_numpy(found).to(weights.device, weights.dtype)
        seeds = by_output.detach().to("cpu", x.dtype).contiguous().numpy()
        by_input, by_weight = kept.backward(seeds, needed[0], needed[1])
        return (
            None if by_input is None else torch.from_numpy(by_input).to(x.device),
            None if by_weight is None else torch.from_numpy(by_weight).to(weights.device, weights.dtype),
        )

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise RuntimeError(
            "neumann.torch.Reasoner has first derivatives only: its gradients cannot be differentiated (create_graph=True)"
        )


def _stays_on_gpu(reasoner: ArrayReasoner, x: torch.Tensor) -> bool:
    """Circuits and double precision are given their numbers by the processor."""
    on_gpu = x.is_cuda and reasoner._core.takes_gpu_arrays and x.dtype == torch.float32
    if on_gpu and x.device.index != 0:
        raise ValueError(f"x: a tensor on {x.device}; reasoning on GPUs is done on cuda:0")
    return on_gpu


def _stream(x: torch.Tensor) -> int:
    return int(torch.cuda.current_stream(x.device).cuda_stream)


def _forward_on_gpu(
    ctx: Any, reasoner: ArrayReasoner, x: torch.Tensor, weights: torch.Tensor | None, used: Any
) -> torch.Tensor:
    inputs = x.detach().contiguous()
    outputs = torch.empty((len(x), len(reasoner.output_atoms)), dtype=x.dtype, device=x.device)
    keep = any(ctx.needs_input_grad)
    try:
        ctx.kept = reasoner._core.forward_on_gpu(
            len(x), inputs.data_ptr(), outputs.data_ptr(), _stream(x), used, keep
        )
    except ValueError:
        reasoner._explain_inputs(inputs.cpu().numpy(), used)
        raise
    ctx.save_for_backward(x, weights)
    return outputs


class Reasoner(nn.Module):
    """A program as a layer: probabilities [B, K] of input atoms in, probabilities [B, Q] of output atoms out.

    `inputs` are atoms or patterns, or several groups of them by name, which are given by name: `layer(a=…, b=…)`.
    With `learn_weights` the weights of clauses are parameters: True for all clauses, or numbers, texts or predicates of
    heads ("wet", "wet/1"). They are sigmoids of `weight_logits` and start at the weights of the program, but for 0 and 1,
    which start at 0.01 and 0.99. Clauses named in a group of `one_of` share a softmax, so that their weights add up to 1,
    as those of an annotated disjunction or of alternative rules do. Other options are those of `Program.reasoner`. Tensors are float32, or float64 for double precision,
    which is computed on the processor. With `device="cuda"` float32 tensors of a GPU stay there; else they are copied to
    the processor and back.
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
        semantics: Semantics = "softor",
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

    def forward(self, x: torch.Tensor | None = None, /, **groups: torch.Tensor) -> torch.Tensor:
        if groups:
            require_groups(groups, self.reasoner.groups, x is not None)
            x = self._joined(groups)
        elif x is None:
            raise TypeError("expected a tensor of inputs")
        _require_floats("x", x, len(self.input_atoms))
        weights = None if self.weight_logits is None else self.weights
        return cast(torch.Tensor, _Forward.apply(self.reasoner, x, weights))

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


def _require_floats(name: str, x: Any, columns: int) -> None:
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"{name}: expected a tensor, not {type(x).__name__}")
    if x.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name}: expected float32 or float64, not {x.dtype}")
    if x.dim() != 2 or x.shape[1] != columns:
        raise ValueError(f"{name}: expected a tensor of shape [B, {columns}], not {list(x.shape)}")


__all__ = ["Reasoner"]
