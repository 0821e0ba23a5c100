"""Signals sent after commit, where nothing else is said. A periodic sweep catches lost ones."""

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

invited = Signal()
"""Sent with `invite`, in its transaction, when a friend is asked to a table."""

friend_waits = Signal()
"""Sent with `seat`, in its transaction, when an account sits alone at a new table for anyone."""

turn_unseen = Signal()
"""Sent with `seat` when its player is on turn, has no page of the table open, and has time."""

sprint_soon = Signal()
"""Sent with `sprint` some minutes before it begins, until it has begun."""
