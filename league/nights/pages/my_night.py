"""A player's own night on a phone: table, games, place, money, the next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.page_parts import Button, Remark
from league.models import (
    Club,
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
from league.nights.acts import disputes
from league.nights.facts import claims, online_tables, sittings
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.draws import is_clockwise
from league.nights.facts.events import rounds_of
from league.nights.facts.final_places import Placed, event_places
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.facts.sittings import NextGame
from league.nights.pages import answers, my_seat
from league.nights.pages.stage_page import stage_page
from league.nights.pages.table_page import DrawnSeat, drawn_seats, owed
from league.seasons.facts import rosters
from league.seasons.facts.standings import canonical

AROUND = 2
"""How many rows of the standings to show above and below the player's own."""
LATEST = 6


@dataclass(frozen=True)
class Visitor:
    """Who looks at a player's page: the player, by account or phone, and what they may see.

    `by_phone` says that the phone's claim named the player, not the account; `sees_club` that the
    visitor may see the club's pages.
    """

    player: Player
    by: User | None
    device: str
    phone: str
    by_phone: bool
    sees_club: bool


@dataclass(frozen=True)
class MyGame:
    """One of the player's games: all places and the player's money.

    `asks` that the player confirms it; `reports` says that a mistake can be reported, `state` what
    became of a report.
    """

    name: str
    result: Result
    placings: list[Placing]
    mine: Placing
    money: int
    asks: bool
    reports: bool
    state: str

    @property
    def medal(self) -> str:
        return "last" if self.mine.rank == self.mine.size else str(self.mine.rank)


@dataclass(frozen=True)
class Mate:
    """A team-mate of the captain, and whether they sit in tonight."""

    player: Player
    here: bool
    left: bool
    change: Button


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
    """The player's table with the seats in order from the player's own.

    `secret` opens the entry of its games; "" where they are not entered by this phone.
    """

    sitting: Sitting
    next: NextGame
    seats: Sequence[DrawnSeat]
    clockwise: bool
    clock: Clock | None
    owed: Sequence[str]
    secret: str


@dataclass(frozen=True)
class MyNightPage:
    """A player's page: seat, games, place and money; `own` is the place among `people`.

    `notice` says why the player has no seat; `moves` are how they come and go, and `stays` that
    this applies from the next draw. `among` names the group or table in which the player is ranked,
    "" for the whole night. `goes_on` says that this phone has the player's name on the next night,
    too; `keeps_name` offers it. `frees` offers to end the phone's claim.
    """

    event: Event
    club: Club
    player: Player
    here: str
    news_at: str
    notice: Remark | None
    stays: bool
    moves: list[Button]
    call: RollCall | None
    team: OwnTeam | None
    mine: my_seat.MyTable | None
    chairs: list[str]
    table: OwnTable | None
    answers: list[str]
    report_kinds: Sequence[tuple[str, str | Promise]]
    games: list[MyGame]
    more_games: int
    own: Placed | None
    among: str
    people: int
    around: list[Placed]
    money: OwnMoney | None
    next_night: Event | None
    goes_on: bool
    keeps_name: bool
    frees: bool
    sees_club: bool


def my_night(
    event: Event,
    visitor: Visitor,
    *,
    everything: bool = False,
    chairs: Sequence[str] = (),
    to_watch: my_seat.ToWatch | None = None,
) -> MyNightPage:
    """Return the player's page; `everything` lists all games.

    `chairs` are the addresses of the player's seats online, `to_watch` finds what to watch
    while the player waits.
    """
    player = visitor.player
    entrant = event.entrants.filter(player=player).first()
    presence = entrant.presence if entrant else Entrant.Presence.EXPECTED.value
    tables = my_seat.tables_of(event, [player.pk], to_watch=to_watch)
    mine = tables[0] if tables else None
    games = my_games(event, visitor)
    among, places = _among(event, event_places(event), player)
    own, around = _around(places, player)
    here = reverse("league:my_night", args=[event.pk])
    following = next_night(event)
    follows = following if visitor.by_phone else None
    goes_on = follows is not None and claims.held(follows, visitor.phone) is not None
    news = f"{here}?version={event.version}" + ("&all=1" if everything else "")
    return MyNightPage(
        event=event,
        club=event.season.club,
        player=player,
        here=here,
        news_at=news if event.is_open else "",
        notice=_notice(event, presence, mine),
        stays=mine is not None and mine.place is not None and not event.is_floor,
        moves=_moves(here, presence) if event.is_open else [],
        call=None if presence == Entrant.Presence.LEFT else roll_call(event),
        team=own_team(event, player) if event.is_open else None,
        mine=mine,
        chairs=list(chairs),
        table=_table(event, mine),
        answers=answers.to_player(event, player, by=visitor.by, device=visitor.device),
        report_kinds=Dispute.Kind.choices,
        games=games if everything else games[:LATEST],
        more_games=0 if everything else max(0, len(games) - LATEST),
        own=own,
        among=among,
        people=sum(s.row.rank is not None for s in places),
        around=around if visitor.sees_club else [],
        money=own_money(event, player) if event.stake else None,
        next_night=following,
        goes_on=goes_on,
        keeps_name=follows is not None and not goes_on,
        frees=visitor.by_phone,
        sees_club=visitor.sees_club,
    )


