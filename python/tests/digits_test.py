"""Two-digit sums to the end: how many are right."""

from examples_test import load


def test_digit_sums():
    assert load("digit_sums").main() >= 0.98
