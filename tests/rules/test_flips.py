"""Each rule test fails when the rule it shows is flipped, so the rule is what it tests."""

import pytest

from tests.rules.flip import flipped
from tests.rules.marker import rule_tests

CASES = [(test, flip) for test in rule_tests() for flip in test.flips]


@pytest.mark.parametrize(
    ("test", "flip"), CASES, ids=[f"{test.name}-{n}" for n, (test, _) in enumerate(CASES)]
)
def test_the_example_fails_under_the_flip(test, flip):
    with flipped(flip), pytest.raises(AssertionError):
        test.function()
