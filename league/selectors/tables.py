"""The tables of pages as rows of plain cells, for CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.domain import result_lists
from league.models import Club, Event, Placing, Player, Season, Transfer
from league.selectors import honours, money, people, prepared, standings
from league.selectors.standings import Standing
from league.services.exports import Cell


class Table(NamedTuple):
    """The name of a file without its ending, the header and the rows."""

    name: str
    header: Sequence[Cell]
    rows: Iterable[Sequence[Cell]]


def of_season(season: Season, what: str) -> Table | None:
    """The season's table of that name, None when there is none."""
    name = f"season-{season.pk}-{what}"
    if what == "standings":
        return _standings(name, prepared.season_table(season).rows)
    if what == "money":
        return _balances(name, money.sums_of_season(season))
    if what == "transfers":
        return _transfers(name, money.of_season(season))
    if what == "specials":
        header = [_("Player"), _("Chops"), _("Chopped"), _("Left"), _("Played no card"),
                  _("Instant wins")]  # fmt: skip
        return Table(name, header, [s[1:] for s in honours.season_specials(season)])
    if what == "penalties":
        return _penalties(name, season)
    return None


def of_event(event: Event, what: str) -> Table | None:
    """The event's table of that name, None when there is none."""
    name = f"event-{event.pk}-{what}"
    if what == "standings":
        return _standings(name, standings.event_standings(event))
    if what == "money":
        return _balances(name, event.money_tallies.all())
    if what == "transfers":
        return _transfers(name, event.transfers.all())
    if what == "results":
        return _results(name, event)
    return None


def of_players(club: Club) -> Table:
    """Everybody who plays for the club."""
    rows = club.players.filter(merged_into=None).values_list("name", "bot", "created_at__date")
    return Table(f"{club.slug}-players", [_("Name"), _("Bot"), _("Since")], rows)


def of_opponents(player: Player, season: Season) -> Table:
    """Everybody whom the player met in the season."""
    header = [_("Opponent"), _("Games"), _("Ahead"), _("Behind"), player.club.unit]
    met = people.opponents(people.keys_of(player), season)
    rows = [(o.name, o.games, o.ahead, o.behind, o.money) for o in met]
    return Table(f"player-{player.pk}-opponents", header, rows)


def _standings(name: str, shown: Iterable[Standing]) -> Table:
    header = [_("Rank"), _("Player"), _("Points"), _("Games"), _("Firsts"), _("Seconds"),
              _("Lasts"), _("Average place"), _("Nights"), _("Separated by")]  # fmt: skip
    rows = [
        (
            row.rank,
            player.name,
            row.points,
            row.games,
            row.counts.get(1, 0),
            row.counts.get(2, 0),
            row.lasts,
            row.average_place,
            nights,
            row.separated_by,
        )
        for player, row, nights in ((s.player, s.row, s.nights) for s in shown)
    ]
    return Table(name, header, rows)


def _balances(name: str, moves: money.Moves) -> Table:
    header = [_("Player"), _("Games"), _("Paid, costs, prizes"), _("Balance")]
    found = money.money_page(moves).balances
    return Table(name, header, [(str(b.account), b.games, b.other, b.amount) for b in found])


def _transfers(name: str, transfers: QuerySet[Transfer]) -> Table:
    header = [_("Event"), _("Round"), _("Table"), _("Game"), _("Pays"), _("To"), _("Amount"),
              _("Why"), _("When")]  # fmt: skip
    rows = []
    for t in money.listed(transfers.order_by("id")):
        sitting = t.result.sitting if t.result else None
        where = (sitting.round.number, sitting.table_no) if sitting else (None, None)
        game = t.result.game_no if t.result else None
        words = t.words  # type: ignore[attr-defined]
        rows.append(
            (
                t.event.name if t.event else None,
                *where,
                game,
                str(t.payer),
                str(t.payee),
                t.amount,
                words,
                t.at,
            )
        )
    return Table(name, header, rows)


def _penalties(name: str, season: Season) -> Table:
    header = [_("Player"), _("Points"), _("Why"), _("Event"), _("When"), _("Revoked")]
    given = season.adjustments.select_related("player", "event")
    rows = [
        (a.player.name, a.points, a.reason, a.event.name if a.event else None, a.at, a.revoked_at)
        for a in given
    ]
    return Table(name, header, rows)


def _results(name: str, event: Event) -> Table:
    """One line for each game that counts: what an import reads again, so its header is fixed."""
    placings = Placing.objects.filter(
        result__sitting__round__event=event, result__current=True
    ).order_by("result__sitting__round__number", "result__sitting__table_no", "result__game_no",
               "rank", "seat")  # fmt: skip
    columns = placings.values_list(
        "result__sitting__round__number",
        "result__sitting__table_no",
        "result__game_no",
        "rank",
        "entrant__player__name",
    )
    rows: list[list[Cell]] = []
    for where, game in groupby(columns, key=lambda column: column[:3]):
        groups = [[c[-1] for c in same] for _rank, same in groupby(game, key=lambda c: c[3])]
        rows.append([event.name, event.date, *where, *result_lists.write_groups(groups)])
    return Table(name, [*result_lists.COLUMNS, *result_lists.PLACES], rows)
