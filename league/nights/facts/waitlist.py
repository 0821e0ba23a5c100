"""Queue nights: who waits, who sits down next, and which table could be formed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from django.db.models import Min

from league.models import Entrant, Event, Place, Placing, Round, Sitting
from league.nights import online
from league.seating import open_night

if TYPE_CHECKING:
    from league.nights.facts.sittings import PlayedGame


MADE_ROOM = (Place.Left.LOST, Place.Left.CAP)


@dataclass(frozen=True)
class Proposal:
    """Entrants who could form a table now, and the number of repeat meetings among them."""

    entrants: list[Entrant]
    again: int

    @property
    def keys(self) -> str:
        """The entrants' keys, as a form posts them."""
        return ",".join(str(entrant.pk) for entrant in self.entrants)


@dataclass(frozen=True)
class FloorPage:
    """The queue, its head first, the proposed table, and the number of empty tables."""

    queue: list[Entrant]
    proposal: Proposal | None
    empty: int


@dataclass(frozen=True)
class Turn:
    """A seated player: games in a row, and whether the next one is the last before a break."""

    place: Place
    in_a_row: int
    is_last: bool


@dataclass(frozen=True)
class FloorTable:
    """The format-specific part of a table's page.

    `went` gave up their seats after the game before, and `came` took them. `together` is the number
    of games since the first of the seated players sat down. `changes` says that seats change hands
    after the next game.
    """

    queue: list[Entrant]
    turns: list[Turn]
    went: list[Place]
    came: list[Place]
    together: int
    changes: bool


def queue(event: Event) -> list[Entrant]:
    """Return the entrants here who wait for a seat, in queue order."""
    waiting = event.entrants.filter(presence=Entrant.Presence.HERE, ticket__isnull=False)
    return list(waiting.select_related("player").order_by("ticket"))


def drawn_queue(round_: Round) -> list[int]:
    """Return the queue of the draw, its head first, after swaps by hand."""
    waiting: list[int] = list(round_.settings.get("waiting", []))
    for a, b in round_.settings.get("swaps", []):
        waiting = [b if key == a else a if key == b else key for key in waiting]
    return waiting


def met_in(event: Event) -> Counter[tuple[int, int]]:
    """Return the number of games each pair has played together in the event."""
    games: dict[int, list[int]] = {}
    placings = Placing.objects.filter(result__sitting__round__event=event, result__current=True)
    for result, entrant in placings.values_list("result_id", "entrant_id"):
        games.setdefault(result, []).append(entrant)
    return Counter(pair for players in games.values() for pair in combinations(sorted(players), 2))


def moves_chairs(event: Event, sitting_id: int, game_no: int) -> bool:
    """Return whether seats may change hands at any of the night's tables after that game."""
    if not event.is_floor:
        return False
    if online.tables().tables_of(event):
        return True
    if event.rules_of_format.kind != "open":
        return event.entrants.filter(ticket__isnull=False).exists()
    last = event.games_together
    seated = Place.objects.filter(sitting=sitting_id, to_game=None)
    since = seated.aggregate(since=Min("from_game"))["since"]
    return last is not None and since is not None and game_no - since + 1 >= last


def floor_page(event: Event, rounds: Sequence[Round]) -> FloorPage | None:
    """Return the queue part of the night's page.

    None in other formats and before the tables are released.
    """
    released = next((r for r in rounds if r.status == Round.Status.RELEASED), None)
    if released is None or not event.is_floor:
        return None
    waiting = queue(event)
    empty = sum(not sitting.seated for sitting in released.sittings.all())
    proposal = _proposal(event, waiting) if empty and event.is_open else None
    return FloorPage(waiting, proposal, empty)


def floor_table(
    event: Event, sitting: Sitting, games: Sequence[PlayedGame], number: int
) -> FloorTable:
    """Return a table's format-specific state before game `number`."""
    counted = [game.result.game_no for game in games if not game.result.void]
    places = list(sitting.places.select_related("entrant__player"))
    seated = [place for place in places if place.to_game is None]
    together = number - min((place.from_game for place in seated), default=number)
    waiting, last = queue(event), event.games_together
    is_open_night = event.rules_of_format.kind == "open"
    return FloorTable(
        queue=waiting,
        turns=[_turn(event, place, counted) for place in seated],
        went=[p for p in places if p.left_because in MADE_ROOM and p.to_game == number - 1],
        came=[p for p in seated if p.from_game == number > 1],
        together=together,
        changes=last is not None and together + 1 >= last if is_open_night else bool(waiting),
    )


def _turn(event: Event, place: Place, counted: Collection[int]) -> Turn:
    in_a_row = sum(number >= place.from_game for number in counted)
    cap = event.rules_of_format.cap if event.rules_of_format.kind == "loser_leaves" else None
    return Turn(place, in_a_row, cap is not None and in_a_row + 1 >= cap)


def _proposal(event: Event, waiting: Sequence[Entrant]) -> Proposal | None:
    """Return the table that an organiser can form with one tap.

    Three players are enough where the rules allow it.
    """
    entrants = {entrant.pk: entrant for entrant in waiting}
    full = event.full_table
    least = max(min(3, full), event.least_at_table)
    if len(entrants) < least:
        return None
    found = open_night.next_table(list(entrants), met_in(event), size=full, least=least)
    if found is None:
        return None
    return Proposal([entrants[key] for key in found.players], found.again)
