"""A table of a round: its seats, its games, and who deals and leads next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db.models import Max

from engine.rules import deal
from engine.rules.entered_exchange import steps_after
from engine.rules.inherited import Step
from engine.rules.ruleset import Ruleset
from league.base.domain.grouped import grouped
from league.base.domain.stored_specials import at_seats, from_json
from league.base.joined import Joined
from league.models import Dispute, Entrant, Event, Place, Placing, Player, Result, Sitting
from league.nights.domain.entry import groups_of

MOST = 10
"""How many games are read of a table unless all are asked for: a long night has 200."""
ALL = 2**15

_PLACES = Joined(
    """
    SELECT {columns}
    FROM league_place place
    JOIN league_entrant entrant ON entrant.id = place.entrant_id
    JOIN league_player player ON player.id = entrant.player_id
    WHERE place.sitting_id = %(sitting)s AND place.from_game <= %(last)s
        AND (place.to_game IS NULL OR place.to_game >= %(first)s)
    ORDER BY place.seat, place.from_game
    """,
    place=Place,
    entrant=Entrant,
    player=Player,
)
_GAMES = Joined(
    """
    WITH latest AS (
        SELECT max(game_no) AS last, max(game_no) FILTER (WHERE NOT void) AS counted
        FROM league_result WHERE sitting_id = %(sitting)s AND (current OR held)
    )
    SELECT {columns},
        result.source = 'live'
            OR EXISTS (SELECT FROM league_confirmation WHERE result_id = result.id),
        EXISTS (SELECT FROM league_dispute WHERE sitting_id = %(sitting)s),
        (SELECT json_agg(json_build_array(id, result_id, entrant_id, seat, rank, tied, size)
            ORDER BY rank, seat) FROM league_placing WHERE result_id = result.id)
    FROM latest, league_result result
    WHERE result.sitting_id = %(sitting)s AND (result.current OR result.held)
        AND result.game_no >= least(latest.last - %(most)s + 1, latest.counted)
    ORDER BY result.game_no
    """,
    result=Result,
)


def own_at(places: Sequence[Place], own: Collection[int]) -> int | None:
    """Return where among those seated one of these players is; None if nowhere."""
    players = [one.entrant.player for one in places]
    return next((at for at, p in enumerate(players) if {p.pk, p.merged_into_id} & {*own}), None)


def places_at(sitting: Sitting, game_no: int) -> list[Place]:
    """Return the places that hold the seats in that game, in seat order."""
    return _places(sitting, game_no, game_no)


def _places(sitting: Sitting, first: int, last: int) -> list[Place]:
    """Return the places that held a seat in any of these games."""
    found = []
    for place, place.entrant, player in _PLACES(sitting=sitting.pk, first=first, last=last):
        place.sitting, place.entrant.player = sitting, player
        found.append(place)
    return found


def next_number(sitting: Sitting) -> int:
    """Return the number of the table's next game."""
    last = sitting.results.aggregate(last=Max("game_no"))["last"] or 0
    return int(last) + 1


@dataclass(frozen=True)
class PlayedGame:
    """A version of a game: its places, and whether it is confirmed or in dispute."""

    result: Result
    placings: list[Placing]
    confirmed: bool = False
    dispute: Dispute | None = None


@dataclass(frozen=True)
class NextGame:
    """Who deals and leads a table's next game; without a leader, the lowest card leads.

    `waits` is set while too few players sit there. An empty table has no dealer.
    """

    number: int
    places: list[Place]
    dealer: Place | None
    leader: Place | None
    is_over: bool
    waits: bool = False
    cuts: bool = False
    """Whether a cut decides who deals, so no dealer is named."""
    may_cut: bool = False
    """Whether the table can enter or correct who cut the highest card."""
    owed: tuple[Step, ...] = ()
    """Cards exchanged before the game; its seats are indexes into `places`."""


@dataclass(frozen=True)
class TableFacts:
    """A table's games in order, the next one, and its disputes, the latest answered first."""

    games: list[PlayedGame]
    next: NextGame
    disputes: list[Dispute]

    def visible(self, *, organises: bool = False, plays: bool = False) -> TableFacts:
        """Return what a visitor may know of the table while the night holds results back.

        Only one who `organises` sees the places of held games. Who deals and leads after one
        reveals who came first and last; it is also shown to a visitor who `plays`, that is, may
        enter games at this table.
        """
        if organises or not any(game.result.held for game in self.games):
            return self
        games = [_without_places(game) if game.result.held else game for game in self.games]
        following = self.next
        if not plays:
            following = replace(following, dealer=None, leader=None, owed=())
        return TableFacts(games, following, self.disputes)


def _without_places(game: PlayedGame) -> PlayedGame:
    result = Result(
        pk=game.result.pk,
        sitting_id=game.result.sitting_id,
        game_no=game.result.game_no,
        version=game.result.version,
        held=True,
    )
    return PlayedGame(result, [], confirmed=True)


