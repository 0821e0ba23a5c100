"""Signals of the arena for the apps above, sent within the transaction that causes them."""

from django.dispatch import Signal

tournament_ended = Signal()
"""Sent with `event` when a bot tournament is over and closed."""
