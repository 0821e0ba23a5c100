"""What acts refuse, by its code."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.exceptions import ValidationError


@contextmanager
def refuses(code: str) -> Iterator[None]:
    """Assert that the block is refused with this code."""
    with pytest.raises(ValidationError) as refused:
        yield
    assert refused.value.code == code