def facts_of(sitting: Sitting, event: Event, *, most: int = MOST) -> TableFacts:
    """Return the current versions of the latest games, and who plays the next one.

    The last game that counts is among them.
    """
    rows = _GAMES(sitting=sitting.pk, most=most)
    has_disputes = bool(rows and rows[0][2])
    disputes = list(sitting.disputes.order_by("-resolved_at", "-pk")) if has_disputes else []
    disputed = {each.game_no: each for each in disputes if each.outcome == Dispute.Outcome.OPEN}
    number = rows[-1][0].game_no + 1 if rows else 1
    places = _places(sitting, rows[0][0].game_no if rows else number, number)
    known = {place.entrant_id: place.entrant for place in places}
    games = []
    for result, is_confirmed, _is_disputed, placed in rows:
        result.sitting = sitting
        placings = [Placing(*values) for values in placed or ()]
        for placing in placings:
            if placing.entrant_id in known:
                placing.entrant = known[placing.entrant_id]
        games.append(PlayedGame(result, placings, is_confirmed, disputed.get(result.game_no)))
    following = _next_game(sitting, event, games, [p for p in places if p.holds_in(number)])
    return TableFacts(games, following, disputes)


def _next_game(
    sitting: Sitting, event: Event, games: list[PlayedGame], places: list[Place]
) -> NextGame:
    number = games[-1].result.game_no + 1 if games else 1
    ruleset = event.rules
    if not places:
        return NextGame(number, places, dealer=None, leader=None, is_over=False, waits=True)
    alone = event.rules_of_format.same_deals  # Each game by itself, its cards already dealt.
    last = next((game for game in reversed(games) if game.placings and not alone), None)
    owed: list[Step] = []
    if last is None:
        seats, first = [place.seat for place in places], sitting.first_dealer
        dealer = seats.index(first) if first in seats else 0
        leader = None
    else:
        dealer, leader, owed = _after(ruleset, last, places)
    return NextGame(
        number=number,
        places=places,
        dealer=places[dealer],
        leader=None if leader is None else places[leader],
        is_over=bool(event.games_per_round and number > event.games_per_round),
        waits=event.has_queue and len(places) < event.least_at_table,
        cuts=last is None and not alone and event.cuts_first and not sitting.was_cut,
        may_cut=not games and not alone and event.cuts_first,
        owed=tuple(owed),
    )


def _after(
    ruleset: Ruleset, last: PlayedGame, places: list[Place]
) -> tuple[int, int | None, list[Step]]:
    """Return the dealer and leader after a game and the cards owed, by index into `places`.

    A player who sat down after that game counts as new, even in their old seat.
    """
    order = [place.seat for place in places]
    groups = groups_of((placing.rank, placing.seat) for placing in last.placings)
    seats = {placing.seat for placing in last.placings}
    if seats.isdisjoint(order):
        return 0, None, []
    gone = [no for no, place in enumerate(places) if place.from_game > last.result.game_no]
    new = [order[no] for no in gone]
    following = deal.next_deal(ruleset, groups, gone=new, empty=seats.difference(order))
    leader = None if following.leader is None else order.index(following.leader)
    return order.index(following.dealer), leader, _owed(ruleset, last, places, gone)


def _owed(ruleset: Ruleset, last: PlayedGame, places: list[Place], gone: list[int]) -> list[Step]:
    """Return the cards owed after a game, without those owed to or by players who have left."""
    if last.result.source == Result.Source.LIVE:  # The online table handles the exchange.
        return []
    seats = [placing.seat for placing in last.placings]
    at = {place.seat: number for number, place in enumerate(places)}
    after = [seat for seat in range(len(seats)) if seats[seat] not in at]
    after += [seats.index(places[no].seat) for no in gone if places[no].seat in seats]
    groups = groups_of((placing.rank, number) for number, placing in enumerate(last.placings))
    number_of = {placing.entrant_id: number for number, placing in enumerate(last.placings)}
    specials = at_seats(from_json(last.result.specials), number_of)
    steps = steps_after(ruleset, groups, specials, gone=after)
    return [step._replace(seat=at[seats[step.seat]], other=at[seats[step.other]]) for step in steps]


def versions(sitting: Sitting, game_no: int) -> list[PlayedGame]:
    """Return every version of a game, the current one first."""
    found = sitting.results.filter(game_no=game_no).select_related("by", "confirmation")
    results = found.order_by("-version")
    placings = grouped(
        (placing.result_id, placing)
        for placing in Placing.objects.filter(result__in=results).select_related("entrant__player")
    )
    return [
        PlayedGame(
            result,
            placings.get(result.pk, []),
            confirmed=result.source == Result.Source.LIVE or hasattr(result, "confirmation"),
        )
        for result in results
    ]
