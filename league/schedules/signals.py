"""News of schedules that travels upward within the transaction that causes it."""

from django.dispatch import Signal

schedule_failed = Signal()
"""Sent with `occurrence` when what a schedule repeats could not be created."""
