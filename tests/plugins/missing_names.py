"""Fails a test whose page asks an object that is there for an attribute that it has not.

Django's templates are silent about it, also in `if`, `for`, `with` and before `default`: a renamed
attribute is an empty place. A name that the page was not given at all may be missing, as may what
`None`, a text, a mapping or a list has not.
"""

import sys
from collections.abc import Generator, Mapping, Sequence
from types import NoneType
from typing import Any

import pytest
from django.template import Context, VariableDoesNotExist

KNOWN = frozenset({"form.FOLDED", "form.seen", "form.sentence"})
"""What some forms have and others not; this only shrinks."""

_found: dict[str, str] = {}


def pytest_configure() -> None:
    begin = VariableDoesNotExist.__init__

    def told(error: VariableDoesNotExist, *args: Any, **named: Any) -> None:
        begin(error, *args, **named)
        asked = sys._getframe(1).f_locals
        owner, variable = asked.get("current"), getattr(asked.get("self"), "var", "?")
        if not isinstance(owner, NoneType | str | Context | Mapping | Sequence):
            _found[variable] = f"{variable}: {type(owner).__name__} has no {asked.get('bit')}"

    VariableDoesNotExist.__init__ = told  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    _found.clear()
    yield
    missing = sorted(_found[variable] for variable in _found.keys() - KNOWN)
    assert missing == [], "templates ask for what is not there"