def _around(places: list[Placed], player: Player) -> tuple[Placed | None, list[Placed]]:
    """Return the player's place, and the places just above and below with it."""
    for at, own in enumerate(places):
        if own.player.pk == player.pk:
            return own, places[max(0, at - AROUND) : at + AROUND + 1]
    return None, []


def _notice(event: Event, presence: str, mine: my_seat.MyTable | None) -> Remark | None:
    if not event.is_open:
        return Remark(_("This night is closed."), "info")
    if mine is not None:
        return None
    if presence == Entrant.Presence.LEFT:
        return Remark(_("You have left for tonight."), "info")
    return Remark(_("You are not checked in."), "info")


def _moves(here: str, presence: str) -> list[Button]:
    button = partial(Button, address=here, posts=True, name="presence")
    if presence != Entrant.Presence.HERE:
        return [button(_("I'm here"), tone="primary", value="here")]
    return [
        button(_("Sit out for now"), value="expected"),
        button(_("Leave for tonight"), tone="quiet", value="left"),
    ]


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
            _change(event, mate, presence.get(mate.pk) == Entrant.Presence.HERE),
        )
        for mate in crew.mates
    ]
    return OwnTeam(crew.name, mates)


def _change(event: Event, mate: Player, is_here: bool) -> Button:
    """Return the button by which a captain says that a team-mate sits out, or in."""
    return Button(
        _("Sit out") if is_here else _("Sit in"),
        reverse("league:my_night", args=[event.pk]),
        "quiet" if is_here else "",
        posts=True,
        name="presence",
        value="expected" if is_here else "here",
        about=mate.name,
        hidden=(("mate", str(mate.pk)),),
    )


def my_games(event: Event, visitor: Visitor) -> list[MyGame]:
    """Return the player's counted games of the night, the latest first."""
    everybody = Placing.objects.select_related("entrant__player")
    names = _names_of(visitor.player)
    results = (
        _results(event, names)
        .annotate(is_confirmed=Exists(Confirmation.objects.filter(result=OuterRef("pk"))))
        .select_related("sitting__round")
        .prefetch_related(Prefetch("placings", queryset=everybody))
        .order_by("-sitting__round__number", "-game_no")
    )
    disputed = Dispute.objects.filter(sitting__round__event=event, outcome=Dispute.Outcome.OPEN)
    reports = {(d.sitting_id, d.game_no): d for d in disputed}
    money = _won(event, names) if event.stake else {}
    found = []
    for result in results:
        placings = sorted(result.placings.all(), key=lambda p: (p.rank, p.seat))
        report = reports.get((result.sitting_id, result.game_no))
        asks = _asks(event, result, visitor) and report is None
        found.append(
            MyGame(
                name=_name_of(event, result),
                result=result,
                placings=placings,
                mine=next(p for p in placings if p.entrant.player_id in names),
                money=money.get((result.sitting_id, result.game_no), 0),
                asks=asks,
                reports=event.is_open and report is None and not asks,
                state=answers.of_open(report) if report else "",
            )
        )
    return found


def _name_of(event: Event, result: Result) -> str:
    sitting, number = result.sitting, result.game_no
    if event.is_floor:
        return _("Table %(table)s, game %(number)s") % {"table": sitting.table_no, "number": number}
    where = {"round": sitting.round.number, "number": number}
    return _("Round %(round)s, game %(number)s") % where


def my_game(event: Event, player: Player, key: int | None) -> Result | None:
    """Return the player's counted game with this key; None if there is none."""
    return _results(event, _names_of(player)).filter(pk=key or 0).first()


def _results(event: Event, names: set[int]) -> QuerySet[Result]:
    placings = Placing.objects.filter(result=OuterRef("pk"), entrant__player__in=names)
    return Result.objects.filter(
        Exists(placings), sitting__round__event=event, current=True, void=False
    )


def _asks(event: Event, result: Any, visitor: Visitor) -> bool:
    """Return whether the page asks this visitor to confirm the game."""
    if not event.is_open or result.is_confirmed or result.source == Result.Source.LIVE:
        return False
    return disputes.may_confirm(
        result=result, event=event, by=visitor.by, device=visitor.device, organises=False
    )


def _names_of(player: Player) -> set[int]:
    """Return the keys of the player and the names merged into it."""
    return {player.pk, *player.aliases.values_list("pk", flat=True)}


def _won(event: Event, names: set[int]) -> dict[tuple[int, int], int]:
    """Return the winnings under these names by table and game, corrections included."""
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


def _table(event: Event, mine: my_seat.MyTable | None) -> OwnTable | None:
    if mine is None or mine.place is None or mine.round is None or not event.is_open:
        return None
    sitting: Sitting = mine.place.sitting
    sitting.round = mine.round
    following = sittings.facts_of(sitting, event).visible().next
    order = [place.entrant_id for place in following.places]
    if mine.place.entrant_id not in order:
        return None
    at, drawn = order.index(mine.place.entrant_id), drawn_seats(following)
    if following.is_over:
        drawn = [DrawnSeat(seat.name) for seat in drawn]
    enters = not following.is_over and not online_tables.key_at(sitting)
    return OwnTable(
        sitting=sitting,
        next=following,
        seats=drawn[at:] + drawn[:at],
        clockwise=is_clockwise(event),
        clock=clock_of(mine.round, sitting),
        owed=owed(following),
        secret=mine.secret if enters else "",
    )


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
