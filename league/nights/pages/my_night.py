"""A player's own night on a phone: table, games, place, money, the next step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.base.domain.grouped import net_of
from league.base.page_parts import Button, Remark
from league.models import (
    Confirmation,
    Dispute,
    Entrant,
    Event,
    Placing,
    Player,
    ReportedPayment,
    Result,
    Round,
    Sitting,
    Transfer,
)
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.money.facts.reports import PaymentReport, open_reports, refused
from league.money.pages.pay import HowToPay, how_to_pay
from league.nights.acts import disputes
from league.nights.facts import online_tables, sittings, stages
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.other_places import other_places
from league.nights.facts.recalled import recalled
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.facts.sittings import NextGame, PlayedGame
from league.nights.facts.so_far import points_of
from league.nights.facts.viewer import Viewer
from league.nights.pages import answers, my_seat
from league.nights.pages.game_page import SaidOrder, said_order
from league.nights.pages.own_rank import OwnRank, ranks_of
from league.nights.pages.same_deals import HAND_NAMES
from league.nights.pages.stage_page import pool_name, round_name, stage_names, way_on
from league.nights.pages.stake_offer import StakeCard, card
from league.nights.pages.table_page import owed, specials_of
from league.seasons.domain.same_deals import hand_of
from league.seasons.facts import rosters

LATEST = 6


@dataclass(frozen=True)
class OwnPlace:
    """A place in one of the player's games, with that person's points and what they won."""

    player: Player
    rank: int
    size: int
    points: Fraction
    money: int
    is_own: bool

    @property
    def medal(self) -> str:
        return "last" if self.rank == self.size else str(self.rank)


@dataclass(frozen=True)
class MyGame:
    """One of the player's games: all places in order, the player's own, and its specials.

    `asks` that the player confirms it; `reports` says that a mistake can be reported, `state` what
    became of a report, `other_places` which the player may claim. `claim` is another player's open
    claim of a place, `agrees` what this one has answered to it.
    """

    name: str
    key: int
    places: list[OwnPlace]
    mine: OwnPlace
    sentences: list[str]
    own_sentences: list[str]
    asks: bool
    reports: bool
    state: str
    other_places: list[int]
    claim: SaidOrder | None
    agrees: bool | None

    @property
    def others(self) -> list[Player]:
        """Whom the player met in the game."""
        return [place.player for place in self.places if not place.is_own]


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
class OwnDebt:
    """A payment that the player owes, how to make it, if the payee said how, and its report.

    `refused` is the last report to the payee, if nothing came.
    """

    payment: OwedPayment
    how: HowToPay | None
    report: PaymentReport | None
    refused: ReportedPayment | None = None


@dataclass(frozen=True)
class OwnMoney:
    """The player's open payments for a night: `owe` to others, `owed` by others.

    `reports` are the payments to the player that wait for a yes.
    """

    event: Event
    owe: list[OwnDebt]
    owed: list[OwedPayment]
    reports: list[PaymentReport]
    own: tuple[int, ...]


@dataclass(frozen=True)
class OwnSeat:
    """A seat at the player's table; `note` says that its player deals or leads."""

    player: Player
    is_own: bool
    note: str


@dataclass(frozen=True)
class OwnTable:
    """The player's table with the seats in order from the player's own.

    `stage` says whose table it is in a round of groups, a cup or a final; else it is "". `way_on`
    says who of such a table advances, `then` which round of a night of rounds comes next. `secret`
    opens the entry of its games; "" where they are not entered by this phone, `online` says that
    they are played online.
    """

    sitting: Sitting
    stage: str
    way_on: str
    then: str
    next: NextGame
    seats: Sequence[OwnSeat]
    clock: Clock | None
    owed: Sequence[str]
    secret: str
    online: bool
    offer: StakeCard | None


