"""Signals of money for the apps above, sent within the transaction that causes them."""

from django.dispatch import Signal

entry_posted = Signal()
"""Sent with `posting` when a member posts an entry by hand, or reverses one."""

entry_doubted = Signal()
"""Sent with `doubt` when a person whom an entry names says that it is not right."""

payment_reported = Signal()
"""Sent with `report` when a player says to have paid another."""

report_refused = Signal()
"""Sent with `report` when the payment was not received."""
