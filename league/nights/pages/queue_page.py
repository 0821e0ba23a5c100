"""The queue of a night without rounds, on the night's page and at each table."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from league.models import Entrant, Event, Place, Round, Sitting
from league.models.result import latest
from league.nights.facts.waitlist import met_in, queue
from league.nights.facts.wishes import wishes_of
from league.seating import open_night

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
class QueuePage:
    """The queue, its head first, the proposed table, and the number of empty tables."""

    waiting: list[Entrant]
    proposal: Proposal | None
    empty: int


@dataclass(frozen=True)
class SeatedPlayer:
    """A seated player, and whether the next game is the last before a break."""

    place: Place
    is_last: bool


@dataclass(frozen=True)
class TableQueue:
    """The format-specific part of a table's page.

    `went` gave up their seats after the game before, and `came` took them. `together` is the number
    of games since the first of the seated players sat down. `changes` says that seats change hands
    after the next game.
    """

    queue: list[Entrant]
    seated: list[SeatedPlayer]
    went: list[Place]
    came: list[Place]
    together: int
    changes: bool


def queue_page(event: Event, rounds: Sequence[Round]) -> QueuePage | None:
    """Return the queue part of the night's page.

    None in other formats and before the tables are released.
    """
    released = next((r for r in rounds if r.status == Round.Status.RELEASED), None)
    if released is None or not event.has_queue:
        return None
    waiting = queue(event)
    empty = sum(not sitting.seated for sitting in released.sittings.all())
    proposal = _proposal(event, waiting) if empty and event.is_open else None
    return QueuePage(waiting, proposal, empty)


def table_queue(event: Event, sitting: Sitting, number: int) -> TableQueue:
    """Return a table's format-specific state before game `number`."""
    counted = set(sitting.results.filter(latest(), void=False).values_list("game_no", flat=True))
    places = list(sitting.places.select_related("entrant__player"))
    seated = [place for place in places if place.to_game is None]
    together = number - min((place.from_game for place in seated), default=number)
    waiting, last = queue(event), event.games_together
    is_open_night = event.rules_of_format.kind == "open"
    return TableQueue(
        queue=waiting,
        seated=[_seated(event, place, counted) for place in seated],
        went=[p for p in places if p.left_because in MADE_ROOM and p.to_game == number - 1],
        came=[p for p in seated if p.from_game == number > 1],
        together=together,
        changes=last is not None and together + 1 >= last if is_open_night else bool(waiting),
    )


def _seated(event: Event, place: Place, counted: Collection[int]) -> SeatedPlayer:
    in_a_row = sum(number >= place.from_game for number in counted)
    cap = event.rules_of_format.cap if event.rules_of_format.kind == "loser_leaves" else None
    return SeatedPlayer(place, cap is not None and in_a_row + 1 >= cap)


def _proposal(event: Event, waiting: Sequence[Entrant]) -> Proposal | None:
    """Return the table that an organiser can form with one tap.

    Three players are enough where the rules allow it.
    """
    entrants = {entrant.pk: entrant for entrant in waiting}
    full = event.full_table
    least = max(min(3, full), event.least_at_table)
    if len(entrants) < least:
        return None
    found = open_night.next_table(
        list(entrants),
        met_in(event),
        size=full,
        least=least,
        wishes=wishes_of(event, entrants).prices(),
    )
    if found is None:
        return None
    return Proposal([entrants[key] for key in found.players], found.again)
