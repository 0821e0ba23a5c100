"""Signals of schedules for the apps above, sent within the transaction that causes them."""

from django.dispatch import Signal

schedule_failed = Signal()
"""Sent with `occurrence` when a scheduled event could not be created."""
