"""What the worker asks for: one program, what it may see and use, and how it is held."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

NAMESPACES, LANDLOCK, TRUSTED = "namespaces", "landlock", "trusted"
TIERS = (NAMESPACES, LANDLOCK)
"""The ways to shut a program in, the stronger first."""


@dataclass(frozen=True)
class Job:
    """A program to start; without a command the jail itself is tried, and nothing is run."""

    tier: str
    command: tuple[str, ...]
    folder: str
    shown: tuple[str, ...]
    path: str
    cpu_seconds: int
    memory_mb: int

    def to_bytes(self) -> bytes:
        """Return it as one message for the doorkeeper."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, message: bytes) -> Job:
        """Return what a message asks for."""
        told = json.loads(message)
        return cls(**told | {"command": tuple(told["command"]), "shown": tuple(told["shown"])})


@dataclass(frozen=True)
class News:
    """What a keeper tells of its program: that it runs, why it does not, or how it ended.

    `status` is a signal's number below zero, as in `subprocess`. `over_memory`: the keeper ended it
    for what it held.
    """

    running: bool = False
    failed: str = ""
    status: int | None = None
    over_memory: bool = False

    def to_bytes(self) -> bytes:
        """Return it as one message for the worker."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, message: bytes) -> News:
        """Return what a message tells."""
        return cls(**json.loads(message))
