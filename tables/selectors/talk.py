"""What was said at a table, the same for everybody."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

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
"""The quick words, each in its reader's language."""


@dataclass(frozen=True)
class Said:
    """One message; `seat` is the number of the chair, `holder` who sat there."""

    number: int
    seat: int
    holder: int
    name: str
    text: str
    quick: bool


def talk(table: Table) -> list[Said]:
    """The newest messages, oldest first."""
    newest = table.messages.select_related("seat").order_by("-id")[:MOST_SHOWN]
    return [
        Said(
            number=message.pk,
            seat=message.seat.no,
            holder=message.seat_id,
            name=message.seat.name,
            text=message.text or str(QUICK[message.quick]),
            quick=bool(message.quick),
        )
        for message in reversed(newest)
    ]
