"""Numbers that come from outside: bounded, plain, or nothing."""

import pytest

from tables.numbers import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("9" * 17, 10**17 - 1), ("9" * 18, None), ("9" * 5000, None)]
    + [(text, None) for text in ("", None, "-1", "1.5", "٣", "x")],
)
def test_only_plain_digits_within_bounds_are_a_number(text, number):
    assert whole_number(text) == number


def test_fewer_digits_can_be_asked_for():
    assert (whole_number("99999", 5), whole_number("100000", 5)) == (99999, None)
