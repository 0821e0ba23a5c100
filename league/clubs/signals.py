"""News of clubs that travels upward within the transaction that causes it."""

from django.dispatch import Signal

entrants_changed = Signal()
"""Sent with `event` when a merge of two names changed who is here; its row is locked."""

people_merged = Signal()
"""Sent with `events`, keys of locked closed nights, when two names became one person or two."""

words_forgotten = Signal()
"""Sent with `club` when names or addresses were taken out of its texts."""
