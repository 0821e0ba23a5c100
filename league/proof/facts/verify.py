"""Checks that derived data still follow from results, and that all money sums to zero.

Each check yields one sentence per problem.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import F, Q, QuerySet, Sum

from engine.sim import designs
from league.base.domain.grouped import grouped
from league.base.facts import log_marks
from league.models import (
    Account,
    Club,
    ClubSeat,
    Entrant,
    Event,
    LiveResult,
    Placing,
    Player,
    Posting,
    Result,
    Season,
    Transfer,
)
from league.money.facts import money
from league.money.facts.owed import NOTEBOOK, PlacingFact, owed_entered, owed_live
from league.proof.facts import rebuilt_standings, verify_cached
from league.seasons.domain.same_deals import played_hands
from league.seasons.facts import rosters, same_deals, standings
from tables.models import FrozenRuleset

Problems = Iterator[str]
T = TypeVar("T")
_EVENTS = 50  # Events read in one batch.

_TALLIES = """
    WITH counted AS (
        SELECT n.event_id, r.sitting_id, p.entrant_id, p.size, p.rank, p.tied, count(*) AS games
        FROM league_placing p
        JOIN league_result r ON r.id = p.result_id AND r.current AND NOT r.void
        JOIN league_sitting s ON s.id = r.sitting_id
        JOIN league_round n ON n.id = s.round_id
        WHERE (%(all)s OR n.event_id = ANY(%(events)s))
        GROUP BY 1, 2, 3, 4, 5, 6
    ), kept AS (
        SELECT event_id, sitting_id, entrant_id, size, rank, tied, games
        FROM league_tally
        WHERE sitting_id IS NOT NULL AND (%(all)s OR event_id = ANY(%(events)s))
    )
    SELECT 'kept without results', * FROM (TABLE kept EXCEPT TABLE counted) AS a
    UNION ALL
    SELECT 'missing or different', * FROM (TABLE counted EXCEPT TABLE kept) AS b
    ORDER BY 2, 3, 4 LIMIT 100
"""

_BOT_TALLIES = """
    WITH entrants AS (
        SELECT id, event_id, row_number() OVER (PARTITION BY event_id ORDER BY id) - 1 AS bot
        FROM league_entrant WHERE (%(all)s OR event_id = ANY(%(events)s))
    ), counted AS (
        SELECT e.id AS event_id, n.id AS entrant_id,
               (%(sizes)s::jsonb -> r.design -> jsonb_array_length(r.bots))::int AS size,
               (c.line ->> 1)::int AS rank, (c.line ->> 2)::int AS tied,
               sum((c.line ->> 3)::int) AS games
        FROM league_event e
        JOIN tables_run r ON r.id = e.run_id
        JOIN tables_unit u ON u.run_id = r.id AND u.state = 'done'
        CROSS JOIN LATERAL jsonb_array_elements(u.tally -> 'counts') AS c (line)
        JOIN entrants n ON n.event_id = e.id AND n.bot = (c.line ->> 0)::int
        WHERE e.status = 'closed' AND (%(all)s OR e.id = ANY(%(events)s))
        GROUP BY 1, 2, 3, 4, 5
    ), kept AS (
        SELECT t.event_id, t.entrant_id, t.size, t.rank, t.tied, t.games::bigint AS games
        FROM league_tally t JOIN league_event e ON e.id = t.event_id
        WHERE t.sitting_id IS NULL AND e.status = 'closed'
          AND (%(all)s OR e.id = ANY(%(events)s))
    )
    SELECT 'kept without units', * FROM (TABLE kept EXCEPT TABLE counted) AS a
    UNION ALL
    SELECT 'missing or different', * FROM (TABLE counted EXCEPT TABLE kept) AS b
    ORDER BY 2, 3 LIMIT 100
