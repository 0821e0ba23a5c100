"""What people answered to a night's sign-up list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.base.facts.next_nights import coming_at
from league.models import Entrant, Event, Player, SignUp, SignUpAnswer
from league.nights.facts.table_sizes import sizes_ahead

ASKED = 24
"""The most people named who have not answered."""
WAITING = "waiting"


@dataclass(frozen=True)
class ListAnswers:
    """What was answered, by reply, but for those who have come or gone since.

    Who is coming without a place is under `WAITING`. `coming` counts guests too; `silent` is the
    number of those who have not answered, of whom `unheard` are the first. `tables` are the sizes
    of the tables that those who come fill, the largest first, `full` that of a full one; `places`
    is how many may come, None if that is open.
    """

    coming: int
    by_reply: dict[str, list[SignUpAnswer]]
    silent: int
    unheard: list[Player]
    tables: Sequence[int] = ()
    full: int = 4
    places: int | None = None


def answers_to(event: Event, people: Sequence[Entrant]) -> ListAnswers | None:
    """Return the answers to the night's list, `people` being its entrants; None without a list."""
    sign_up = SignUp.objects.filter(event=event).first()
    if sign_up is None:
        return None
    met = {one.player_id for one in people if one.presence != Entrant.Presence.EXPECTED}
    answers = SignUpAnswer.objects.filter(sign_up__event=event).exclude(player__in=met)
    by_reply: dict[str, list[SignUpAnswer]] = {
        key: [] for key in (*SignUpAnswer.Reply.values, WAITING)
    }
    for answer in answers.select_related("player").order_by("turn", "pk"):
        waits = answer.reply == SignUpAnswer.Reply.YES and not answer.is_in
        by_reply[WAITING if waits else answer.reply].append(answer)
    answered = {each.player_id for said in by_reply.values() for each in said} | met
    others = event.season.club.players.people().exclude(pk__in=answered)
    coming = coming_at([event])[event.pk]
    tables = () if event.has_queue else sizes_ahead(event, range(coming), [])
    silent, unheard = others.count(), list(others[:ASKED])
    full, places = event.full_table, sign_up.places
    return ListAnswers(coming, by_reply, silent, unheard, tables, full, places)
