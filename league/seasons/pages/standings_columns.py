"""The columns of a table of standings: what the page, the files and the API show of a row."""

from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.seasons.facts.standings import Standing

PAGE, BOTH = frozenset({"page"}), frozenset({"page", "api"})


class Column(NamedTuple):
    """A column and where its value stands from a `Standing` on; `exact` ones are fractions.

    `on` names the places that show it beside the files, which have all. The page and the API write
    out whose row it is, its rank, points and money.
    """

    key: str
    label: Promise
    source: str
    on: frozenset[str] = frozenset()
    exact: bool = False

    def value(self, standing: Standing) -> int | str | Fraction | None:
        found: int | str | Fraction | None = attrgetter(self.source)(standing)
        return found


COLUMNS = (
    Column("rank", _("Rank"), "row.rank"),
    Column("player", _("Player"), "player.name"),
    Column("points", _("Points"), "row.points", exact=True),
    Column("games", _("Games"), "row.games", BOTH),
    Column("firsts", _("Firsts"), "row.firsts", BOTH),
    Column("seconds", _("Seconds"), "row.seconds", PAGE),
    Column("lasts", _("Lasts"), "row.lasts", BOTH),
    Column("average_place", _("Average place"), "row.average_place", BOTH, exact=True),
    Column("nights", _("Nights"), "nights"),
    Column("decided_by", _("Decided by"), "decided_by"),
)


def columns_on(place: str) -> list[Column]:
    """Return the columns that `place` shows: `page` or `api`."""
    return [column for column in COLUMNS if place in column.on]
