"""A table of a round: its seats, its games, and who deals and leads next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from django.db.models import Max, Q
from django.utils.translation import gettext as _

from engine.rules import deal
from engine.rules.entered_exchange import steps_after
from engine.rules.inherited import Step
from engine.rules.ruleset import Ruleset
from league.base.domain.stored_specials import at_seats, from_json
from league.base.prepared import Prepared, Slot
from league.models import Dispute, Event, Place, Placing, Result, Sitting
from league.models.result import latest
from league.nights.facts import entry
from league.nights.facts.draws import DrawnSeat, cuts_first, is_clockwise, is_to_cut
from league.nights.facts.so_far import SoFar, so_far
from league.nights.facts.waitlist import FloorTable, floor_table

_PLACES_AT = Prepared[Place](
    lambda: (
        Place.objects.filter(Q(to_game=None) | Q(to_game__gte=Slot(1)), from_game__lte=Slot(1))
        .filter(sitting=Slot(0))
        .select_related("entrant__player")
        .order_by("seat", "from_game")
    )
)
_PLACES = Prepared[Place](
    lambda: (
        Place.objects.filter(sitting=Slot(0))
        .select_related("entrant__player")
        .order_by("seat", "from_game")
    )
)
_GAMES = Prepared[Result](
    lambda: (
        Result.objects.filter(latest(), sitting=Slot(0))
        .select_related("confirmation")
        .order_by("game_no")
    )
)
_PLACINGS = Prepared[Placing](
    lambda: Placing.objects.filter(latest("result__"), result__sitting=Slot(0))
)
_DISPUTES = Prepared[Dispute](
    lambda: Dispute.objects.filter(sitting=Slot(0)).order_by("-resolved_at", "-pk")
)


def places_at(sitting: Sitting, game_no: int) -> list[Place]:
    """Return the places that hold the seats in that game, in seat order."""
    places = _PLACES_AT(sitting.pk, game_no)
    for place in places:
        place.sitting = sitting
    return places


def next_number(sitting: Sitting) -> int:
    """Return the number of the table's next game."""
    last = sitting.results.aggregate(last=Max("game_no"))["last"] or 0
    return int(last) + 1


@dataclass(frozen=True)
class PlayedGame:
    """A played game as pages show it."""

    result: Result
    placings: list[Placing]
    confirmed: bool = False
    dispute: Dispute | None = None
    kept_back: bool = False
    """Whether the places are hidden from this visitor until the ceremony."""

    @property
    def versions(self) -> int:
        return self.result.version

    @property
    def finish(self) -> str:
        """All players by place, in one line."""
        return ", ".join(placing.numbered for placing in self.placings)

    @property
    def entered_by(self) -> str:
        """The account that saved the game, or that a phone did; empty for online games."""
        if self.result.by:
            return str(self.result.by)
        return _("from a phone at the table") if self.result.device else ""

    @property
    def told(self) -> list[str]:
        """The game's specials as sentences."""
        names = {p.entrant_id: p.entrant.player.name for p in self.placings}
        return entry.told(from_json(self.result.specials), names)


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
class SittingPage:
    sitting: Sitting
    event: Event
    games: list[PlayedGame]
    next: NextGame
    seats: list[DrawnSeat]
    clockwise: bool
    winner_leads: bool
    so_far: list[SoFar]
    floor: FloorTable | None = None
    resolved: list[Dispute] = field(default_factory=list)
    """Disputes that organisers answered, the latest first."""
    tells_order: bool = True
    """Whether this visitor sees who deals and leads: it reveals who came first and last."""


def sitting_page(
    *, sitting: Sitting, event: Event, organises: bool = False, plays: bool = False
) -> SittingPage:
    """Return everything that a table's page shows.

    Only a visitor who `organises` sees the places of held games. Who deals and leads after one is
    also shown to a visitor who `plays`, that is, may enter games at this table.
    """
    places = _PLACES(sitting.pk)
    disputes = _DISPUTES(sitting.pk)
    games = _games(sitting, places, disputes)
    following = _next_game(sitting, event, games, places)
    is_held = any(game.result.held for game in games)
    if is_held and not organises:
        games = [_kept_back(game) if game.result.held else game for game in games]
    if is_held and not (organises or plays):
        following = replace(following, dealer=None, leader=None, owed=())
    seats = [
        DrawnSeat(
            place.entrant.player.name,
            deals=place == following.dealer and not following.cuts,
            leads=place == following.leader,
        )
        for place in following.places
    ]
    winner_leads = event.rules.later_games_led_by == "winner"
    floor = floor_table(event, sitting, games, following.number) if event.is_floor else None
    clockwise = is_clockwise(event)
    counted = [p for game in games if not game.result.void for p in game.placings]
    sums = so_far(event, sitting, counted)
    return SittingPage(
        sitting,
        event,
        games,
        following,
        seats,
        clockwise,
        winner_leads,
        sums,
        floor,
        resolved=[each for each in disputes if each.outcome != Dispute.Outcome.OPEN],
        tells_order=organises or plays or not is_held,
    )