"""

_SUMS = """
    WITH counted AS (
        SELECT coalesce(e.season_id, p.season_id) AS season_id, t.event_id, s.account AS account_id,
               sum(CASE WHEN t.result_id IS NULL AND p.kind <> 'game' THEN 0
                        ELSE s.sign * t.amount END)::bigint AS games,
               sum(CASE WHEN t.result_id IS NULL AND p.kind <> 'game' THEN s.sign * t.amount
                        ELSE 0 END)::bigint AS other
        FROM league_transfer t
        LEFT JOIN league_event e ON e.id = t.event_id
        LEFT JOIN league_posting p ON p.id = t.posting_id
        CROSS JOIN LATERAL (VALUES (t.payee_id, 1), (t.payer_id, -1)) AS s (account, sign)
        WHERE (%(all)s OR s.account = ANY(%(accounts)s))
        GROUP BY 1, 2, 3
    ), kept AS (
        SELECT season_id, event_id, account_id, games, other FROM league_moneytally
        WHERE (%(all)s OR account_id = ANY(%(accounts)s))
    )
    SELECT 'kept without transfers', * FROM (TABLE kept EXCEPT TABLE counted) AS a
    UNION ALL
    SELECT 'missing or different', * FROM (TABLE counted EXCEPT TABLE kept) AS b
    ORDER BY 2, 3, 4 LIMIT 100
"""

_PLACINGS = """
    SELECT r.id, p.rank, p.tied, p.size, count(*) OVER w AS people,
           count(*) OVER (w2) AS sharing,
           (SELECT count(*) FROM league_placing q WHERE q.result_id = r.id AND q.rank < p.rank)
    FROM league_placing p JOIN league_result r ON r.id = p.result_id
    WHERE (%(all)s OR p.entrant_id IN (
        SELECT e.id FROM league_entrant e WHERE e.event_id = ANY(%(events)s)))
    WINDOW w AS (PARTITION BY r.id), w2 AS (PARTITION BY r.id, p.rank)
"""


def everything(club: Club | None = None, *, seasons: QuerySet[Season] | None = None) -> Problems:
    """Yield all problems of one club, or of all clubs.

    `seasons` limits the slow checks to these seasons and their clubs.
    """
    yield from log_marks.broken(club)
    yield from stored_tallies(club)
    yield from stored_sums(club)
    yield from placings(club)
    if club is None:
        yield from verify_cached.rated_tables()
    if seasons is None:
        seasons = Season.objects.all() if club is None else club.seasons.all()
    of_clubs: dict[Club, list[Season]] = {} if club is None else {club: []}
    for season in seasons.select_related("club").order_by("pk"):
        of_clubs.setdefault(season.club, []).append(season)
    for one, own in of_clubs.items():
        for season in own:
            yield from page_rows(season)
            yield from paid_at_tables(season)
            yield from zero_sums(season)
            yield from same_hands(season)
        yield from paid_games(*own)
        yield from verify_cached.strengths(one, own)
    yield from reversals(club)
    yield from aliases(club)


def stored_tallies(club: Club | None = None) -> Problems:
    """Yield stored tallies that do not follow from the current results or a run's units."""
    for query in (_TALLIES, _BOT_TALLIES):
        for what, event, *rest in _fetch(query, club):
            yield f"event {event}: count {rest} is {what}"


def stored_sums(club: Club | None = None) -> Problems:
    """Yield stored sums of money that do not follow from the transfers."""
    for what, *rest in _fetch(_SUMS, club):
        yield f"sum of money {rest} is {what}"


def placings(club: Club | None = None) -> Problems:
    """Yield results whose places are not a ranking of the players at the table."""
    for result, rank, tied, size, people, sharing, better in _fetch(
        f"SELECT * FROM ({_PLACINGS}) AS seen (result, rank, tied, size, people, sharing, better)"
        " WHERE people <> size OR sharing <> tied OR better <> rank - 1 LIMIT 100",
        club,
    ):
        yield (
            f"result {result}: place {rank} shared by {tied} at a table of {size}, but"
            f" {people} people, {sharing} of them there and {better} ahead"
        )


def page_rows(season: Season) -> Problems:
    """Yield standings on pages that differ from a rebuild from results alone."""
    results = rebuilt_standings.Rebuilt(season)
    rebuilt = results.season_rows()
    shown = standings.season_standings(season)
    if [standing.row for standing in shown] != rebuilt:
        yield f"season {season.pk} ({season.name}): the rows shown differ from a rebuild"
    teams = rosters.team_rows(season, rosters.rosters_of(season), shown, is_percent=False)
    if {team.roster.pk: team.points for team in teams} != results.team_points(rebuilt):
        yield f"season {season.pk} ({season.name}): the teams shown differ from a rebuild"
    yield from verify_cached.standings(season, rebuilt)
    for some in _batched(results.events, _EVENTS):
        # Points are compared, but not the order of tied players.
        pages_rows = standings.standings_of_events(some, tie_breaks=rebuilt_standings.BY_POINTS)
        for event in some:
            rebuilt_night = results.night(event)
            for standing in pages_rows[event.pk]:
                row = standing.row
                if row.games and rebuilt_night.get(row.entrant) != (row.points, row.nights):
                    where = f"event {event.pk} ({event.name})"
                    yield f"{where}: {standing.player} differs from a rebuild"