@dataclass(frozen=True)
class MyNightPage:
    """A player's page: seat, games, place and money.

    `asking` names the phone that asks for this one's name. `notice` says why the player has no
    seat; `moves` are how they come and go, `arrives` the first of them where it is the next step,
    and `stays` says what who is seated and leaves should know. `frees` offers to end the phone's
    claim, `banks` to give the number of the player's bank account.
    """

    player: Player
    asking: str
    notice: Remark | None
    arrives: Button | None
    moves: list[Button]
    stays: str
    call: RollCall | None
    team: OwnTeam | None
    mine: my_seat.MyTable | None
    chairs: list[str]
    table: OwnTable | None
    answers: list[str]
    report_kinds: Sequence[tuple[str, str | Promise]]
    games: list[MyGame]
    lists_all: bool
    rank: OwnRank | None
    money: OwnMoney | None
    frees: bool
    banks: bool
    sees_club: bool

    @property
    def more_games(self) -> int:
        """How many games are not listed; one alone always is."""
        more = 0 if self.lists_all else len(self.games) - LATEST
        return more if more > 1 else 0

    @property
    def listed(self) -> list[MyGame]:
        """The games to list, the latest first."""
        return self.games[: len(self.games) - self.more_games]

    @property
    def asked(self) -> list[MyGame]:
        """The games that the player is asked to confirm, a few at a time, the latest first."""
        return [game for game in self.games if game.asks][:LATEST]

    @property
    def claimed(self) -> list[MyGame]:
        """The games of which another player claims a place."""
        return [game for game in self.games if game.claim]


def my_night(
    viewer: Viewer,
    here: str,
    *,
    may_arrive: bool,
    everything: bool = False,
    chairs: Sequence[str] = (),
    to_watch: my_seat.ToWatch | None = None,
) -> MyNightPage:
    """Return the player's page at the address `here`; `everything` lists all games.

    `chairs` are the addresses of the player's seats online, `to_watch` finds what to watch
    while the player waits.
    """
    night, event, player = viewer.night, viewer.event, viewer.me
    presence = night.presence_of(player)
    tables = my_seat.tables_of(night, [player.pk], to_watch=to_watch)
    mine = tables[0] if tables else None
    games = _my_games(viewer)
    is_here = presence == Entrant.Presence.HERE
    stays = _stays(event, mine)
    moves = _moves(here, is_here) if event.is_open and (is_here or may_arrive) else []
    return MyNightPage(
        player=player,
        asking=viewer.claim.asking if viewer.claim else "",
        notice=_notice(event, presence, stays) if may_arrive else None,
        arrives=None if is_here or not moves else moves[0],
        moves=moves if is_here else [],
        stays=stays,
        call=None if presence == Entrant.Presence.LEFT else roll_call(event),
        team=own_team(event, player, here) if event.is_open else None,
        mine=mine,
        chairs=list(chairs),
        table=_table(event, mine),
        answers=answers.to_player(event, player, by=viewer.by, device=viewer.device),
        report_kinds=Dispute.Kind.choices,
        games=games,
        lists_all=everything,
        rank=ranks_of(night).get(player.pk) if games else None,
        money=own_money(event, player),
        frees=viewer.claim is not None,
        banks=viewer.claim is not None and not player.user_id,
        sees_club=viewer.sees_club,
    )


def _stays(event: Event, mine: my_seat.MyTable | None) -> str:
    if mine is None or mine.place is None or event.has_queue:
        return ""
    return _(
        "Applies from the next draw. If you can't finish this round, call the organiser at your "
        "table."
    )


def _notice(event: Event, presence: str, stays: str) -> Remark | None:
    if not event.is_open:
        text = _("This night was called off.") if event.called_off_at else ""
        return Remark(text or _("This night is closed."), "info")
    if presence == Entrant.Presence.HERE:
        return None
    if presence == Entrant.Presence.LEFT:
        return Remark(" ".join([_("You have left for tonight."), stays]).strip(), "info")
    text = " ".join([_("You are sitting out."), stays]) if stays else _("You are not checked in.")
    return Remark(text, "info")


def _moves(here: str, is_here: bool) -> list[Button]:
    button = partial(Button, address=here, posts=True, name="presence")
    if not is_here:
        return [button(_("I'm here"), tone="primary", value="here")]
    return [
        button(_("Sit out for now"), value="expected"),
        button(_("Leave for tonight"), tone="quiet", value="left"),
    ]


def own_team(event: Event, player: Player, here: str) -> OwnTeam | None:
    """Return the player's team-mates if the player is its captain."""
    crew = rosters.crew_of(event.season_id, player)
    if crew is None:
        return None
    entered = event.entrants.filter(player__in=crew.mates)
    presence = dict(entered.values_list("player_id", "presence"))
    return OwnTeam(crew.name, [_mate(mate, presence.get(mate.pk), here) for mate in crew.mates])


