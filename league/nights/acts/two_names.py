"""What hangs on a name tonight, as two names of one person are merged or separated.

The caller has locked the night. What is carried over is returned as data for the log.
"""

import datetime
from typing import Any

from accounts.models import User
from league.models import Claim, Entrant, Event, Place, Player
from league.nights.acts import claims, roll_calls, waitlist
from league.seasons.acts import places

HERE, LEFT, ABSENT, EXPECTED = (
    Entrant.Presence(key).value for key in ("here", "left", "absent", "expected")
)
STRENGTHS = (EXPECTED, ABSENT, LEFT, HERE)
"""What is known of a person under two names is the last of these."""
ARRIVAL = ("came_at", "late", "from_club", "from_place")


def carry(*, event: Event, alias: Player, into: Player, by: User) -> dict[str, Any]:
    """Let `into` be present, wait, sit and hold a phone for the alias; return what it was before.

    In a closed night nobody moves; what its rules gave the person twice is revoked in any night.
    """
    note: dict[str, Any] = {}
    entry = event.entrants.filter(player=alias).first() if event.is_open else None
    if entry is not None:
        other, _made = Entrant.objects.get_or_create(event=event, player=into)
        note = {
            "presence": [entry.presence, other.presence],
            "arrival": [_stored(getattr(other, field)) for field in ARRIVAL],
        }
        if entry.came_at and (other.came_at is None or entry.came_at < other.came_at):
            other.came_at, other.late = entry.came_at, entry.late
        if entry.from_place and not other.from_place:
            other.from_club, other.from_place = entry.from_club, entry.from_place
        other.presence = max(entry.presence, other.presence, key=STRENGTHS.index)
        if other.presence == HERE and other.leaves_after is None:
            other.leaves_after = entry.leaves_after
        entry.presence, entry.leaves_after = LEFT, None
        for one in (entry, other):
            one.save(update_fields=["presence", "leaves_after", *ARRIVAL])
        note["turn"] = waitlist.hand_over(event, entry, other)
    if event.is_open:
        note["claims"] = claims.settle(event=event)
        waitlist.settle(event)
    note["revoked"] = roll_calls.revoke_doubles(event=event, player=into, by=by)
    places.keep(event=event)
    return {key: value for key, value in note.items() if value}


def part(*, event: Event, alias: Player, old: Player, note: dict[str, Any]) -> None:
    """Give both players of a merge their own presence, seat, turn and phone in an open night.

    A player who came before the merge, or sits at a table now, is as present as the two were
    together; the other is as before. A merge by an earlier release left no note: then nobody is
    moved but a player who sits at a table.
    """
    revoked = event.adjustment_set.filter(pk__in=note.get("revoked", ()))
    revoked.update(revoked_at=None, revoked_by=None)
    if not event.is_open:
        places.keep(event=event)
        return
    Claim.objects.filter(pk__in=note.get("claims", ()), player=old).update(player=alias)
    pair = {e.player_id: e for e in event.entrants.filter(player__in=[alias, old])}
    if len(pair) == 2:
        one, other = pair[alias.pk], pair[old.pk]
        if turn := note.get("turn"):
            waitlist.hand_back(event, one, other, turn)
        _part_presence(one, other, _seated_now(event), note.get("presence"))
        for field, before in zip(ARRIVAL, note.get("arrival", ()), strict=False):
            if getattr(other, field) == getattr(one, field):
                setattr(other, field, _read(field, before))
        for each in (one, other):
            if each.presence != HERE:
                each.leaves_after = None
            each.save(update_fields=["presence", "leaves_after", *ARRIVAL])
    waitlist.settle(event)


def _part_presence(one: Entrant, other: Entrant, seated: set[int], noted: list[str] | None) -> None:
    sits = {one.pk, other.pk} & seated
    usual = [one.presence, EXPECTED if one.pk in sits else other.presence]
    was = dict(zip((one, other), noted or usual, strict=True))
    together = other.presence
    came = [each for each in was if was[each] == HERE or each.pk in sits]
    came = came or [each for each in was if was[each] == LEFT] or [other]
    is_same = noted is not None and together == max(noted, key=STRENGTHS.index)
    for each, before in was.items():
        follows = each in came and (each.pk in sits or not is_same)
        each.presence = together if follows else before


def _seated_now(event: Event) -> set[int]:
    """Return the entrants at the tables of the event's latest round."""
    places = Place.objects.filter(round__event=event, to_game=None)
    last = places.order_by("-round__number").values("round__number")[:1]
    return set(places.filter(round__number=last).values_list("entrant_id", flat=True))


def _stored(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.datetime) else value


def _read(field: str, value: Any) -> Any:
    return datetime.datetime.fromisoformat(value) if field == "came_at" and value else value
