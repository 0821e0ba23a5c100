"""Numbers that come from outside: bounded, plain, or nothing."""

import pytest

from tables.numbers import rounded, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("9" * 17, 10**17 - 1), ("9" * 18, None), ("9" * 5000, None)]
    + [(text, None) for text in ("", None, "-1", "1.5", "٣", "x")],
)
def test_only_plain_digits_within_bounds_are_a_number(text, number):
    assert whole_number(text) == number


def test_fewer_digits_can_be_asked_for():
    assert (whole_number("99999", 5), whole_number("100000", 5)) == (99999, None)


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (2 / 30 * 100, 1, "6.7"),
        (0.96, 1, "1.0"),
        (-0.004, 2, "0.00"),
        (-1.25, 1, "-1.2"),
        (3, 0, "3"),
    ],
)
def test_what_is_shown_is_rounded_and_never_cut_off(value, places, shown):
    assert rounded(value, places) == shown