def _mate(mate: Player, presence: str | None, here: str) -> Mate:
    """Return a team-mate with the button by which a captain says that they sit out, or in."""
    is_here = presence == Entrant.Presence.HERE
    change = Button(
        _("Sit out") if is_here else _("Sit in"),
        here,
        "quiet" if is_here else "",
        posts=True,
        name="presence",
        value="expected" if is_here else "here",
        about=mate.name,
        hidden=(("mate", str(mate.pk)),),
    )
    return Mate(mate, is_here, presence == Entrant.Presence.LEFT, change)


def _my_games(viewer: Viewer) -> list[MyGame]:
    """Return the player's counted games of the night, the latest first."""
    event, names = viewer.event, _names_of(viewer.me)
    results = list(
        _results(event, names)
        .annotate(is_confirmed=Exists(Confirmation.objects.filter(result=OuterRef("pk"))))
        .select_related("sitting__round")
        .prefetch_related(
            Prefetch("placings", queryset=Placing.objects.select_related("entrant__player"))
        )
        .order_by("-sitting__round__number", "-game_no")
    )
    disputed = Dispute.objects.filter(sitting__round__event=event, outcome=Dispute.Outcome.OPEN)
    known = disputed.select_related("player__merged_into", "by")
    reports = {(d.sitting_id, d.game_no): d for d in known}
    said = recalled(event) if event.is_open and reports else {}
    money = _won(results) if event.games_have_money else {}
    staged = viewer.night.released if event.rules_of_format.has_stages else []
    rounds = {one.pk: one for one in staged}
    found = []
    for result in results:
        report = reports.get((result.sitting_id, result.game_no))
        asks = _asks(viewer, result) and report is None
        placings = sorted(result.placings.all(), key=lambda p: (p.rank, p.seat))
        places = list(_places(event, result, placings, names, money))
        game = PlayedGame(result, placings)
        own = [one.entrant_id for one in placings if one.entrant.player_id in names]
        found.append(
            MyGame(
                name=_name_of(event, result, rounds),
                key=result.pk,
                places=places,
                mine=next(place for place in places if place.is_own),
                sentences=specials_of(game),
                own_sentences=specials_of(game, own),
                asks=asks,
                reports=event.is_open and report is None and not asks,
                state=answers.of_open(report) if report else "",
                other_places=other_places(placings, viewer.me),
                claim=said_order(report, placings, {})
                if event.is_open and report is not None and report.player_id not in names
                else None,
                agrees=said.get((report.pk, viewer.me.pk)) if report else None,
            )
        )
    return found


def _places(
    event: Event,
    result: Result,
    placings: Iterable[Placing],
    names: set[int],
    money: Mapping[tuple[int, int, int], int],
) -> Iterable[OwnPlace]:
    for one in placings:
        player = one.entrant.player
        won = money.get((result.sitting_id, result.game_no, player.pk), 0)
        points = points_of(event, one.size, one.rank, one.tied, won)
        yield OwnPlace(player, one.rank, one.size, points, won, player.pk in names)


def _name_of(event: Event, result: Result, rounds: Mapping[int, Round]) -> str:
    sitting, number = result.sitting, result.game_no
    if event.has_queue:
        return _("Table %(table)s, game %(number)s") % {"table": sitting.table_no, "number": number}
    name = round_name(event, rounds.get(sitting.round_id, sitting.round), sitting.table_no)
    return _("%(round)s, game %(number)s") % {"round": name, "number": number}


def my_game(event: Event, player: Player, key: int | None) -> Result | None:
    """Return the player's counted game with this key; None if there is none."""
    return _results(event, _names_of(player)).filter(pk=key or 0).first()


def _results(event: Event, names: set[int]) -> QuerySet[Result]:
    placings = Placing.objects.filter(result=OuterRef("pk"), entrant__player__in=names)
    return Result.objects.filter(
        Exists(placings), sitting__round__event=event, current=True, void=False
    )


def _asks(viewer: Viewer, result: Any) -> bool:
    """Return whether the page asks this viewer to confirm the game."""
    event = viewer.event
    if not event.is_open or result.is_confirmed or result.source == Result.Source.LIVE:
        return False
    return disputes.may_confirm(
        result=result, event=event, by=viewer.by, device=viewer.device, organises=False
    )


def _names_of(player: Player) -> set[int]:
    """Return the keys of the player and the names merged into it."""
    return {player.pk, *player.aliases.values_list("pk", flat=True)}


