"""Which games of a night were played, and at which tables some are missing."""

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from django.utils.translation import ngettext

from league.models import Event, Result, Sitting


def is_played(event: Event) -> bool:
    """Tell whether a game was played in the event, also one that counts no more."""
    return Result.objects.filter(sitting__round__event=event).exists()


def unfinished_sittings(event: Event) -> list[Sitting]:
    """Return the tables of released rounds that still lack games: none played, or fewer than fixed.

    A game that was called off is not missing.
    None where tables stay open all night: their players play on until the night is closed.
    """
    if event.has_queue:
        return []
    wanted = event.games_per_round or 1
    sittings = (
        Sitting.objects.filter(round__event=event, round__status="released")
        .with_games_played()
        .select_related("round")
        .order_by("round__number", "table_no")
    )
    return [s for s in sittings if s.games_settled < wanted]  # type: ignore[attr-defined]


def named(sittings: Iterable[Sitting]) -> str:
    """Return these tables as a list in words."""
    return in_rounds((one.round.number, one.table_no) for one in sittings)


def in_rounds(tables: Iterable[tuple[int, int]]) -> str:
    """Return a list in words of the tables given as numbers of round and table, by round."""
    said = []
    for number, group in groupby(tables, key=itemgetter(0)):
        numbers = [str(table) for _round, table in group]
        text = ngettext(
            "round %(round)s, table %(tables)s", "round %(round)s, tables %(tables)s", len(numbers)
        )
        said.append(text % {"round": number, "tables": ", ".join(numbers)})
    return "; ".join(said)
