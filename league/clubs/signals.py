"""News of clubs that travels upward within the transaction that causes it."""

from django.dispatch import Signal

entrants_changed = Signal()
"""Sent with `event` when a merge of two names changed who is here; its row is locked."""

words_forgotten = Signal()
"""Sent with `club` when names or addresses were taken out of its texts."""
