"""The pages' tables as rows of plain cells, for CSV and workbooks."""

import datetime
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.base.domain.names import identity
from league.exchange.domain import result_lists
from league.exchange.domain.result_lists import notebook_entry
from league.exchange.facts.exports import Cell
from league.models import Club, Event, Placing, Player, RatingState, Season, Strength, Transfer
from league.money.facts import money, open_debts
from league.nights.facts import final_places
from league.seasons.facts import honours, ratings, rosters
from league.seasons.facts.season_cache import CachedRows
from league.seasons.facts.standings import Standing
from league.seasons.pages import past_seasons, player_page, race
from league.seasons.pages.standings_columns import COLUMNS
from tables.base.currencies import in_whole, sign


class CsvTable(NamedTuple):
    name: str
    header: Sequence[Cell]
    rows: Iterable[Sequence[Cell]]


OF_MONEY = ("money", "transfers", "payments", "proof", "notebook")
"""The tables that require the right to see money."""


def of_standings(season: Season, what: str, rows: CachedRows) -> CsvTable:
    """Return the table named `what` in `OF_STANDINGS`, for the season's standings."""
    return OF_STANDINGS[what](f"season-{season.pk}-{what}", season, rows)


def of_season(season: Season, what: str) -> CsvTable | None:
    made = _OF_SEASON.get(what)
    return made(f"season-{season.pk}-{what}", season) if made else None


def _specials(name: str, season: Season) -> CsvTable:
    header = [_("Player"), _("Chops"), _("Was chopped"), _("Thối"), _("Cóng"), _("Instant wins")]
    return CsvTable(name, header, [s[1:] for s in honours.season_specials(season)])


def _teams(name: str, season: Season) -> CsvTable:
    found = rosters.tables_of(season)
    teams: list[list[Cell]] = [
        [_("team"), row.roster.name, row.rank, row.names, row.points] for row in found.teams
    ]
    players: list[list[Cell]] = [
        [_("category"), table.roster.name, one.row.rank, one.player.name, one.row.points]
        for table in found.categories
        for one in table.rows
    ]
    header = [_("Kind"), _("Name"), _("Rank"), _("Player"), _("Points")]
    return CsvTable(name, header, teams + players)


def of_event(event: Event, what: str) -> CsvTable | None:
    made = _OF_EVENT.get(what)
    return made(f"event-{event.pk}-{what}", event) if made else None


def of_club(club: Club, what: str) -> CsvTable | None:
    made = _OF_CLUB.get(what)
    return made(f"{club.slug}-{what}", club) if made else None


def _players(name: str, club: Club) -> CsvTable:
    columns = ("name", "group", "fixed_table", "bot", "created_at__date")
    rows = club.players.filter(merged_into=None).values_list(*columns)
    return CsvTable(name, [_("Name"), _("Group"), _("Table"), _("Bot"), _("Since")], rows)


def _past_seasons(name: str, club: Club) -> CsvTable:
    header = [_("Season"), _("First day"), _("Last day"), _("Rank"), _("Player"), _("Points")]
    podiums: list[list[Cell]] = [
        [p.season.name, p.begins, p.ends, s.row.rank, s.player.name, s.row.points]
        for p in past_seasons.past_seasons(past_seasons.closed_seasons(club))
        for s in p.podium
    ]
    return CsvTable(name, header, podiums)


def of_player(player: Player, season: Season, what: str, *, with_money: bool) -> CsvTable | None:
    name, keys = f"player-{player.pk}-{what}", player_page.keys_of(player)
    if what == "opponents":
        header = [_("Opponent"), _("Games"), _("Ahead"), _("Behind")]
        header += [sign(season.unit)] if with_money else []
        met_rows: list[list[Cell]] = [
            [
                o.name,
                o.games,
                o.ahead,
                o.behind,
                *([in_whole(o.money, season.unit)] if with_money else []),
            ]
            for o in player_page.opponents(keys, season)
        ]  # fmt: skip
        return CsvTable(name, header, met_rows)
    if what == "nights":
        header = [
            _("Event"),
            _("Date"),
            _("Points"),
            _("Running total"),
            _("Counts"),
            _("Rating"),
            "±",
        ]
        nights: list[list[Cell]] = [
            [n.event.name, n.event.date, n.points, n.total, _("yes") if n.counted else _("no"),
             *((n.rating.mu, n.rating.margin) if n.rating else (None, None))]
            for n in player_page.nights_of(player, keys, season)
        ]  # fmt: skip
        return CsvTable(name, header, nights)
    return None


