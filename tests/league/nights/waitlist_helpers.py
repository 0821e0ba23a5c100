"""What tests of formats share: opening tables, playing by names, coming and going."""

from league.clubs.acts import players
from league.models import Event, Round, Sitting
from league.nights.acts import attendance, draws
from league.nights.facts import sittings, waitlist
from tests.factories import owner_of


def open_floor(event: Event) -> Round:
    """The event's tables, drawn with a fixed seed and released."""
    by = owner_of(event)
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


def come(event: Event, *names: str) -> None:
    """New people walk in, one after the other."""
    for name in names:
        attendance.add_guest(event=event, name=name, by=owner_of(event))


def check_in(event: Event, name: str) -> None:
    _set(event, name, "here")


def go(event: Event, name: str) -> None:
    _set(event, name, "left")


def _set(event: Event, name: str, presence: str) -> None:
    by = owner_of(event)
    player = players.find_by_name(club=event.season.club, name=name)
    assert player is not None
    attendance.set_presence(event=event, player_ids=[player.pk], presence=presence, by=by)
