"""A night whose tables all play the same deals: its results, and one deal with every hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from statistics import median

from django.urls import reverse
from django.utils.translation import pgettext_lazy

from engine.records.deals import fingerprint, shared_secret
from league.base.domain.grouped import grouped
from league.base.domain.keys import Key
from league.base.facts.interval_rows import Plot
from league.base.pages.address import address
from league.models import Event, LiveResult, NightDeals, Player, Round
from league.nights.facts import final_places, same_deals
from league.nights.facts.final_places import Placed
from league.nights.facts.viewer import Viewer
from league.seasons.domain import same_deals as domain
from league.seasons.domain.same_deals import HANDS, PlayedHand
from league.seasons.facts import rosters
from league.seasons.facts.rosters import TeamRow
from league.seasons.facts.same_deals import held_in, won_in
from tables.models import Action

HAND_NAMES = (
    pgettext_lazy("hand of a deal", "North"),
    pgettext_lazy("hand of a deal", "East"),
    pgettext_lazy("hand of a deal", "South"),
    pgettext_lazy("hand of a deal", "West"),
)
FEW_TABLES = 5
"""Nights with fewer tables tell no more than ordinary ones (docs/seating.md has the figures)."""
FIRST, BETWEEN, BESIDE = 6, 88, 5
"""Where places stand on a line from 0 to 100: the first, all of them, and two that share one."""


@dataclass(frozen=True)
class PlaceDot:
    """A holder of a hand on the line of places."""

    x: float
    is_own: bool


@dataclass(frozen=True)
class HandHolder:
    """Who played a hand at a table: the place there, and the percent of the others beaten.

    `money` is the mean difference to the others; None where it is not shown.
    """

    player: Player
    table_no: int
    rank: int
    tied: bool
    percent: int
    hand: str
    is_own: bool
    money: int | None = None


@dataclass(frozen=True)
class OwnDeal:
    """A deal that the reader has played; `number` counts the night's deals."""

    number: int
    hand: str
    rank: int
    percent: int
    dots: list[PlaceDot]
    address: str
    is_shown: bool

    @property
    def tone(self) -> str:
        """Whether most of the others did worse or better."""
        return "" if self.percent == 50 else "won" if self.percent > 50 else "lost"


@dataclass(frozen=True)
class RankedPlayer:
    """A player's place in the night, with the percent's interval."""

    place: Placed
    percent: float
    error: float | None
    plot: Plot
    is_own: bool


@dataclass(frozen=True)
class HandField:
    """All who held one hand of a deal, the best first, with its cards once they are told."""

    number: int
    hand: str
    holders: list[HandHolder]
    cards: list[str]
    address: str


@dataclass(frozen=True)
class DealsPage:
    """The results; `own` is the reader's row, and `apart` how far two players must lie apart.

    `records` is the address of the told games' records; "" without any. Two `teams` play a match:
    each hand that one of them holds, the other holds at another table.
    """

    rows: list[RankedPlayer]
    own: RankedPlayer | None
    own_places: str
    deals: list[OwnDeal]
    field: HandField | None
    apart: int | None
    few_tables: bool
    records: str
    teams: list[TeamRow]


@dataclass(frozen=True)
class BoardHand:
    """One of a deal's four hands, with how often it came first and last."""

    name: str
    cards: list[str]
    firsts: int
    lasts: int
    is_own: bool


@dataclass(frozen=True)
class PlayedLine:
    """What a holder of the reader's hand played, cards by turn, none for a pass.

    At `turn` the reader and the best holder did not do the same for the first time.
    """

    holder: HandHolder
    plays: list[list[str]]
    turn: int
    replay: str


@dataclass(frozen=True)
class BoardPage:
    """One deal: who held what at one table, its hands, its proof, and until when it is secret.

    `lines` is what the reader and the best holder of the same hand played, if that is another.
    `others` are the tables with a result of it, each with its address, `tables` how many play it.
    """

    number: int
    of: int
    is_told: bool
    table_no: int
    holders: list[HandHolder]
    others: list[tuple[int, str, bool]]
    hands: list[BoardHand]
    lines: list[PlayedLine]
    tables: int
    seal: str
    fair: str
    replay: str