def _ratings(name: str, found: QuerySet[Strength]) -> CsvTable:
    header = [_("Rank"), _("Player"), _("Rating"), "±", _("Games"), _("Model")]
    rows = (
        (None if r.is_early else rank, r.player.name, r.mu, r.margin, r.games, r.model)
        for rank, r in enumerate(found, start=1)
    )
    return CsvTable(name, header, rows)


def _bots(name: str, state: RatingState | None) -> CsvTable:
    """Return the rated bots of closed tournaments; bots of one pool have met."""
    header = [_("Group"), _("Bot"), _("Version"), _("Rating"), _("Low"), _("To"), _("Games")]
    columns = ("pool", "name", "version", "rating", "low", "high", "games")
    rows = [[bot[column] for column in columns] for bot in ratings.rated_bots(state)]
    return CsvTable(name, header, rows)


def _race(name: str, season: Season, cached: CachedRows) -> CsvTable:
    """Return the leaders' points after each night, which are the data of the race chart."""
    nights, sums = race.race_sums(season, cached)
    rows: list[list[Cell]] = [[player.name, *line] for player, line in sums]
    names = Counter(event.name for event in nights)
    heads = [f"{one.name} {one.date}" if names[one.name] > 1 else one.name for one in nights]
    return CsvTable(name, [_("Player"), *heads], rows)


def _crosstable(name: str, season: Season, cached: CachedRows) -> CsvTable:
    lines = race.crosstable_of(season, cached)
    header = [_("Player"), *(standing.player.name for standing, _cells in lines)]
    rows: list[list[Cell]] = [
        [standing.player.name, *(f"{c.ahead}–{c.behind}" if c else None for c in cells)]
        for standing, cells in lines
    ]
    return CsvTable(name, header, rows)


def _payments(name: str, season: Season) -> CsvTable:
    """Return the payments that settle all balances of the season."""
    found = open_debts.of_season(season)
    rows = [(str(p.payer), str(p.payee), in_whole(p.amount, season.unit)) for p in found]
    return CsvTable(name, [_("Pays"), _("To"), _("Amount")], rows)


def _proof(name: str, season: Season) -> CsvTable:
    """Return the winners' total, the losers' total and their sum for each night."""
    found = money.proofs(money.sums_of_season(season), "event")
    rows = [
        (str(p.label["name"]), *(in_whole(n, season.unit) for n in (p.won, -p.lost, p.difference)))
        for p in found
    ]
    return CsvTable(name, [_("Event"), _("All winners"), _("All losers"), _("Sum")], rows)


def _standings(name: str, ranked: Iterable[Standing]) -> CsvTable:
    rows = ([column.value(standing) for column in COLUMNS] for standing in ranked)
    return CsvTable(name, [column.label for column in COLUMNS], list(rows))


def _places(name: str, event: Event) -> CsvTable:
    """Return the event's final places, each with the stage whose games decided it."""
    header = [_("Place"), _("Player"), _("Decided by"), _("Points"), _("Games")]
    places = final_places.event_places(event)
    rows = [(s.row.rank, s.player.name, s.stage_name, s.row.points, s.row.games) for s in places]
    return CsvTable(name, header, rows)


def _balances(name: str, moves: money.MoneyMoves, unit: str) -> CsvTable:
    header = [_("Player"), _("Win/loss"), _("Payments, costs, prizes"), _("Due")]
    found = money.money_page(moves).balances
    rows = [
        (str(b.account), *(in_whole(n, unit) for n in (b.games, b.other, b.amount))) for b in found
    ]
    return CsvTable(name, header, rows)


def _transfers(name: str, transfers: QuerySet[Transfer], unit: str) -> CsvTable:
    header = [_("Event"), _("Round"), _("Table"), _("Game"), _("Pays"), _("To"), _("Amount"),
              _("Reason"), _("Start")]  # fmt: skip
    rows = []
    for t in money.listed(transfers.order_by("id")):
        sitting = t.result.sitting if t.result else None
        where = (sitting.round.number, sitting.table_no) if sitting else (None, None)
        game = t.detail.get("game")
        words = t.words  # type: ignore[attr-defined]
        rows.append(
            (
                t.event.name if t.event else None,
                *where,
                game,
                *map(str, t.hands),
                in_whole(t.amount, unit),
                words,
                t.at,
            )
        )
    return CsvTable(name, header, rows)


def _penalties(name: str, season: Season) -> CsvTable:
    header = [_("Player"), _("Points"), _("Reason"), _("Event"), _("Start"), _("Revoked"),
              _("Stage")]  # fmt: skip
    given = season.adjustments.select_related("player", "event")
    rows = [
        (
            a.player.name,
            a.points,
            a.told,
            a.event.name if a.event else None,
            a.at,
            a.revoked_at,
            a.stage_name,
        )
        for a in given
    ]
    return CsvTable(name, header, rows)


