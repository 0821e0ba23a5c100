"""Signals sent after commit. A periodic sweep catches those that are lost."""

from django.dispatch import Signal

run_started = Signal()
"""Sent with `run_id` when a run has units to play."""

run_finished = Signal()
"""Sent with `run_id` when a run is done or cancelled."""

bot_checked = Signal()
"""Sent with `upload` when a member's bot has passed or failed its check."""

tryout_begun = Signal()
"""Sent when pasted code waits to be tried."""

table_finished = Signal()
"""Sent with `game_id` when a game at an online table is over."""

review_wanted = Signal()
"""Sent with `game_id` when someone looks at a game whose review is not made yet."""

record_review_wanted = Signal()
"""Sent with `key` when someone looks at an entered game whose review is not made yet."""