def same_hands(season: Season) -> Problems:
    """Yield hands of nights with the same deals whose shares do not sum to half their holders."""
    for event, held in same_deals.held_in(Event.objects.filter(season=season)).items():
        fields = grouped(((one.held.deal, one.held.hand), one) for one in played_hands(held))
        for field, hands in fields.items():
            if sum(one.share for one in hands) * 2 != len(hands):
                yield f"event {event}: the shares of hand {field} do not sum to one half each"


def paid_games(*seasons: Season) -> Problems:
    """Yield results whose transfers differ from the rules, and old versions not yet reversed."""
    of_players = dict(
        Account.objects.filter(club__in={season.club_id for season in seasons}).values_list(
            "player_id", "pk"
        )
    )
    events = list(Event.objects.filter(season__in=seasons).order_by("pk"))
    rulesets = FrozenRuleset.objects.in_bulk({event.ruleset_id for event in events})
    for event in events:
        event.ruleset = rulesets[event.ruleset_id]
    for some in _batched(events, _EVENTS):
        by_key = {event.pk: event for event in some}
        entrants = Entrant.objects.filter(event__in=some).values_list("pk", "player_id")
        accounts = {key: of_players.get(player) for key, player in entrants}
        placed, moved = _placed(some), _moved(some)
        live = dict(
            LiveResult.objects.filter(result__sitting__round__event__in=some).values_list(
                "result_id", "payments"
            )
        )
        for result in _results(some):
            problem = _paid(
                result,
                by_key[result.event],
                accounts,
                placed[result.pk],
                moved[result.pk],
                live.get(result.pk),
            )
            if problem:
                yield f"event {result.event} result {result.pk}: {problem}"


class _GameVersion(NamedTuple):
    """The fields of a game's version that decide its payments."""

    event: int
    pk: int
    current: bool
    source: str
    specials: list[dict[str, Any]]
    stake: int | None


def _results(events: Sequence[Event]) -> Iterator[_GameVersion]:
    found = Result.objects.filter(sitting__round__event__in=events).order_by("pk")
    columns = ("sitting__round__event_id", "pk", "current", "source", "specials", "stake")
    return map(_GameVersion._make, found.values_list(*columns))


def _placed(events: Sequence[Event]) -> dict[int, list[PlacingFact]]:
    columns = ("result_id", "entrant_id", "seat", "rank")
    placings = Placing.objects.filter(result__sitting__round__event__in=events)
    return grouped(
        (key, PlacingFact._make(placing)) for key, *placing in placings.values_list(*columns)
    )


class _Moved(NamedTuple):
    """A transfer, with the fields that the rules decide."""

    pk: int
    undoes: int | None
    what: tuple[int, int, int, str]


def _moved(events: Sequence[Event]) -> dict[int, list[_Moved]]:
    columns = ("result_id", "pk", "reverses_id", "payer_id", "payee_id", "amount", "reason")
    moved = Transfer.objects.filter(result__sitting__round__event__in=events)
    return grouped(
        (key, _Moved(pk, undoes, (what[0], what[1], what[2], what[3])))
        for key, pk, undoes, *what in moved.values_list(*columns)
    )


def _paid(
    result: _GameVersion,
    event: Event,
    accounts: Mapping[int, int | None],
    placed: Sequence[PlacingFact],
    transfers: Sequence[_Moved],
    live: Sequence[Mapping[str, Any]] | None,
) -> str | None:
    undone = {transfer.undoes for transfer in transfers}
    standing = [t for t in transfers if t.undoes is None and t.pk not in undone]
    if not result.current:
        return "an old version still has money moved" if standing else None
    if standing and {transfer.what[-1] for transfer in standing} == {NOTEBOOK}:
        return None
    stake = event.stake_of(result)
    if not stake or not placed:
        owed = []
    elif result.source == Result.Source.LIVE:
        if live is None:
            return "what the engine paid in it is missing"
        owed = owed_live(live)
    else:
        try:
            owed = owed_entered(event, stake, placed, result.specials)
        except ValueError as error:
            return f"the rules refuse what happened in it: {error}"
    wanted = [(accounts.get(o.payer), accounts.get(o.payee), o.amount, o.reason) for o in owed]
    moved = [transfer.what for transfer in standing]
    if wanted == moved or Counter(wanted) == Counter(moved):  # The order usually agrees too.
        return None
    return f"moved {dict(Counter(moved))} instead of {dict(Counter(wanted))}"


