"""News of nights that travels upward within the transaction that causes it."""

from django.dispatch import Signal

round_released = Signal()
"""Sent with `round_` when everyone may see where they sit."""

night_closed = Signal()
"""Sent with `event` when a night was closed."""

night_reopened = Signal()
"""Sent with `event` when a closed night was opened again."""

night_called_off = Signal()
"""Sent with `event` when a night was called off."""

dispute_opened = Signal()
"""Sent with `dispute` when someone says that a game is wrong."""
