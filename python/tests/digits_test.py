"""Two-digit sums to the end: accuracy, and time beside PyTorch."""

from examples_test import load


def test_digit_sums():
    right, ratio = load("digit_sums").main()
    assert right >= 0.98
    assert ratio <= 1.3
