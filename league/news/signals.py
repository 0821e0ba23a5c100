"""Signals of news, sent within the transaction of their cause."""

from django.dispatch import Signal

news_waits = Signal()
"""Messages that are due are in the outbox."""
