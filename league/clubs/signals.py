"""Signals of clubs, sent within the transaction of their cause."""

from django.dispatch import Signal

people_merged = Signal()
"""Sent with `alias`, `into`, `events`, `by` and `note` after a merge of two names.

`events` are the keys of the locked nights that have both, or the alias in an open night. `note` is
what the log keeps of it: receivers write down in it what they move.
"""

people_parted = Signal()
"""Sent with the same after a merge is undone; `note` is what was noted at the merge."""

zone_changes = Signal()
"""Sent with `club`, the new `zone` and `by` before the club is locked to change its time zone."""

name_goes = Signal()
"""Sent with `players` and `by` before the club is locked to remove their name."""

name_removed = Signal()
"""Sent with `player` and `by` after somebody hid or removed its name, or forgot an old one."""

account_unlinked = Signal()
"""Sent with `player` and `user` after the account was unlinked from the player."""

published = Signal()
"""Sent with `club` and `by` after a private club became public."""

club_closed = Signal()
"""Sent with `club` after it was closed or put in the bin."""

club_deleted = Signal()
"""Sent with `club` before it is deleted with all that was made in it."""

words_forgotten = Signal()
"""Sent with `club` after names or addresses were erased from its texts."""

name_changed = Signal()
"""Sent with `player` after somebody renamed it, or merged another name into it or separated it.

`change` is "renamed", "merged" or "unmerged", `by` who did it.
"""

ending_stopped = Signal()
"""Sent with `member`, an owner who stopped that another owner ends the role."""

name_unwanted = Signal()
"""Sent with `player` and `by` when an organiser decides that a player's name goes."""
