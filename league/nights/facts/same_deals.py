"""The deals that all tables of a round play: which have ended everywhere, and their cards."""

from __future__ import annotations

from collections import defaultdict
from itertools import count

from django.db.models import F, QuerySet

from league.models import Audit, Entrant, Event, LiveTable, NightDeals, Result, Round
from league.models.result import latest
from tables.models import Game
from tables.play.facts import deals


def told(round_: Round) -> int:
    """Return how many deals of a round, from the first, every table has ended.

    A table has ended a deal with its result, or where it is played online with its last card; one
    that was ended early holds up nobody. All are told once the night is closed, or its next round
    is out and nobody plays this one.
    """
    if _is_over(round_):
        return round_.event.games_per_round or 0
    done: defaultdict[int, set[int]] = defaultdict(set)
    entered = Result.objects.filter(latest(), sitting__round=round_)
    for sitting, number in entered.values_list("sitting", "game_no"):
        done[sitting].add(number)
    online = LiveTable.objects.filter(sitting__round=round_)
    played = online.filter(table__games__over_at__isnull=False)
    for sitting, first, number in played.values_list("sitting", "from_game", "table__games__no"):
        done[sitting].add(first + number - 1)
    still = round_.sittings.exclude(pk__in=online.values("sitting"))
    on = set(still.values_list("pk", flat=True)) | set(_on(round_))
    if not on:
        return max((number for numbers in done.values() for number in numbers), default=0)
    return min(next(n for n in count(1) if n not in done[sitting]) - 1 for sitting in on)


def _on(round_: Round) -> QuerySet[LiveTable, int]:
    """Return the sittings of a round that are online now."""
    found = LiveTable.objects.filter(sitting__round=round_).exclude(table__status="closed")
    return found.values_list("sitting", flat=True)


def _is_over(round_: Round) -> bool:
    if round_.event.status == Event.Status.CLOSED:
        return True
    later = Round.objects.filter(
        event=round_.event_id, number__gt=round_.number, status=Round.Status.RELEASED
    )
    return later.exists() and not _on(round_).exists()


def revealed_games(event: Event) -> QuerySet[Game]:
    """Return the games of a night's online tables whose deals are told, deal by deal."""
    number = F("table__arrangement__shared_from") + F("no") - 1
    over = Game.objects.filter(
        table__live_sitting__sitting__round__event=event, over_at__isnull=False
    )
    revealed = over.filter(table__arrangement__shared__told__gte=number)
    return revealed.select_related("table__ruleset", "table__arrangement__shared").order_by(
        "table__arrangement__shared", number, "table"
    )


def hands(event: Event, round_no: int, number: int) -> list[str]:
    """Return the four hands of a deal as texts; none if the round has no deals yet.

    The caller checks that the deal is `told`, or that the reader prepares it.
    """
    found = NightDeals.objects.select_related("shared").filter(event=event, round_no=round_no)
    known = found.first()
    return deals.shared_hands(known.shared, number, event.rules) if known else []


def preparers(event: Event) -> set[int]:
    """Return the users who have seen the night's cards to sort packs by them."""
    seen = Audit.objects.filter(event=event, action="deals.seen")
    return {key for key in seen.values_list("by", flat=True) if key is not None}


def plays(event: Event, user_id: int) -> bool:
    """Return whether a player of the user's is here, or has been."""
    own = event.entrants.filter(player__user=user_id)
    return own.exclude(presence=Entrant.Presence.EXPECTED).exists()