def _results(name: str, event: Event) -> CsvTable:
    """Return one row per current result. The header is fixed because imports read this file."""
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
    return CsvTable(name, [*result_lists.COLUMNS, *result_lists.PLACES], rows)


def _games(name: str, season: Season, *, with_money: bool = False) -> CsvTable:
    """Return one row per game of the season's nights, as an import reads it back.

    Nights of one name on one day are numbered, so that they stay two.
    """
    nights = Event.objects.filter(season=season, kind=Event.Kind.NIGHT)
    path = "result__sitting__round"
    placings = Placing.objects.filter(
        result__sitting__round__event__in=nights, result__current=True, result__void=False
    ).order_by(f"{path}__event__date", f"{path}__event", f"{path}__number",
               "result__sitting__table_no", "result__game_no", "rank", "seat")  # fmt: skip
    columns = placings.values_list(
        "result", "result__client_id",
        f"{path}__event", f"{path}__event__name", f"{path}__event__date",
        f"{path}__number", "result__sitting__table_no", "result__game_no", "rank",
        "entrant__player__name", "entrant__player",
    )  # fmt: skip
    paid = _paid(season) if with_money else {}
    titles: dict[tuple[str, datetime.date], dict[int, str]] = {}
    rows: list[list[Cell]] = []
    for (result, client_id, event, title, date, *where), game in groupby(
        columns, key=lambda column: column[:8]
    ):
        groups = [list(same) for _rank, same in groupby(game, key=lambda column: column[8])]
        cells = result_lists.write_groups([[one[9] for one in same] for same in groups])
        twins = titles.setdefault((identity(title), date), {})
        number = len(twins) + 1
        night = twins.setdefault(event, f"{title} ({number})" if number > 1 else title)
        won: dict[int, int] = paid.get(result) or paid.get(notebook_entry(client_id)) or {}
        money = [
            " = ".join(str(in_whole(won.get(one[10], 0), season.unit)) for one in same)
            for same in groups
        ]
        rows.append([night, date, *where, *cells, *(money if won else [])])
    sums = [f"money {place}" for place in result_lists.PLACES] if with_money else []
    return CsvTable(name, [*result_lists.COLUMNS, *result_lists.PLACES, *sums], rows)


def _paid(season: Season) -> dict[int | uuid.UUID, Counter[int]]:
    """Return what each player won by game: a result's key, or its entry's of an import."""
    found: dict[int | uuid.UUID, Counter[int]] = {}
    moves = Transfer.objects.filter(event__season=season).values_list(
        "result", "posting__client_id", "payer__player", "payee__player", "amount"
    )
    for result, entry, payer, payee, amount in moves:
        won = found.setdefault(result or entry, Counter())
        won[payee] += amount
        won[payer] -= amount
    return found


_OF_SEASON: dict[str, Callable[[str, Season], CsvTable]] = {
    "money": lambda name, of: _balances(name, money.sums_of_season(of), of.unit),
    "transfers": lambda name, of: _transfers(name, money.of_season(of), of.unit),
    "specials": _specials,
    "penalties": _penalties,
    "teams": _teams,
    "ratings": lambda name, season: _ratings(name, ratings.of_season(season)),
    "bots": lambda name, season: _bots(name, ratings.state_of(season.club, season)),
    "payments": _payments,
    "proof": _proof,
    "results": _games,
    "notebook": lambda name, season: _games(name, season, with_money=True),
}
_OF_EVENT: dict[str, Callable[[str, Event], CsvTable]] = {
    "standings": lambda name, of: _standings(name, final_places.points_of_games(of)),
    "places": _places,
    "money": lambda name, of: _balances(name, of.money_tallies.all(), of.season.unit),
    "transfers": lambda name, of: _transfers(name, of.transfers.all(), of.season.unit),
    "results": _results,
}
_OF_CLUB: dict[str, Callable[[str, Club], CsvTable]] = {
    "players": _players,
    "ratings": lambda name, club: _ratings(name, ratings.of_club(club)),
    "bots": lambda name, club: _bots(name, ratings.state_of(club, None)),
    "past-seasons": _past_seasons,
}
OF_STANDINGS: dict[str, Callable[[str, Season, CachedRows], CsvTable]] = {
    "standings": lambda name, _season, rows: _standings(name, rows),
    "race": _race,
    "crosstable": _crosstable,
}
"""The tables of a season that are built from its standings."""