class HandsOfNight:
    """A night's hands, read once."""

    def __init__(self, event: Event, own: Collection[int], *, sees_money: bool = False) -> None:
        self.event, self.own = event, set(own)
        self.to = partial(address, event)
        self.games = event.games_per_round or 1
        self.hands = domain.played_hands(held_in([event]).get(event.pk, []))
        self.money = self._differences() if sees_money and event.stake else {}
        self.players = Player.objects.in_bulk({int(one.held.entrant) for one in self.hands})

    def number(self, deal: tuple[Key, int]) -> int:
        """Return a deal's number among the night's."""
        return (int(deal[0]) - 1) * self.games + deal[1]

    def holders(self, hands: Iterable[PlayedHand]) -> list[HandHolder]:
        found = [
            HandHolder(
                player=self.players[int(one.held.entrant)],
                table_no=one.held.table_no,
                rank=one.held.rank,
                tied=one.held.tied > 1,
                percent=round(100 * one.share),
                hand=str(HAND_NAMES[one.held.hand]),
                is_own=one.held.entrant in self.own,
                money=self.money.get((one.held.deal, one.held.entrant)),
            )
            for one in hands
        ]
        return sorted(found, key=lambda one: (-one.percent, one.rank, one.table_no))

    def _differences(self) -> dict[tuple[tuple[Key, int], Key], int]:
        """Return by deal and player the mean difference to the others with the same hand."""
        won = won_in(self.event)
        found: dict[tuple[tuple[Key, int], Key], int] = {}
        for field in domain.fields(one.held for one in self.hands):
            sums = [won[one.deal, one.entrant] for one in field]
            pairs = zip(field, domain.differences(sums), strict=True)
            found |= {(one.deal, one.entrant): round(mean) for one, mean in pairs}
        return found

    def held(self, deal: tuple[Key, int], hand: int) -> list[PlayedHand]:
        return [one for one in self.hands if (one.held.deal, one.held.hand) == (deal, hand)]


def deals_page(viewer: Viewer, wanted: int | None) -> DealsPage:
    """Return a night's results by deals for this viewer; `wanted` is a deal's number."""
    event = viewer.event
    night = HandsOfNight(event, viewer.own, sees_money=viewer.sees_money)
    by_player = domain.by_entrant(night.hands)
    rows = [
        _ranked(place, by_player[place.player.pk], place.player.pk in night.own)
        for place in final_places.event_places(event)
        if place.player.pk in by_player
    ]
    mine = sorted(
        (one for one in night.hands if one.held.entrant in night.own),
        key=lambda one: one.held.deal,
    )
    numbers = [night.number(one.held.deal) for one in mine]
    chosen = wanted if wanted in numbers else next(iter(numbers), None)
    deals = [_own_deal(night, one, chosen) for one in mine]
    errors = [row.error for row in rows if row.error is not None]
    return DealsPage(
        rows=rows,
        own=next((row for row in rows if row.is_own), None),
        own_places=", ".join(str(one.held.rank) for one in mine),
        deals=deals,
        field=_field(night, mine[numbers.index(chosen)]) if chosen is not None else None,
        apart=round(sqrt(2) * median(errors)) if errors else None,
        few_tables=len({one.held.table_no for one in night.hands}) < FEW_TABLES,
        records=night.to("deal_records") if same_deals.revealed_games(event).exists() else "",
        teams=[team for team in rosters.tables_of(event.season, event).teams if team.counted],
    )


def board_page(viewer: Viewer, round_: Round, number: int, table_no: int | None) -> BoardPage:
    """Return one deal of a round; its cards only once every table has ended it."""
    event, deal = viewer.event, (round_.number, number)
    night = HandsOfNight(event, viewer.own, sees_money=viewer.sees_money)
    played = [one for one in night.hands if one.held.deal == deal]
    at = sorted({one.held.table_no for one in played})
    mine = next((one.held for one in played if one.held.entrant in night.own), None)
    table = table_no if table_no in at else mine.table_no if mine else next(iter(at), 0)
    is_revealed = number <= same_deals.told(round_)
    cards = same_deals.hands(event, round_.number, number) if is_revealed else []
    own_hand = mine.hand if mine else None
    live = LiveResult.objects.filter(
        result__sitting__round=round_, result__game_no=number, result__sitting__table_no=table
    )
    game = live.exclude(game=None).values_list("game__table__key", "game__no").first()
    to = night.to("deal", *deal)
    return BoardPage(
        number=night.number(deal),
        of=event.rounds_planned * night.games,
        is_told=is_revealed,
        table_no=table,
        holders=sorted(
            night.holders(one for one in played if one.held.table_no == table),
            key=lambda one: one.rank,
        ),
        others=[(no, f"{to}?table={no}", no == table) for no in at],
        hands=[_hand(played, hand, cards, own_hand) for hand in range(HANDS)] if cards else [],
        lines=_lines(round_, number, mine.hand, night.holders(night.held(deal, mine.hand)))
        if cards and mine
        else [],
        tables=round_.sittings.count(),
        seal=_seal(event, round_, number),
        fair=reverse("tables:fair", args=game) if game and is_revealed else "",
        replay=reverse("tables:replay", args=game) if game and is_revealed else "",
    )


def best_hands(night: HandsOfNight) -> list[tuple[int, list[list[HandHolder]]]]:
    """Return every deal's number, and for each hand those who did best with it."""
    found = []
    for deal in sorted({one.held.deal for one in night.hands}, key=night.number):
        fields = [night.holders(night.held(deal, hand)) for hand in range(HANDS)]
        best = [[one for one in field if one.percent == field[0].percent] for field in fields]
        found.append((night.number(deal), best))
    return found


