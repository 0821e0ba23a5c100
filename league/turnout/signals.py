"""Signals of sign-up lists for the apps above, sent within the transaction that causes them."""

from django.dispatch import Signal

moved_up = Signal()
"""Sent with `answer` when a player on the waiting list gets a place."""
