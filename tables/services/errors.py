"""Why a table refuses; the views say it in the reader's language."""

from __future__ import annotations


class Refused(Exception):
    """What was asked cannot be done; `code` is a key of `tables.refusals.REASONS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Stale(Refused):
    """Somebody was quicker: the table is no longer what the player saw."""

    def __init__(self) -> None:
        super().__init__("stale")