def traveller(night: HandsOfNight) -> list[tuple[int, int, list[HandHolder]]]:
    """Return for each table of the last deal its number, the deal's, and who held which hand."""
    if not night.hands:
        return []
    last = max(one.held.deal for one in night.hands)
    fields = [night.holders(night.held(last, hand)) for hand in range(HANDS)]
    tables = grouped((one.table_no, one) for field in fields for one in field)
    return [(no, night.number(last), tables[no]) for no in sorted(tables)]


def _ranked(place: Placed, shares: Sequence[Fraction], is_own: bool) -> RankedPlayer:
    percent, error = 100 * float(sum(shares)) / len(shares), domain.error(shares)
    low, high = (max(0.0, percent - (error or 0)), min(100.0, percent + (error or 0)))
    plot = Plot(round(low, 2), round(percent, 2), round(high, 2), 50)
    return RankedPlayer(place, percent, error, plot, is_own)


def _own_deal(night: HandsOfNight, one: PlayedHand, chosen: int | None) -> OwnDeal:
    number = night.number(one.held.deal)
    return OwnDeal(
        number=number,
        hand=str(HAND_NAMES[one.held.hand]),
        rank=one.held.rank,
        percent=round(100 * one.share),
        dots=_dots(night.holders(night.held(one.held.deal, one.held.hand))),
        address=f"{night.to('deals')}?deal={number}#field",
        is_shown=number == chosen,
    )


def _dots(holders: list[HandHolder]) -> list[PlaceDot]:
    """Return the holders on the line of places, those with the same place beside each other."""
    seen: dict[int, int] = {}
    found = []
    for one in sorted(holders, key=lambda one: one.is_own):
        beside = seen.get(one.rank, 0)
        seen[one.rank] = beside + 1
        at = FIRST + BETWEEN * (min(one.rank, HANDS) - 1) / (HANDS - 1)
        found.append(
            PlaceDot(round(at + BESIDE * beside * (1 if one.rank < 3 else -1), 2), one.is_own)
        )
    return found


def _field(night: HandsOfNight, one: PlayedHand) -> HandField:
    round_ = night.event.rounds.get(number=one.held.deal[0])
    number = one.held.deal[1]
    is_revealed = number <= same_deals.told(round_)
    cards = same_deals.hands(night.event, round_.number, number) if is_revealed else []
    return HandField(
        number=night.number(one.held.deal),
        hand=str(HAND_NAMES[one.held.hand]),
        holders=night.holders(night.held(one.held.deal, one.held.hand)),
        cards=cards[one.held.hand].split() if cards else [],
        address=night.to("deal", *one.held.deal),
    )


def _hand(played: Iterable[PlayedHand], hand: int, cards: list[str], own: int | None) -> BoardHand:
    ranks = [(one.held.rank, one.held.size) for one in played if one.held.hand == hand]
    return BoardHand(
        name=str(HAND_NAMES[hand]),
        cards=cards[hand].split(),
        firsts=sum(rank == 1 for rank, _size in ranks),
        lasts=sum(rank == size for rank, size in ranks),
        is_own=hand == own,
    )


def _lines(
    round_: Round, number: int, hand: int, holders: Sequence[HandHolder]
) -> list[PlayedLine]:
    """Return what the reader and the best of these holders of a hand did, if both were online."""
    best, mine = holders[0], next(one for one in holders if one.is_own)
    found = LiveResult.objects.filter(result__sitting__round=round_, result__game_no=number)
    columns = ("result__sitting__table_no", "game", "game__table__key", "game__no")
    rows = found.exclude(game=None).values_list(*columns)
    games = {table_no: (game, [key, no]) for table_no, game, key, no in rows}
    both = [one for one in (mine, best) if one.table_no in games]
    if best.percent <= mine.percent or len(both) < 2:
        return []
    plays: list[list[list[str]]] = []
    for one in both:
        log = Action.objects.filter(game=games[one.table_no][0], seat=(hand - number) % HANDS)
        bodies = log.order_by("seq").values_list("body", flat=True)
        done = (body for body in bodies if body["do"] in ("play", "pass"))
        plays.append([body.get("cards", "").split() for body in done])
    pairs = enumerate(zip(*plays, strict=False))
    turn = next((at for at, (own, other) in pairs if own != other), min(map(len, plays)))
    return [
        PlayedLine(one, done, turn, reverse("tables:replay", args=games[one.table_no][1]))
        for one, done in zip(both, plays, strict=True)
    ]


def _seal(event: Event, round_: Round, number: int) -> str:
    """Return the fingerprint of a deal's secret, which was public before its cards."""
    found = NightDeals.objects.select_related("shared").filter(event=event)
    known = found.filter(round_no=round_.number).first()
    return fingerprint(shared_secret(known.shared.secret, number)) if known else ""
