"""A player's own night on a phone: table, games, place, money, the next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, Sum

from league.models import (
    Confirmation,
    Dispute,
    Entrant,
    Event,
    Placing,
    Player,
    Result,
    Sitting,
    Transfer,
)
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.draws import DrawnSeat
from league.nights.facts.events import rounds_of
from league.nights.facts.final_places import Placed, event_places
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.facts.sittings import SittingPage, sitting_page
from league.nights.facts.stages import stage_page
from league.nights.pages import my_seat
from league.nights.pages.table_page import owed
from league.seasons.facts import rosters
from league.seasons.facts.standings import canonical

AROUND = 2
"""How many rows of the standings to show above and below the player's own."""
LATEST = 6


@dataclass(frozen=True)
class MyGame:
    """One of the player's games: all places, the player's money, and whether it is settled."""

    result: Result
    placings: list[Placing]
    mine: Placing
    money: int
    confirmed: bool
    dispute: Dispute | None

    @property
    def medal(self) -> str:
        return "last" if self.mine.rank == self.mine.size else str(self.mine.rank)


@dataclass(frozen=True)
class Mate:
    """A team-mate of the captain, and whether they sit in tonight."""

    player: Player
    here: bool
    left: bool


@dataclass(frozen=True)
class OwnTeam:
    """The team of which the player is captain."""

    name: str
    mates: list[Mate]


@dataclass(frozen=True)
class OwnMoney:
    """The player's open payments for this night: `owe` to others, `owed` by others."""

    owe: list[OwedPayment]
    owed: list[OwedPayment]


@dataclass(frozen=True)
class OwnTable:
    """The player's table with the seats in order from the player's own."""

    table: SittingPage | None = None
    seats: Sequence[DrawnSeat] = ()
    clock: Clock | None = None
    owed: Sequence[str] = ()


@dataclass(frozen=True)
class MyNightPage:
    """A player's page: seat, games, place and money; `own` is the place among `people`.

    `among` names the group or table in which the player is ranked, "" for the whole night.
    """

    player: Player
    presence: str
    call: RollCall | None
    team: OwnTeam | None
    mine: my_seat.MyTable | None
    my_tables: list[my_seat.MyTable]
    own_table: OwnTable
    games: list[MyGame]
    more_games: int
    own: Placed | None
    among: str
    people: int
    around: list[Placed]
    money: OwnMoney | None
    next_night: Event | None


def my_night(event: Event, player: Player, *, sees_others: bool, everything: bool) -> MyNightPage:
    """Return the player's page.

    `sees_others` says whether the visitor may see the club's standings; `everything` lists all
    games.
    """
    entrant = event.entrants.filter(player=player).first()
    tables = my_seat.tables_of(event, [player.pk])
    mine = tables[0] if tables else None
    games = my_games(event, player)
    places = event_places(event)
    among, places = _among(event, places, player)
    own = next((s for s in places if s.player.pk == player.pk), None)
    at = places.index(own) if own else 0
    return MyNightPage(
        player=player,
        presence=entrant.presence if entrant else Entrant.Presence.EXPECTED,
        call=roll_call(event),
        team=own_team(event, player) if event.is_open else None,
        mine=mine,
        my_tables=tables,
        own_table=_table(event, mine),
        games=games if everything else games[:LATEST],
        more_games=0 if everything else max(0, len(games) - LATEST),
        own=own,
        among=among,
        people=sum(s.row.rank is not None for s in places),
        around=places[max(0, at - AROUND) : at + AROUND + 1] if sees_others and own else [],
        money=own_money(event, player) if event.stake else None,
        next_night=next_night(event),
    )


def _among(event: Event, places: list[Placed], player: Player) -> tuple[str, list[Placed]]:
    """Return the name and the order of those among whom the player is ranked.

    Until the final counts, that is the group or table that decides who advances; "" for the whole
    night.
    """
    if not event.rules_of_format.has_stages or any(place.stage for place in places):
        return "", places
    found = stage_page(event, rounds_of(event, with_drafts=False))
    for part in found.parts if found else []:
        order = [Placed(canonical(line.entrant.player), line.row) for line in part.lines]
        if any(one.player.pk == player.pk for one in order):
            return part.name, order
    return "", places


