"""Marks the sentences of the domain for the translators, without translating anything."""

from __future__ import annotations

from engine.texts import mark

__all__ = ["mark"]
