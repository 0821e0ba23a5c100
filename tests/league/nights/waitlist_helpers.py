"""What tests of formats share: opening tables, playing by names, coming and going."""

import uuid
from collections.abc import Sequence

from league.clubs.acts import players
from league.models import Event, Result, Round, Sitting
from league.nights.acts import attendance, draws, results
from league.nights.facts import sittings, waitlist
from tests.factories import owner_of

Order = Sequence[str | list[str]]


def open_floor(event: Event) -> Round:
    """The event's tables, drawn with a fixed seed and released."""
    by = owner_of(event.season.club)
    return draws.release_round(
        round_=draws.draw_round(event=event, by=by, seed=1, anyway=True), by=by
    )


def around(sitting: Sitting) -> list[str]:
    """The names at the table now, in seat order."""
    number = sittings.next_number(sitting)
    return [place.entrant.player.name for place in sittings.places_at(sitting, number)]


def waiting(event: Event) -> list[str]:
    """The names in the queue, its head first."""
    return [entrant.player.name for entrant in waitlist.queue(event)]


def groups_of(event: Event, order: Order) -> list[list[int]]:
    """The entrants of names from first to last; a list of names shares its place."""
    keys = dict(event.entrants.values_list("player__name", "pk"))
    return [[keys[n] for n in ([each] if isinstance(each, str) else each)] for each in order]


def play_floor(sitting: Sitting, order: Order) -> Result:
    """Records the table's next game with names from first to last."""
    return results.record(
        sitting_id=sitting.pk,
        game_no=sittings.next_number(sitting),
        groups=groups_of(sitting.round.event, order),
        client_id=uuid.uuid4(),
        by=None,
    )


def correct(result: Result, order: Order, *, void: bool = False) -> Result:
    return results.correct(
        sitting_id=result.sitting_id,
        game_no=result.game_no,
        version=result.version,
        groups=groups_of(result.sitting.round.event, order),
        client_id=uuid.uuid4(),
        by=None,
        void=void,
    )


def come(event: Event, *names: str) -> None:
    """New people walk in, one after the other."""
    for name in names:
        attendance.add_guest(event=event, name=name, by=owner_of(event.season.club))


def check_in(event: Event, name: str) -> None:
    _set(event, name, "here")


def go(event: Event, name: str) -> None:
    _set(event, name, "left")


def _set(event: Event, name: str, presence: str) -> None:
    by = owner_of(event.season.club)
    player = players.find_by_name(club=event.season.club, name=name)
    assert player is not None
    attendance.set_presence(event=event, player_ids=[player.pk], presence=presence, by=by)
