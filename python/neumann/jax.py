"""Reasoning as a function of JAX.

>>> import neumann, neumann.jax, jax, jax.numpy as jnp
>>> program = neumann.Program(text=":- neural(a). :- neural(b). c :- a, b.")
>>> both = neumann.jax.reasoner(program, ["a", "b"], "c", semantics="exact")
>>> both(jnp.array([[0.5, 0.25]]))
Array([[0.125]], dtype=float32)
>>> jax.jit(jax.grad(lambda x: both(x).sum()))(jnp.array([[0.5, 0.25]]))
Array([[0.25, 0.5 ]], dtype=float32)
"""

from __future__ import annotations

from typing import Any, Callable

import jax
import numpy as np

from ._program import Program
from ._reasoner import Inputs
from ._reasoner import Reasoner


def reasoner(program: Program, inputs: Inputs | None = None, outputs: Any = None, **options: Any) -> Callable[..., jax.Array]:
    """A program as a function from arrays [B, K] to arrays [B, Q], for `jit`, `grad` and `vmap`; options as of
    `Program.reasoner`. Called with `weights`, an array with one for each clause, it has gradients by them, too.

    JAX calls the processor back (`jax.pure_callback`), so arrays of a GPU are copied. The backward pass computes the
    values again. The reasoner is `.reasoner` of the function, with `output_values` and `index`.
    """
    one = Reasoner(program, inputs, outputs, **options)
    columns, results = len(one.input_atoms), len(one.output_atoms)

    def values(x: Any, weights: Any) -> np.ndarray:
        return one(np.asarray(x), weights=np.asarray(weights, dtype=np.float64))

    def slopes(x: Any, weights: Any, seeds: Any) -> tuple[np.ndarray, np.ndarray]:
        found = one.gradients(np.asarray(x), np.asarray(seeds), weights=np.asarray(weights, dtype=np.float64))
        return found.inputs, found.weights.astype(weights.dtype)

    @jax.custom_vjp
    def reason(x: Any, weights: Any) -> jax.Array:
        shape = jax.ShapeDtypeStruct((*x.shape[:-1], results), x.dtype)
        return jax.pure_callback(values, shape, x, weights, vmap_method="sequential")

    def forward(x: Any, weights: Any) -> Any:
        return reason(x, weights), (x, weights)

    def backward(kept: Any, seeds: Any) -> Any:
        x, weights = kept
        shapes = (jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct(weights.shape, weights.dtype))

        return jax.pure_callback(slopes, shapes, x, weights, seeds, vmap_method="sequential")

    reason.defvjp(forward, backward)

    def call(x: Any, weights: Any = None) -> jax.Array:
        x = jax.numpy.asarray(x)
        if x.ndim != 2 or x.shape[1] != columns:
            raise ValueError(f"x: expected an array of shape [B, {columns}], not {list(x.shape)}")
        return reason(x, jax.numpy.asarray(one.weights if weights is None else weights))

    call.reasoner = one  # type: ignore[attr-defined]
    return call


__all__ = ["reasoner"]
