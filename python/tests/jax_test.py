"""The layer of JAX: values, gradients, jit and vmap."""

import neumann
import numpy as np
import pytest

@pytest.fixture(scope="module")
def wet():
    pytest.importorskip("jax")
    import neumann.jax

    program = neumann.Program(text=":- neural(rain). :- neural(hose). 0.5::wet :- rain. 0.25::wet :- hose.")
    return neumann.jax.reasoner(program, ["rain", "hose"], "wet", semantics="exact")


X = np.array([[0.5, 0.25], [0.125, 0.75]], dtype=np.float32)


def test_values_are_those_of_the_reasoner(wet):
    import jax

    expected = wet.reasoner(X)
    np.testing.assert_array_equal(wet(X), expected)
    np.testing.assert_array_equal(jax.jit(wet)(X), expected)
    np.testing.assert_array_equal(jax.vmap(wet)(X[:, None]), expected[:, None])


def test_gradients_by_inputs_and_weights(wet):
    import jax
    from jax.test_util import check_grads

    weights = jax.numpy.array([0.5, 0.25])
    check_grads(wet, (jax.numpy.array(X), weights), order=1, modes=["rev"], eps=1e-2, atol=1e-2, rtol=1e-2)
    slopes = jax.jit(jax.grad(lambda x: wet(x).sum()))(X)
    np.testing.assert_allclose(slopes, wet.reasoner.gradients(X).inputs)


def test_a_wrong_shape_is_refused(wet):
    with pytest.raises(ValueError, match=r"expected an array of shape \[B, 2\], not \[2\]"):
        wet(X[0])
