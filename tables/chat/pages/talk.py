"""The chat of a table."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from tables.models import Table

MOST_SHOWN = 30

QUICK = {
    "nice": _("Nice!"),
    "wow": _("Wow!"),
    "ouch": _("Ouch!"),
    "haha": _("Haha!"),
    "thanks": _("Thanks!"),
    "gg": _("Good game!"),
}
"""The quick words, which each reader sees in their own language."""

FACTS = {
    "given": _("My seat was given to another phone."),
    "taken": _("My own phone took the seat back."),
}
"""What the server says of a seat."""

TALKS = {
    Table.Talk.ALL: _("Everything"),
    Table.Talk.QUICK: _("Quick words only"),
    Table.Talk.OFF: _("Nothing"),
}


class TalkSetting(NamedTuple):
    """A choice of the host: who may post what."""

    name: str
    label: Promise
    words: Sequence[tuple[str, Promise]]
    chosen: str


@dataclass(frozen=True)
class Said:
    """One message; `seat` is the number of the author's seat, None for a spectator.

    `holder` tells authors apart: the seat's key, or a mark that does not reveal the account.
    """

    number: int
    seat: int | None
    holder: str
    name: str | Promise
    text: str
    quick: bool


def mark_of(table: Table, user: Any) -> str:
    """Return the mark of a spectator's account; it differs at every table."""
    return "w" + salted_hmac("tables.talk", f"{table.pk}:{user.pk}").hexdigest()[:12]


def talk(
    table: Table, *, until: datetime.datetime | None = None, own: User | None = None
) -> list[Said]:
    """Return the newest messages, oldest first: those up to `until`, and those of `own`."""
    said = table.messages.select_related("seat", "watcher")
    if until is not None:
        said = said.filter(Q(at__lte=until) | Q(watcher__isnull=False, watcher=own))
    newest = said.order_by("-id")[:MOST_SHOWN]
    return [
        Said(
            number=message.pk,
            seat=message.seat.no if message.seat else None,
            holder=mark_of(table, message.watcher) if message.watcher else str(message.seat_id),
            name=message.seat.name if message.seat else message.name or _("Spectator"),
            text=message.text or str((QUICK | FACTS)[message.quick]),
            quick=bool(message.quick),
        )
        for message in reversed(newest)
    ]


def settings_of(table: Table) -> list[TalkSetting]:
    """Return the host's settings: what players may post, and whether spectators may."""
    watchers = [("on", _("may chat")), ("off", _("read only"))]
    allowed = "on" if table.watchers_talk else "off"
    return [
        TalkSetting("talk", _("Players may post:"), list(TALKS.items()), table.talk),
        TalkSetting("watchers", _("Spectators:"), watchers, allowed),
    ]
