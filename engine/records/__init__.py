"""Games as files: written, read, replayed, and sent to programs over a wire."""

from engine.records.record import (
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
