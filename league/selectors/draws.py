"""A round's page: seating by table and by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db.models import Q

from league.models import Entrant, Event, Place, Round, Sitting
from league.selectors.events import rounds_of


@dataclass(frozen=True)
class Seat:
    """A seat as the seating picture shows it."""

    name: str
    deals: bool = False
    leads: bool = False


@dataclass(frozen=True)
class TableView:
    sitting: Sitting
    seats: list[Seat]


def is_clockwise(event: Event) -> bool:
    """Whether play runs clockwise by the event's rules: only pictures care."""
    return bool(event.ruleset.body["direction"] == "clockwise")


def round_page(event: Event, round_: Round) -> dict[str, Any]:
    """`tables` in order with their seats, `by_name` for who looks for a table, `byes`."""
    full = next(r for r in rounds_of(event, with_drafts=True) if r.pk == round_.pk)
    places: list[tuple[Place, Sitting]] = []
    tables = []
    for sitting in full.sittings.all():
        seated = sitting.seated
        seats = [
            Seat(place.entrant.player.name, deals=place.seat == sitting.first_dealer)
            for place in seated
        ]
        tables.append(TableView(sitting, seats))
        places += [(place, sitting) for place in seated]
    places.sort(key=lambda pair: pair[0].entrant.player.sort_key)
    return {
        "tables": tables,
        "by_name": places,
        "byes": [bye.entrant.player for bye in full.byes.all()],
        "clockwise": is_clockwise(event),
        "games": range(1, (event.games_per_round or 8) + 1),
        "is_last": not event.rounds.filter(number__gt=round_.number).exists(),
    }


@dataclass(frozen=True)
class Meeting:
    """Two players at a table of this round who met in earlier rounds."""

    names: tuple[str, str]
    table_no: int
    rounds: list[int]


def explanation(event: Event, round_: Round) -> dict[str, Any]:
    """How a round was drawn: its measures, and who meets again and when that was."""
    rounds = [each for each in rounds_of(event, with_drafts=True) if each.number <= round_.number]
    *earlier, now = rounds
    met: dict[frozenset[int], list[int]] = {}
    for each in earlier:
        for pair, _names, _table in _pairs(each):
            met.setdefault(pair, []).append(each.number)
    again = [
        Meeting(names, table_no, met[pair]) for pair, names, table_no in _pairs(now) if pair in met
    ]
    return {"again": again, "quality": round_.quality, "settings": round_.settings}


def swap_choices(round_: Round) -> list[tuple[int, str]]:
    """Everybody of a draft, at a table or sitting out, by name."""
    found = Entrant.objects.filter(Q(places__round=round_) | Q(byes__round=round_))
    people = found.select_related("player").order_by("player__sort_key").distinct()
    return [(entrant.pk, entrant.player.name) for entrant in people]


def chair_choices(event: Event, round_: Round) -> list[Entrant]:
    """Who could sit down at a table of this round: on tonight's list and at no table yet."""
    free = event.entrants.exclude(places__round=round_).exclude(presence=Entrant.Presence.LEFT)
    return list(free.select_related("player").order_by("player__sort_key"))


def _pairs(round_: Round) -> Iterator[tuple[frozenset[int], tuple[str, str], int]]:
    for sitting in round_.sittings.all():
        seated = [place.entrant for place in sitting.seated]
        for a, b in combinations(seated, 2):
            yield frozenset((a.pk, b.pk)), (a.player.name, b.player.name), sitting.table_no
