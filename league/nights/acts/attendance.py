"""Who is here: check-in and guests."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.clubs.acts import players
from league.models import Audit, Entrant, Event, Player, Round
from league.nights.acts import roll_calls, waitlist
from league.nights.facts import last_changes
from league.seasons.facts import rosters
from tables.refusals import Refusal


@transaction.atomic
def set_presence(
    *,
    event: Event,
    player_ids: Collection[int],
    presence: str,
    by: User | None,
    captain: Player | None = None,
    undoes: int | None = None,
) -> int | None:
    """Mark those players as here, expected or left; return the log's entry, None for no change.

    `by` is None where people check themselves in by the night's link. A `captain` speaks for the
    own team only, and says who sits in or out. `undoes` is the entry of a change that this one
    takes back, with the seats of a queue night that it freed. Refusal: `overtaken` if one of them
    was changed again since.
    """
    event = locks.event_to_change(event.pk)
    if undoes is not None:
        later = last_changes.find_presence_after(event, player_ids, undoes)
        last_changes.refuse_overtaken(event, later)
    said = {} if captain is None else _as_captain(event, captain, player_ids, presence)
    roll_calls.end_if_due(event)
    club = event.season.club
    known = set(
        club.players.filter(pk__in=player_ids, merged_into=None).values_list("pk", flat=True)
    )
    if known != set(player_ids):
        raise Refusal(_("Someone on this list is no longer a player of the club. Reload the page."))
    entered = set(event.entrants.filter(player__in=known).values_list("player_id", flat=True))
    Entrant.objects.bulk_create(
        [Entrant(event=event, player_id=pk, presence=presence) for pk in known - entered]
    )
    if presence == Entrant.Presence.HERE:
        roll_calls.note_arrival(event, known, entered)
    elif presence == Entrant.Presence.EXPECTED:
        roll_calls.forget_arrival(event, known)
    event.entrants.filter(player__in=entered).update(leaves_after=None)
    changed = event.entrants.filter(player__in=entered).exclude(presence=presence)
    if event.has_queue and (seats := waitlist.held(event, changed)):
        said["seats"] = seats
    count = changed.update(presence=presence) + len(known - entered)
    if undoes is not None and presence == Entrant.Presence.HERE:
        undone = Audit.objects.filter(event=event, pk=undoes).first()
        waitlist.give_back(event, undone.data.get("seats", {}) if undone else {})
    waitlist.settle(event)
    if not count:
        return None
    entry = audit.log(
        "event.presence",
        club=club,
        by=by,
        event=event,
        players=sorted(known),
        to=presence,
        **said,
    )
    return entry.pk


@transaction.atomic
def leave(*, event: Event, player_id: int, after_round: bool) -> None:
    """Have a player go who says so: at once, or after the round that is being played.

    Without a round that lasts they go at once.
    """
    event = locks.event_to_change(event.pk)
    latest = None if event.has_queue else event.rounds.order_by("-number").first()
    if not after_round or latest is None or latest.status == Round.Status.DRAFT:
        set_presence(event=event, player_ids=[player_id], presence=Entrant.Presence.LEFT, by=None)
        return
    here = event.entrants.filter(player=player_id, presence=Entrant.Presence.HERE)
    if here.update(leaves_after=latest.number):
        audit.log("event.goes", by=None, event=event, player=player_id, round=latest.number)


def let_go(event: Event) -> None:
    """Mark as left who goes after a round, as the next is drawn; the caller locks the event."""
    released = event.rounds.filter(status=Round.Status.RELEASED).count()
    going = event.entrants.filter(leaves_after__lte=released)  # That one may have been withdrawn.
    if ids := list(going.values_list("player_id", flat=True)):
        set_presence(event=event, player_ids=ids, presence=Entrant.Presence.LEFT, by=None)


def _as_captain(
    event: Event, captain: Player, player_ids: Collection[int], presence: str
) -> dict[str, Any]:
    """Return what the log says of the captain; Refusal beyond the own team."""
    crew = rosters.crew_of(event.season_id, captain)
    if crew is None or not set(player_ids) <= {mate.pk for mate in crew.mates}:
        raise Refusal(
            _("Only a team's captain can say who in the team sits in or out."), status=403
        )
    if presence not in (Entrant.Presence.HERE, Entrant.Presence.EXPECTED):
        raise Refusal(_("A captain can only say who sits in or out."))
    return {"captain": captain.pk, "team": crew.name}


@transaction.atomic
def add_guest(*, event: Event, name: str, by: User) -> Entrant:
    """Someone who walked in: a new player of the club, here at once.

    A name that the club knows checks that player in instead, because that is who came.
    """
    event = locks.event_to_change(event.pk)
    roll_calls.end_if_due(event)
    club = event.season.club
    known = players.find_by_name(club=club, name=name)
    player: Player = known or players.add_player(club=club, name=name, by=by)
    listed = set(event.entrants.filter(player=player).values_list("player_id", flat=True))
    entrant, _created = Entrant.objects.get_or_create(event=event, player=player)
    roll_calls.note_arrival(event, [player.pk], listed)
    Entrant.objects.filter(pk=entrant.pk).update(presence=Entrant.Presence.HERE, leaves_after=None)
    waitlist.settle(event)
    audit.log("event.guest", club=club, by=by, event=event, player=player.pk)
    return entrant
