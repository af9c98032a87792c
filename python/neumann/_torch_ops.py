"""The layer for `torch.compile` and `torch.func`, which trace and transform functions (PyTorch 2.4 and later).

Functions of tensors alone keep no pass between forward and backward, so the gradient computes the values again.
"""

from typing import Any, Optional, Tuple

import torch

from ._reasoner import by_number

def _forward(x: torch.Tensor, weights: Optional[torch.Tensor], number: int) -> torch.Tensor:
    used = None if weights is None else weights.detach().cpu().contiguous().numpy()
    outputs = by_number[number]._checked_forward(x.detach().cpu().contiguous().numpy(), used)
    return torch.from_numpy(outputs).to(x.device)


def _backward(
    x: torch.Tensor, weights: Optional[torch.Tensor], by_output: torch.Tensor, number: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    reasoner = by_number[number]
    used = None if weights is None else weights.detach().cpu().contiguous().numpy()
    _, kept = reasoner._core.forward_and_keep(x.detach().cpu().contiguous().numpy(), used)
    seeds = by_output.detach().to("cpu", x.dtype).contiguous().numpy()
    by_input, by_weight = kept.backward(seeds, True, weights is not None)
    none = torch.zeros(0, dtype=torch.float64)
    return torch.from_numpy(by_input).to(x.device), none if by_weight is None else torch.from_numpy(by_weight)


def _flat(x: torch.Tensor, dim: Optional[int], size: int) -> torch.Tensor:
    """A batch of batches as one batch."""
    return (x.unsqueeze(0).expand(size, *x.shape) if dim is None else x.movedim(dim, 0)).flatten(0, 1).contiguous()


class Reason(torch.autograd.Function):
    """For torch.func."""

    @staticmethod
    def forward(x: Any, weights: Any, number: int) -> torch.Tensor:
        return _forward(x, weights, number)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        x, weights, ctx.number = inputs
        ctx.save_for_backward(x, weights)

    @staticmethod
    def backward(ctx: Any, *by_outputs: Any) -> Any:
        x, weights = ctx.saved_tensors
        by_input, by_weight = Gradients.apply(x, weights, by_outputs[0], ctx.number)
        return by_input, None if weights is None else by_weight.to(weights.device, weights.dtype), None

    @staticmethod
    def vmap(info: Any, dims: Any, x: Any, weights: Any, number: int) -> Any:
        if dims[1] is not None:
            raise RuntimeError("neumann.torch.Reasoner: torch.func.vmap over clause weights is not supported")
        outputs = Reason.apply(_flat(x, dims[0], info.batch_size), weights, number)
        return outputs.unflatten(0, (info.batch_size, -1)), 0


class Gradients(torch.autograd.Function):
    @staticmethod
    def forward(x: Any, weights: Any, by_output: Any, number: int) -> Any:
        return _backward(x, weights, by_output, number)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise RuntimeError("neumann.torch.Reasoner has first derivatives only: its gradients cannot be differentiated")

    @staticmethod
    def vmap(info: Any, dims: Any, x: Any, weights: Any, by_output: Any, number: int) -> Any:
        if weights is not None:
            raise RuntimeError("neumann.torch.Reasoner: torch.func.vmap over gradients by weights is not supported")
        size = info.batch_size
        by_input, none = Gradients.apply(_flat(x, dims[0], size), None, _flat(by_output, dims[2], size), number)
        return (by_input.unflatten(0, (size, -1)), none), (0, None)


if hasattr(torch.library, "custom_op"):
    reason = torch.library.custom_op("neumann::reason", _forward, mutates_args=())
    gradients = torch.library.custom_op("neumann::gradients", _backward, mutates_args=())

    @reason.register_fake
    def _(x: torch.Tensor, weights: Optional[torch.Tensor], number: int) -> torch.Tensor:
        return x.new_empty(x.shape[0], len(by_number[number].output_atoms))

    @gradients.register_fake
    def _(x: torch.Tensor, weights: Optional[torch.Tensor], by_output: torch.Tensor, number: int) -> Any:
        clauses = 0 if weights is None else len(by_number[number].clauses)
        return torch.empty_like(x), torch.empty(clauses, dtype=torch.float64)

    def _setup(ctx: Any, inputs: Any, output: Any) -> None:
        x, weights, ctx.number = inputs
        ctx.save_for_backward(x, weights)

    def _differentiate(ctx: Any, by_output: torch.Tensor) -> Any:
        x, weights = ctx.saved_tensors
        by_input, by_weight = gradients(x, weights, by_output.contiguous(), ctx.number)
        return by_input, None if weights is None else by_weight.to(weights.device, weights.dtype), None

    reason.register_autograd(_differentiate, setup_context=_setup)


def transformed(x: torch.Tensor, weights: Optional[torch.Tensor], number: int) -> Optional[torch.Tensor]:
    """The values if PyTorch traces the call, or transforms it by torch.func; else None."""
    if not hasattr(torch.library, "custom_op"):
        return None
    if torch.compiler.is_compiling():
        return reason(x, weights, number)
    if torch._C._functorch.peek_interpreter_stack() is not None:
        return Reason.apply(x, weights, number)
    return None
