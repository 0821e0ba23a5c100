"""A table as spectators may see it: delayed, if the table has a watch delay."""

from __future__ import annotations

import datetime
from copy import copy
from dataclasses import replace
from typing import Any, cast

from django.db.models import Max
from django.utils import timezone

from engine.rules.actions import action_from_json
from tables.base.fifo_cache import FifoCache
from tables.models import Action, Game, Seat, Table
from tables.play.facts import positions, standings
from tables.play.facts.positions import Position
from tables.play.facts.replayed import as_dealt

RENEWED = 2
"""Seconds for which a delayed position is cached, because many may watch it."""
INSTANT = datetime.timedelta(microseconds=1)

_cached: FifoCache[tuple[int, int], Position] = FifoCache(100)


def as_seen(table: Table, seat: Seat | None) -> Position:
    """Return the position for this seat; `seat` is None for a spectator."""
    now = timezone.now()
    if seat is not None or not table.watch_delay:
        return positions.of(table)
    at = (table.pk, int(now.timestamp()) // RENEWED)
    found = _cached.get(at)
    if found is None:
        found = _as_it_was(positions.of(table), now)
        _cached.put(at, found)
    return found


def seen_until(table: Table, seat: Seat | None) -> datetime.datetime:
    """Return the latest end of a game that this visitor may know about."""
    late = table.watch_delay in (Table.WatchDelay.SECONDS, Table.WatchDelay.MINUTE)
    seconds = table.watch_delay if late and seat is None else 0
    return timezone.now() - datetime.timedelta(seconds=seconds)


def heard_until(table: Table, seat: Seat | None) -> datetime.datetime | None:
    """Return the moment up to which this visitor reads the chat; None for no limit.

    Words about a game reveal as much as its cards.
    """
    if seat is not None or not table.watch_delay:
        return None
    return _then(positions.of(table), timezone.now())


def _as_it_was(position: Position, now: datetime.datetime) -> Position:
    """Return the delayed position; between games it has the players who sit there now.

    A game that was broken off is shown without delay: it can no longer help a player.
    """
    table = copy(position.table)
    table.due_at = table.turn_at = None
    then = _then(position, now)
    log = Action.objects.filter(game__table=table, at__lte=then)
    table.version = log.aggregate(newest=Max("version"))["newest"] or 0
    over = table.games.filter(over_at__lte=then).order_by("no")
    last = over.last()
    counted = over.exclude(no__in=position.uncounted).values_list("holders", "outcome")
    found = replace(
        position,
        table=table,
        seats={no: _quiet(seat) for no, seat in position.seats.items()},
        game=last,
        last=last,
        standings=standings.standings(position.names, cast(Any, counted), position.first_seats),
        replayed=None,
        late=True,
    )
    closed = table.status == Table.Status.CLOSED
    if closed and position.game != position.last and _untold(table) is None:
        return replace(found, game=position.game)
    game = table.games.filter(dealt_at__lte=then).order_by("no").last()
    if game is not None and game != last:
        return _playing(found, game, then)
    if not closed or position.last != last:
        table.status = Table.Status.BETWEEN if last else Table.Status.WAITING
    return found


def _then(position: Position, now: datetime.datetime) -> datetime.datetime:
    """Return the moment that spectators see."""
    table, game = position.table, position.game
    if table.watch_delay == Table.WatchDelay.ROUND:
        untold = _untold(table)
        return now if untold is None or untold.dealt_at is None else untold.dealt_at - INSTANT
    if table.watch_delay != Table.WatchDelay.GAME:
        return now - datetime.timedelta(seconds=table.watch_delay)
    if game is None or position.replayed is None:
        return now
    assert game.dealt_at is not None
    return game.dealt_at - INSTANT


def _untold(table: Table) -> Game | None:
    """Return the first game dealt here whose cards others still play."""
    if table.shared is None:
        return None
    told = table.shared.told - table.arrangement.shared_from + 1
    return table.games.filter(dealt_at__isnull=False, no__gt=told).order_by("no").first()


def _playing(found: Position, game: Game, then: datetime.datetime) -> Position:
    """Return the position in the game that was in progress then."""
    game.table = found.table
    found.table.status = Table.Status.PLAYING
    replayed = as_dealt(game)
    for body, at in game.actions.order_by("seq").values_list("body", "at"):
        if at > then:
            break
        replayed.apply(action_from_json(body))
    for part in ("window", "trade"):  # Reopened if they were still open then.
        until = getattr(game, f"{part}_until")
        if until is not None and until > then and not replayed.tricks:
            setattr(game, f"{part}_closed", False)
    game.over_at, game.outcome, game.trades = None, None, {}
    holders = Seat.objects.select_related("user__bot_account").in_bulk(game.holders)
    seats = {no: _quiet(holders[pk]) for no, pk in enumerate(game.holders)}
    return replace(found, game=game, replayed=replayed, seats=seats, commitment=game.commitment)


def _quiet(seat: Seat) -> Seat:
    """Return the seat without its present clock, autopilot and flags."""
    seat = copy(seat)
    seat.bank_ms, seat.autopilot, seat.away = 0, False, False
    seat.leaving = seat.ready = False
    seat.gone_at, seat.claim, seat.second_claim = None, "", ""
    return seat
