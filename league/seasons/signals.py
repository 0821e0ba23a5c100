"""Signals of seasons, sent within the transaction of their cause."""

from django.dispatch import Signal

season_reopened = Signal()
"""Sent with `season` after it was reopened."""
