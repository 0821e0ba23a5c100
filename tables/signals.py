"""News that travels after commit. A periodic sweep makes sure that none is missed."""

from django.dispatch import Signal

run_started = Signal()
"""Sent with `run_id` when a run has units to play."""

run_finished = Signal()
"""Sent with `run_id` when a run ended, done or cancelled."""

table_finished = Signal()
"""Sent with `game_id` when a game at a table where people play is over."""

sits_down = Signal()
"""Asks with `table` and `user` under which name somebody may sit at a table for members only:
whoever knows that he may answers with it. Where nobody does, he may not."""

sat_down = Signal()
"""Tells with `seat` who has taken a chair of a table for members only, in the same transaction."""

leaves = Signal()
"""Tells with `seat` that somebody gets up between games at a table whose chairs change hands:
whoever stands behind it says who sits there then, or raises `Refused`."""

looks_after = Signal()
"""Asks with `table` and `user` who looks after a table that was opened for others: True from
whoever knows that this user does."""