def paid_at_tables(season: Season) -> Problems:
    """Yield games at stakes tables whose transfers differ from the engine's payments."""
    posted = (
        Posting.objects.filter(season=season, game__isnull=False)
        .select_related("game")
        .prefetch_related("transfers")
        .order_by("pk")
    )
    for posting in posted.iterator(chunk_size=1000):
        game = posting.game
        assert game is not None
        seats = ClubSeat.objects.filter(seat__in=game.holders)
        accounts = dict(seats.values_list("seat", "player__account"))
        chairs = [accounts.get(seat) for seat in game.holders]
        wanted = Counter(
            (chairs[paid["from"]], chairs[paid["to"]], paid["amount"], paid["reason"])
            for paid in (game.outcome or {"payments": []})["payments"]
            if paid["amount"]
        )
        moved = Counter(
            (t.payer_id, t.payee_id, t.amount, t.reason) for t in posting.transfers.all()
        )
        if wanted != moved:
            yield (
                f"posting {posting.pk} of game {game.no} at table {game.table_id}:"
                f" moved {dict(moved)} instead of {dict(wanted)}"
            )


def zero_sums(season: Season) -> Problems:
    """Yield the season, nights and tables whose winners and losers do not balance."""
    won: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    columns = ("event_id", "result__sitting_id", "payer_id", "payee_id")
    moved: Any = money.of_season(season).order_by().values_list(*columns)
    for event, sitting, payer, payee, amount in moved.annotate(sum=Sum("amount")):
        for part in (("season", season.pk), ("event", event), ("sitting", sitting)):
            if part[1] is not None:
                won[part][payee] += amount
                won[part][payer] -= amount
    for (level, key), net in won.items():
        difference = sum(net.values())
        if difference:
            gained = sum(amount for amount in net.values() if amount > 0)
            yield f"{level} {key}: winners have {gained}, losers {gained - difference}"


def reversals(club: Club | None = None) -> Problems:
    """Yield reversals that do not mirror their originals, and transfers between clubs."""
    transfers, posted = Transfer.objects.all(), Posting.objects.all()
    if club is not None:
        transfers, posted = transfers.filter(payer__club=club), posted.filter(season__club=club)
    mirrors = transfers.filter(reverses__isnull=False)
    for transfer in mirrors.exclude(
        payer=F("reverses__payee"), payee=F("reverses__payer"), amount=F("reverses__amount")
    )[:100]:
        yield f"transfer {transfer.pk} is no mirror image of {transfer.reverses_id}"
    for transfer in transfers.exclude(payer__club=F("payee__club"))[:100]:
        yield f"transfer {transfer.pk} is between two clubs"
    for posting in posted.filter(reverses__isnull=False).select_related("reverses"):
        own = posting.transfers.values_list("payee_id", "payer_id", "amount")
        assert posting.reverses is not None
        other = posting.reverses.transfers.values_list("payer_id", "payee_id", "amount")
        if Counter(own) != Counter(other):
            yield f"posting {posting.pk} is no mirror image of {posting.reverses_id}"


def aliases(club: Club | None = None) -> Problems:
    """Yield players merged over two steps, across clubs, or with an account of their own."""
    wrong = (
        Q(merged_into__merged_into__isnull=False)
        | Q(user__isnull=False)
        | ~Q(merged_into__club=F("club"))
    )
    people = Player.objects.all() if club is None else club.players.all()
    for player in people.filter(wrong, merged_into__isnull=False)[:100]:
        yield f"player {player.pk} ({player}) is merged wrongly"


def _batched(all_of_them: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(all_of_them)
    while some := list(islice(left, size)):
        yield some


def _fetch(query: str, club: Club | None) -> list[tuple[Any, ...]]:
    """Return a query's rows for one club, or for all clubs."""
    sizes = {
        design: [designs.table_size(bots, design) for bots in range(designs.MOST_BOTS + 1)]
        for design in designs.DESIGNS
    }
    values: dict[str, Any] = {
        "all": club is None,
        "events": [],
        "accounts": [],
        "sizes": json.dumps(sizes),
    }
    if club is not None:
        events = Event.objects.filter(season__club=club)
        values["events"] = list(events.values_list("pk", flat=True))
        values["accounts"] = list(club.accounts.values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
