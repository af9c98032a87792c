"""The layer's functions for autograd: from tensors to the core's arrays and back."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch.autograd.function import once_differentiable

from ._reasoner import Reasoner as ArrayReasoner


class Forward(torch.autograd.Function):
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


class LogForward(torch.autograd.Function):
    """Logarithms, computed in double precision; where a probability is 0, its logarithm is −∞ and has the gradient 0."""

    @staticmethod
    def forward(ctx: Any, *given: Any, **_: Any) -> torch.Tensor:
        reasoner, x, weights = cast("tuple[ArrayReasoner, torch.Tensor, torch.Tensor | None]", given)
        used = None if weights is None else weights.detach().cpu().contiguous().numpy()
        array = x.detach().cpu().double().contiguous().numpy()
        try:
            outputs, ctx.kept = reasoner._core.forward_and_keep(array, used)
        except ValueError:
            reasoner._explain_inputs(array, used)
            raise
        ctx.probabilities = torch.from_numpy(outputs)
        ctx.save_for_backward(x, weights)
        return ctx.probabilities.log().to(x.device, x.dtype)

    @staticmethod
    def backward(ctx: Any, *by_outputs: Any) -> Any:
        x, weights = ctx.saved_tensors
        by_log = by_outputs[0].to("cpu", torch.float64)
        seeds = torch.where(ctx.probabilities > 0, by_log / ctx.probabilities, torch.zeros_like(by_log))
        by_input, by_weight = _Backward.apply(ctx.kept, seeds, x.double(), weights, ctx.needs_input_grad[1:], False)
        return None, None if by_input is None else by_input.to(x.dtype), by_weight


class SparseForward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *given: Any, **_: Any) -> torch.Tensor:
        reasoner, begin, column, value, weights = given
        used = None if weights is None else weights.detach().cpu().contiguous().numpy()
        ctx.rows = (begin, column, value.detach().cpu().contiguous().numpy())
        outputs, ctx.kept = reasoner._core.sparse_forward(*ctx.rows, used)
        ctx.save_for_backward(value, weights)
        return torch.from_numpy(outputs).to(value.device)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *by_outputs: Any) -> Any:
        value, weights = ctx.saved_tensors
        seeds = by_outputs[0].detach().to("cpu", value.dtype).contiguous().numpy()
        by_value, by_weight = ctx.kept.sparse_backward(*ctx.rows, seeds, *ctx.needs_input_grad[3:])
        return (
            None,
            None,
            None,
            None if by_value is None else torch.from_numpy(by_value).to(value.device),
            None if by_weight is None else torch.from_numpy(by_weight).to(weights.device, weights.dtype),
        )


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