def _won(results: Iterable[Result]) -> dict[tuple[int, int, int], int]:
    """Return the winnings by table, game and player, corrections included."""
    games = {(result.sitting_id, result.game_no) for result in results}
    tables = {sitting for sitting, _game in games}
    moved = Transfer.objects.filter(result__sitting__in=tables).order_by()
    rows = moved.values_list(
        "result__sitting", "result__game_no", "payer__player", "payee__player"
    ).annotate(Sum("amount"))
    return net_of(
        ((sitting, game_no, payer), (sitting, game_no, payee), amount)
        for sitting, game_no, payer, payee, amount in rows
    )


def _table(event: Event, mine: my_seat.MyTable | None) -> OwnTable | None:
    if mine is None or mine.place is None or mine.round is None or not event.is_open:
        return None
    sitting: Sitting = mine.place.sitting
    sitting.round = mine.round
    following = sittings.facts_of(sitting, event).visible().next
    order = [place.entrant_id for place in following.places]
    if mine.place.entrant_id not in order:
        return None
    at = order.index(mine.place.entrant_id)
    seats = [
        OwnSeat(place.entrant.player, number == at, _note(event, following, place))
        for number, place in enumerate(following.places)
    ]
    online = bool(online_tables.key_at(sitting))
    pool = stages.labels(mine.round).get(sitting.table_no)
    clock = clock_of(mine.round, sitting)
    return OwnTable(
        sitting=sitting,
        stage=stage_names(event, mine.round).get(sitting.table_no, pool_name(*pool))
        if pool
        else "",
        way_on=way_on(event, mine.round) if pool and pool[0] != "others" else "",
        then=_then(event, mine.round, clock),
        next=following,
        seats=seats[at:] + seats[:at],
        clock=clock,
        owed=owed(following),
        secret="" if following.is_over or online else mine.secret,
        online=online,
        offer=card(event, sitting, following, [mine.place.entrant.player.pk]),
    )


def _then(event: Event, round_: Round, clock: Clock | None) -> str:
    """Return which round comes next, and until when this one is timed; "" if nobody knows."""
    if event.rules_of_format.kind != "rounds":
        return ""
    text = _("This is the last round")
    if round_.number < event.rounds_planned:
        numbers = {"number": round_.number + 1, "total": event.rounds_planned}
        text = _("Then round %(number)s of %(total)s") % numbers
    return f"{text} · {clock.end}" if clock and clock.until else text


def _note(event: Event, following: NextGame, place: Any) -> str:
    if following.is_over:
        return ""
    if event.rules_of_format.same_deals:
        return str(HAND_NAMES[hand_of(place.seat, following.number)])
    deals = _("deals") if place == following.dealer and not following.cuts else ""
    return ", ".join(filter(None, [deals, _("leads") if place == following.leader else ""]))


def own_money(event: Event, player: Player) -> OwnMoney | None:
    """Return the player's open payments: of this night once it is closed, before of the last."""
    if event.is_open:
        closed = event.season.events.filter(status=Event.Status.CLOSED, date__lte=event.date)
        last = closed.filter(kind=Event.Kind.NIGHT).order_by("-date", "-pk").first()
    else:
        last = event
    if last is None or not last.has_money:
        return None
    payments = open_debts.of_night(last)
    said = open_reports(last.season)
    mine = [one for one in payments if open_debts.key_of(one.payer) == player.pk]
    refusals = refused(last.season, player) if mine else {}
    owe = [_debt(payment, last, said, refusals) for payment in mine]
    owed_to = [p for p in payments if open_debts.key_of(p.payee) == player.pk]
    received = [one for one in said if one.payee == player]
    return (
        OwnMoney(last, owe, owed_to, received, (player.pk,)) if owe or owed_to or received else None
    )


def _debt(
    payment: OwedPayment,
    event: Event,
    said: list[PaymentReport],
    refusals: Mapping[int, ReportedPayment],
) -> OwnDebt:
    payer, payee = payment.payer.player, payment.payee.player
    if payee is None:
        return OwnDebt(payment, None, None)
    unit = event.season.unit
    how = how_to_pay(payee, amount=payment.amount, unit=unit, payer=str(payer), event=event)
    report = next((one for one in said if one.payer == payer and one.payee == payee), None)
    return OwnDebt(payment, how, report, refusals.get(payee.pk))


def next_night(event: Event) -> Event | None:
    """Return the season's next open night after this one, if there is one."""
    later = event.season.events.filter(
        kind=Event.Kind.NIGHT, status=Event.Status.OPEN, date__gt=event.date
    )
    return later.order_by("date", "pk").first()
