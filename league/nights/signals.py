"""Signals of nights for the apps above, sent within the transaction that causes them."""

from django.dispatch import Signal

round_released = Signal()
"""Sent with `round_` when a round is released."""

night_closed = Signal()
"""Sent with `event` when a night is closed."""

night_reopened = Signal()
"""Sent with `event` when a closed night is reopened."""

night_moved = Signal()
"""Sent with `event`, `by`, what of its day, hour and venue it `was`, as JSON values, and by how
much its local start is `later`, negative if earlier."""

night_called_off = Signal()
"""Sent with `event` when a night is called off."""

dispute_opened = Signal()
"""Sent with `dispute` when a game is disputed."""

director_called = Signal()
"""Sent with `sitting` when a table calls an organiser."""