def _kept_back(game: PlayedGame) -> PlayedGame:
    """Return the game without its places, for visitors who may not see them yet."""
    result = Result(
        pk=game.result.pk,
        sitting_id=game.result.sitting_id,
        game_no=game.result.game_no,
        version=game.result.version,
        held=True,
    )
    return PlayedGame(result, [], confirmed=True, kept_back=True)


def _games(sitting: Sitting, places: list[Place], disputes: list[Dispute]) -> list[PlayedGame]:
    """Return the latest version of each game, in order.

    `places` are all places ever held at the table; they save a second read of its players.
    """
    results = _GAMES(sitting.pk)
    known = {place.entrant_id: place.entrant for place in places}
    placings: dict[int, list[Placing]] = {}
    for placing in _PLACINGS(sitting.pk):
        if placing.entrant_id in known:
            placing.entrant = known[placing.entrant_id]
        placings.setdefault(placing.result_id, []).append(placing)
    for result in results:
        result.sitting = sitting
    disputed = {each.game_no: each for each in disputes if each.outcome == Dispute.Outcome.OPEN}
    return [
        PlayedGame(
            result,
            placings.get(result.pk, []),
            hasattr(result, "confirmation") or result.source == Result.Source.LIVE,
            disputed.get(result.game_no),
        )
        for result in results
    ]


def _next_game(
    sitting: Sitting, event: Event, games: list[PlayedGame], places: list[Place]
) -> NextGame:
    number = 1 + max((game.result.game_no for game in games), default=0)
    places = [place for place in places if place.holds_in(number)]
    ruleset = event.rules
    if not places:
        return NextGame(number, places, dealer=None, leader=None, is_over=False, waits=True)
    last = next((game for game in reversed(games) if game.placings), None)
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
        waits=event.is_floor and len(places) < event.least_at_table,
        cuts=last is None and is_to_cut(event, sitting),
        may_cut=not games and cuts_first(event),
        owed=tuple(owed),
    )


def _after(
    ruleset: Ruleset, last: PlayedGame, places: list[Place]
) -> tuple[int, int | None, list[Step]]:
    """Return the dealer and leader after a game and the cards owed, by index into `places`.

    A player who sat down after that game counts as new, even in their old seat. If the winner's
    seat is empty, the lowest card leads.
    """
    order = [place.seat for place in places]
    groups: dict[int, list[int]] = {}
    for placing in last.placings:
        if placing.seat in order:
            groups.setdefault(placing.rank, []).append(order.index(placing.seat))
    if not groups:
        return 0, None, []
    gone = [no for no, place in enumerate(places) if place.from_game > last.result.game_no]
    following = deal.next_deal(ruleset, list(groups.values()), gone=gone)
    leader = following.leader if 1 in groups else None
    return following.dealer, leader, _owed(ruleset, last, places, gone)


def _owed(ruleset: Ruleset, last: PlayedGame, places: list[Place], gone: list[int]) -> list[Step]:
    """Return the cards owed after a game, without those owed to or by players who have left."""
    if last.result.source == Result.Source.LIVE:  # The online table handles the exchange.
        return []
    seats = [placing.seat for placing in last.placings]
    at = {place.seat: number for number, place in enumerate(places)}
    after = [seat for seat in range(len(seats)) if seats[seat] not in at]
    after += [seats.index(places[no].seat) for no in gone if places[no].seat in seats]
    by_rank: dict[int, list[int]] = {}
    for number, placing in enumerate(last.placings):
        by_rank.setdefault(placing.rank, []).append(number)
    number_of = {placing.entrant_id: number for number, placing in enumerate(last.placings)}
    specials = at_seats(from_json(last.result.specials), number_of)
    steps = steps_after(ruleset, list(by_rank.values()), specials, gone=after)
    return [step._replace(seat=at[seats[step.seat]], other=at[seats[step.other]]) for step in steps]


def versions(sitting: Sitting, game_no: int) -> list[PlayedGame]:
    """Return every version of a game, the current one first."""
    results = sitting.results.filter(game_no=game_no).select_related("by").order_by("-version")
    placings: dict[int, list[Placing]] = {}
    for placing in Placing.objects.filter(result__in=results).select_related("entrant__player"):
        placings.setdefault(placing.result_id, []).append(placing)
    return [PlayedGame(result, placings.get(result.pk, [])) for result in results]
