"""Sentences of the plain domain, put into the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from django.utils.translation import gettext as _


class Sentence(Protocol):
    """What the domain says: an English template and what fills its placeholders."""

    @property
    def template(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


def filled(sentence: Sentence) -> str:
    """The sentence in the active language."""
    text = _(sentence.template)
    return text % sentence.params if sentence.params else text
