"""News of sign-up lists that travels upward within the transaction that causes it."""

from django.dispatch import Signal

moved_up = Signal()
"""Sent with `answer` when a player on the waiting list got a place."""
