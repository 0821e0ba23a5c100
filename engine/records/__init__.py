"""Game records: writing, reading and replaying them, and the protocol for external bots."""

from .record import (
    action_name,
    legal,
    load,
    parse,
    play_through,
    record_of,
    replay,
    step,
    write,
)

__all__ = [
    "action_name", "legal", "load", "parse", "play_through", "record_of", "replay", "step", "write",
]  # fmt: skip
