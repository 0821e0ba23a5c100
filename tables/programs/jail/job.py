"""A worker's request for a program: the program, its view and limits, and its jail."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

NAMESPACES, LANDLOCK, TRUSTED = "namespaces", "landlock", "trusted"
TIERS = (NAMESPACES, LANDLOCK)
"""The kinds of jail, the stronger first."""


@dataclass(frozen=True)
class Job:
    """A program to start; without a command the jail itself is tested."""

    tier: str
    command: tuple[str, ...]
    folder: str
    shown: tuple[str, ...]
    path: str
    cpu_seconds: int
    memory_mb: int

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, message: bytes) -> Job:
        fields = json.loads(message)
        return cls(
            **fields | {"command": tuple(fields["command"]), "shown": tuple(fields["shown"])}
        )


@dataclass(frozen=True)
class News:
    """A keeper's message on its program: that it runs, why it does not, or how it ended.

    `status` is a signal's negative number, as in `subprocess`. With `over_memory` the keeper killed
    it for its memory.
    """

    running: bool = False
    failed: str = ""
    status: int | None = None
    over_memory: bool = False

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, message: bytes) -> News:
        return cls(**json.loads(message))
