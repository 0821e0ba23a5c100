"""Roll calls before a night or a round: players not here at the end become absent."""

import datetime
from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.base.domain.grouped import grouped
from league.models import Adjustment, Entrant, Event, Place, Placing, Player
from league.models.result import latest
from league.nights.facts.events import has_begun
from league.nights.facts.roll_calls import called
from league.seasons.acts import adjustments
from league.seasons.facts.standings import canonical
from tables.base.columns import set_columns
from tables.refusals import Refusal

MOST_MINUTES = 60


@transaction.atomic
def start(*, event: Event, minutes: int, by: User) -> Event:
    """Start a roll call: expected players become absent after that many minutes.

    A running call is reset to this time. Refusal if nobody is missing.
    """
    event = locks.event_to_change(event.pk)
    if not 1 <= minutes <= MOST_MINUTES:
        raise Refusal(
            _("A call lasts 1 to %(most)s minutes."),
            params={"most": MOST_MINUTES},
            field="minutes",
        )
    if not called(event):
        raise Refusal(_("Nobody is missing: there is no one to call."), code="nobody")
    set_columns(event, call_ends_at=timezone.now() + datetime.timedelta(minutes=minutes))
    audit.log("event.called", by=by, event=event, minutes=minutes)
    return event


@transaction.atomic
def stop(*, event: Event, by: User) -> Event:
    """Cancel a running call: nobody becomes absent."""
    event = locks.event_to_change(event.pk)
    end_if_due(event)
    if event.call_ends_at is not None:
        set_columns(event, call_ends_at=None)
        audit.log("event.call_stopped", by=by, event=event)
    return event


def end_if_due(event: Event) -> None:
    """Mark missing players as absent if the call is over; the caller locks the event."""
    if event.call_ends_at is None or event.call_ends_at > timezone.now():
        return
    gone = called(event)
    absent = event.entrants.filter(pk__in=[entrant.pk for entrant in gone])
    absent.update(presence=Entrant.Presence.ABSENT)
    set_columns(event, call_ends_at=None)
    audit.log(
        "event.call_ended",
        by=None,
        event=event,
        players=sorted(entrant.player_id for entrant in gone),
    )


def note_arrival(event: Event, came: Collection[int], listed: Collection[int]) -> None:
    """Store when these players first arrive, and whether those on the list are late.

    Call it before they are marked as here.
    """
    new = event.entrants.filter(player__in=came, came_at=None, player__bot="")
    late = Q() if has_begun(event) else Q(presence=Entrant.Presence.ABSENT)
    new.filter(late, player__in=listed).update(late=True)
    new.update(came_at=timezone.now())


def forget_arrival(event: Event, gone: Collection[int]) -> None:
    """Undo an arrival that was a tap on the wrong name, until a round is released."""
    if not has_begun(event):
        event.entrants.filter(player__in=gone).update(came_at=None, late=False)


def post_points(event: Event, by: User) -> None:
    """Post the night's points for absence and lateness, once each.

    The caller locks the season. An organiser's revocation is final; points of players excused since
    are revoked while they are.
    """
    rules = event.rules_of_scoring
    missed, late = _missed_and_late(event)
    _post(event, by, Adjustment.Cause.ABSENCE, missed if rules.absence else set())
    _post(event, by, Adjustment.Cause.LATENESS, late if rules.lateness else set())


def revoke_doubles(*, event: Event, player: Player, by: User) -> list[int]:
    """Revoke what the night's rules gave a person who has two names, beyond what one would get.

    Returns the keys. The caller locks the event. A season that is closed changes too: as with
    results, the person is one.
    """
    missed, late = _missed_and_late(event)
    due = {Adjustment.Cause.ABSENCE: missed, Adjustment.Cause.LATENESS: late}
    own = event.adjustment_set.in_force().exclude(cause="").select_related("player")
    own = own.filter(Q(player=player) | Q(player__merged_into=player))
    kept, doubles = set[str](), []
    for each in sorted(own, key=lambda one: (one.player_id != player.pk, one.pk)):
        people = due.get(Adjustment.Cause(each.cause), {player.pk})
        if each.cause in kept or player.pk not in people:
            doubles.append(each.pk)
        kept.add(each.cause)
    Adjustment.objects.filter(pk__in=doubles).update(revoked_at=timezone.now(), revoked_by=by)
    return doubles


def _missed_and_late(event: Event) -> tuple[set[int], set[int]]:
    """Return who missed the night and who came late, each person once.

    Under several names a person came when the first of them did, and missed it if none did. A
    player of a game who is absent at a later call has not missed the night.
    """
    sat = Exists(Place.objects.filter(entrant=OuterRef("pk")))
    played = Exists(Placing.objects.filter(latest("result__"), entrant=OuterRef("pk")))
    entrants = event.entrants.select_related("player__merged_into").filter(player__bot="")
    came_or_sat = Q(sat=True) | Q(came_at__isnull=False)
    names = grouped(
        (canonical(entrant.player).pk, entrant)
        for entrant in entrants.alias(sat=sat).annotate(came=came_or_sat, played=played)
    )
    missed, late = set[int](), set[int]()
    for person, own in names.items():
        here = [one for one in own if one.presence == Entrant.Presence.HERE]
        left = [one for one in own if one.presence == Entrant.Presence.LEFT]
        absent = [one for one in own if one.presence == Entrant.Presence.ABSENT]
        came = here + [one for one in left if len(own) == 1 or one.came]
        came += [one for one in absent if one.played]
        if came:
            first = min(came, key=lambda one: (one.came_at is None, one.came_at or one.pk))
            late |= {person} if first.late else set()
        elif absent:
            missed.add(person)
    return missed, late


def _post(event: Event, by: User, cause: Adjustment.Cause, people: set[int]) -> None:
    given = event.adjustment_set.filter(cause=cause).select_related("player__merged_into")
    known = {canonical(each.player).pk for each in given if not each.is_taken_back}
    rules = event.rules_of_scoring
    points = rules.absence if cause == Adjustment.Cause.ABSENCE else rules.lateness
    season = event.season
    for player in season.club.players.filter(pk__in=people - known).order_by("pk"):
        adjustments.adjust_points(
            season=season,
            event=event,
            player=player,
            points=adjustments.exactly(points),
            reason=cause.value,
            by=by,
            cause=cause,
        )
    for adjustment in given:
        if canonical(adjustment.player).pk not in people and adjustment.revoked_at is None:
            adjustments.revoke(adjustment=adjustment, by=by, by_rule=True)
