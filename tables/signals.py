"""News that travels after commit. A periodic sweep makes sure that none is missed."""

from django.dispatch import Signal

run_started = Signal()
"""Sent with `run_id` when a run has units to play."""

run_finished = Signal()
"""Sent with `run_id` when a run ended, done or cancelled."""

table_finished = Signal()
"""Sent with `game_id` when a game at a table where people play is over."""

advice_wanted = Signal()
"""Sent with `question`, `slot` and `seconds` when a page waits for what a bot would do."""