def own_team(event: Event, player: Player) -> OwnTeam | None:
    """Return the player's team-mates if the player is its captain."""
    crew = rosters.crew_of(event.season_id, player)
    if crew is None:
        return None
    entered = event.entrants.filter(player__in=crew.mates)
    presence = dict(entered.values_list("player_id", "presence"))
    mates = [
        Mate(
            mate,
            presence.get(mate.pk) == Entrant.Presence.HERE,
            presence.get(mate.pk) == Entrant.Presence.LEFT,
        )
        for mate in crew.mates
    ]
    return OwnTeam(crew.name, mates)


def my_games(event: Event, player: Player) -> list[MyGame]:
    """Return the player's counted games of the night, the latest first."""
    everybody = Placing.objects.select_related("entrant__player")
    names = _names_of(player)
    results = (
        Result.objects.filter(
            Exists(Placing.objects.filter(result=OuterRef("pk"), entrant__player__in=names)),
            sitting__round__event=event,
            current=True,
            void=False,
        )
        .annotate(is_confirmed=Exists(Confirmation.objects.filter(result=OuterRef("pk"))))
        .select_related("sitting__round")
        .prefetch_related(Prefetch("placings", queryset=everybody))
        .order_by("-sitting__round__number", "-game_no")
    )
    disputed = Dispute.objects.filter(sitting__round__event=event, outcome=Dispute.Outcome.OPEN)
    disputes = {(d.sitting_id, d.game_no): d for d in disputed}
    money = _won(event, player) if event.stake else {}
    return [
        MyGame(
            result,
            (placings := sorted(result.placings.all(), key=lambda p: (p.rank, p.seat))),
            next(p for p in placings if p.entrant.player_id in names),
            money.get((result.sitting_id, result.game_no), 0),
            result.is_confirmed or result.source == Result.Source.LIVE,
            disputes.get((result.sitting_id, result.game_no)),
        )
        for result in results
    ]


def _names_of(player: Player) -> set[int]:
    """Return the keys of the player and the names merged into it."""
    return {player.pk, *player.aliases.values_list("pk", flat=True)}


def _won(event: Event, player: Player) -> dict[tuple[int, int], int]:
    """Return the player's winnings by table and game, corrections included."""
    names = _names_of(player)
    moved = Transfer.objects.filter(
        Q(payer__player__in=names) | Q(payee__player__in=names),
        result__sitting__round__event=event,
    ).order_by()
    found: dict[tuple[int, int], int] = {}
    rows = moved.values_list("result__sitting", "result__game_no", "payee__player")
    for sitting, game_no, payee, amount in rows.annotate(Sum("amount")):
        key = (sitting, game_no)
        found[key] = found.get(key, 0) + (amount if payee in names else -amount)
    return found


def _table(event: Event, mine: my_seat.MyTable | None) -> OwnTable:
    if mine is None or mine.place is None or mine.round is None or not event.is_open:
        return OwnTable()
    sitting: Sitting = mine.place.sitting
    sitting.round = mine.round
    shown = sitting_page(sitting=sitting, event=event)
    order = [place.entrant_id for place in shown.next.places]
    if mine.place.entrant_id not in order:
        return OwnTable()
    at = order.index(mine.place.entrant_id)
    seats = shown.seats[at:] + shown.seats[:at]
    if shown.next.is_over:
        seats = [DrawnSeat(seat.name) for seat in seats]
    return OwnTable(shown, seats, clock_of(mine.round, sitting), owed(shown))


def own_money(event: Event, player: Player) -> OwnMoney:
    """Return the open payments of this night that the player owes or is owed."""
    payments = open_debts.of_night(event)
    return OwnMoney(
        [p for p in payments if open_debts.key_of(p.payer) == player.pk],
        [p for p in payments if open_debts.key_of(p.payee) == player.pk],
    )


def next_night(event: Event) -> Event | None:
    """Return the season's next open night after this one, if there is one."""
    later = event.season.events.filter(
        kind=Event.Kind.NIGHT, status=Event.Status.OPEN, date__gt=event.date
    )
    return later.order_by("date", "pk").first()
