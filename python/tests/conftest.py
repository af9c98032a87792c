"""What the tests share."""

import pytest

DIGITS = """
:- type(image, [a, b]).
:- type(digit, 0..3).
:- neural(digit(image, digit)).
:- exclusive(digit/2, 2).
sum(S) :- digit(a, X), digit(b, Y), S is X + Y.
"""

WET = """
:- neural(rain).  :- neural(sprinkler).  :- neural(frost).
0.6::wet :- rain.
0.7::wet :- sprinkler.
0.8::slippery :- wet, frost.
"""


@pytest.fixture
def digits():
    import neumann

    return neumann.Program(text=DIGITS, name="digits.nm")


@pytest.fixture
def wet():
    import neumann

    return neumann.Program(text=WET, name="wet.nm")
