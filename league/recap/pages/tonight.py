"""The door Tonight and a club's home: what runs, what comes, what is owed, and who leads."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base import rights
from league.base.domain.stored_specials import from_json
from league.base.facts.next_nights import from_day
from league.base.lookup import season_of_people, seasons_to_see
from league.base.page_parts import Button, MenuRow
from league.base.pages.address import address
from league.clubs.pages.offers import OfferRow, offers_to
from league.models import (
    Account,
    Club,
    Event,
    Player,
    Result,
    Round,
    Season,
    shown_names,
)
from league.models.result import first_saved, latest
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.money.facts.reports import PaymentReport, open_reports
from league.nights.facts import online_tables
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.events import WaitingNight, asked, calling, rounds_of
from league.nights.facts.final_places import Placed, event_places, podium
from league.nights.facts.night import Night
from league.nights.pages.check_in_page import sign_up_of
from league.nights.pages.entry_form import sentences
from league.nights.pages.needs import Need, needs
from league.nights.pages.next_step import step_of
from league.nights.pages.night_page import STANDINGS
from league.schedules.facts.last_days import ending_seasons
from league.seasons.acts import season_cache
from league.seasons.facts.honours import Honour
from league.seasons.facts.season_cache import CachedRows
from league.seasons.facts.standings import Standing, canonical
from league.seasons.pages.bump import Bump, bump_of

FACES, LEADERS, RUNNING, CLUBS, CHOPS, PUBLIC, OFFERS = 5, 5, 12, 6, 3, 5, 2

FRESH = datetime.timedelta(hours=12)
"""Age of a round after which its night leaves the server's front page."""


class LastNight(NamedTuple):
    """A closed night with its first places."""

    event: Event
    podium: list[Placed]


@dataclass(frozen=True)
class TableLine:
    """A table's games so far; `tone` is "wait" without a game and "bad" with a disputed one.

    `planned` is 0 without a set number of games.
    """

    number: int
    done: int
    planned: int
    tone: str = ""

    @property
    def games(self) -> list[bool]:
        """For each planned game whether it is entered; without a plan, for each entered."""
        return [game < self.done for game in range(self.planned or self.done)]


@dataclass(frozen=True)
class Leaders:
    """The first rows of a season or a night, and where all of them are."""

    title: str
    address: str
    club: Club
    rows: Sequence[Standing]


@dataclass(frozen=True)
class RunningNight:
    """A night whose round is being played; `table` is the visitor's, with the `others` there.

    `online` is the key of the online table where that table plays, "" for real cards. `place` is
    the visitor's after the first game, of so many `ranked`.
    """

    event: Event
    round: Round
    clock: Clock | None
    tables: list[TableLine]
    alarms: list[Button]
    leaders: Leaders
    table: int | None
    online: str
    others: list[Player]
    place: Standing | None
    ranked: int

    @property
    def address(self) -> str:
        return address(self.event, "event")

    @property
    def games(self) -> list[bool]:
        """For each planned game of the round whether it is entered, those first."""
        return sorted((done for table in self.tables for done in table.games), reverse=True)

    @property
    def table_address(self) -> str:
        """The page of the visitor's own table."""
        return address(self.event, "table", self.round.number, self.table)


@dataclass(frozen=True)
class NextNight:
    """An open night that has not begun, what the visitor may answer, and the host's next step."""

    event: Event
    days: int
    faces: list[Player]
    coming: int | None
    answers: Sequence[Button]
    next_step: Button | None

    @property
    def when(self) -> str:
        """How far off the night is."""
        if self.days <= 0:
            return _("Tonight")
        if self.days == 1:
            return _("Tomorrow")
        return ngettext("In %(n)s day", "In %(n)s days", self.days) % {"n": self.days}

    @property
    def people(self) -> str:
        """How many have said that they come."""
        if self.coming is None:
            return ""
        return ngettext("%(n)s coming", "%(n)s coming", self.coming) % {"n": self.coming}


@dataclass(frozen=True)
class Debt:
    """An open payment between the visitor's player and another, from the visitor's side.

    `other` is the payer or the payee, without a player for the club.
    """

    season: Season
    other: Account
    amount: int
    address: str
    report: PaymentReport | None = None

    @property
    def text(self) -> str:
        """Who owes whom, or says to have paid."""
        if self.report and self.amount > 0:
            return _("%(name)s says they paid you") % {"name": self.other}
        if self.report:
            return _("You said you paid %(name)s") % {"name": self.other}
        words = _("%(name)s owes you") if self.amount > 0 else _("You owe %(name)s")
        return words % {"name": self.other}


@dataclass(frozen=True)
class LatestChop:
    """A chop in words, with the player who made it."""

    by: Player
    text: str
    event: Event


@dataclass(frozen=True)
class ClubNights:
    """A club's nights, those that run, come and the last one, who leads, and its latest chops."""

    running: list[RunningNight]
    coming: list[NextNight]
    last: LastNight | None
    leaders: Leaders | None
    chops: list[LatestChop]


@dataclass(frozen=True)
class ClubHome(ClubNights):
    """A club's home page; `told` says how large it is, `start` begins its list of players."""

    told: str
    honours: list[Honour]
    bump: Bump | None
    own: frozenset[int]
    new_night: Button | None
    menu: list[MenuRow]
    start: Button | None
    ending: list[Season]


@dataclass(frozen=True)
class ClubTonight(ClubNights):
    """What one club has for the person: its nights, the person's debts there, and who leads."""

    club: Club
    debts: list[Debt]
    is_first: bool = True
    is_only: bool = True

    @property
    def names_nights(self) -> bool:
        """Whether its nights are called by their own names, as the club's stands above."""
        return not self.is_only or len(self.running) > 1

    @property
    def seats(self) -> list[RunningNight]:
        """The nights at which the person sits, where several run: these come first then."""
        return [night for night in self.running if night.table] if len(self.running) > 1 else []

    @property
    def state(self) -> str:
        """The class of its columns."""
        return "tonight-runs" if self.running else "tonight-comes" if self.coming else ""

    @property
    def is_empty(self) -> bool:
        return not (self.running or self.coming or self.debts or self.last or self.leaders)


@dataclass(frozen=True)
class TonightPage:
    """What the door Tonight shows to a person with an account: a block for each club."""

    today: datetime.date
    blocks: list[ClubTonight]
    is_on: bool
    own: frozenset[int]
    clubs: list[Club]
    organised: list[Club]
    offers: list[OfferRow]
    ending: list[Season]

    @property
    def running(self) -> list[RunningNight]:
        return [night for block in self.blocks for night in block.running]

    @property
    def coming(self) -> list[NextNight]:
        return [night for block in self.blocks for night in block.coming]


def tonight_page(user: User) -> TonightPage:
    """Return the page of a person: of the clubs with a role, and of those to play for."""
    mine = list(Player.objects.filter(user=user, merged_into=None).select_related("club"))
    keys = frozenset(player.pk for player in mine)
    clubs = Club.objects.filter(
        Q(pk__in=Club.objects.of(user)) | Q(pk__in=[player.club_id for player in mine]),
        closed_at=None,
    )
    runs = Exists(_begun(Event.objects.filter(season__club=OuterRef("pk"), called_off_at=None)))
    near: Iterable[Club] = clubs.alias(runs=runs).order_by("-runs", "pk")[:CLUBS]
    held = {club: rights.highest(user, club) for club in near}
    known = [club for club, right in held.items() if right is not None]
    for club in known:
        club.shows_money = True  # To those who belong to it or play for it.
    organised = [club for club in known if (held[club] or 0) >= rights.Right.ORGANISE]
    waits = {night.event.pk: night for night in calling(user)} if organised else {}
    found = [_club_tonight(club, mine, keys, waits, club in organised) for club in known]
    filled = sorted((one for one in found if not one.is_empty), key=_how_near) or found[:1]
    blocks = [replace(one, is_first=one is filled[0], is_only=len(filled) == 1) for one in filled]
    return TonightPage(
        today=blocks[0].club.today if blocks else timezone.localdate(),
        blocks=blocks,
        is_on=any(one.running or one.coming for one in blocks),
        own=keys,
        clubs=known,
        organised=organised,
        offers=offers_to(user)[:OFFERS],
        ending=ending_seasons(organised) if organised else [],
    )


def _club_tonight(
    club: Club,
    mine: list[Player],
    keys: frozenset[int],
    waits: Mapping[int, WaitingNight],
    may_organise: bool,
) -> ClubTonight:
    nights, season = _nights([club]), season_of_people(club)
    rows = season_cache.standings_of(season=season).rows if season is not None else None
    owing = open_debts.seasons_of(keys, club) if keys else []
    running = [_running(one, keys, waits.get(one.pk)) for one in _begun(nights)[:RUNNING]]
    return ClubTonight(
        club=club,
        running=sorted(running, key=lambda one: (one.event.pk not in waits, *_how_urgent(one))),
        coming=[
            _coming(one, mine, may_organise=may_organise) for one in _ahead(nights, club.today)[:2]
        ],
        debts=[debt for owed in owing for debt in debts_of(owed, keys)],
        last=last_night(nights),
        leaders=_leaders(season, rows) if season is not None and rows is not None else None,
        chops=latest_chops(nights),
    )


def _how_urgent(night: RunningNight) -> tuple[bool, bool]:
    """Order the nights that run: first those at which the person sits, then running clocks."""
    return not night.table, not (night.clock and night.clock.running)


def _how_near(block: ClubTonight) -> tuple[bool, datetime.date]:
    """Order the clubs: first one whose night runs, then by the day of the next."""
    ahead = min((night.event.date for night in block.coming), default=datetime.date.max)
    return not block.running, ahead


def public_night() -> RunningNight | None:
    """Return the night with the latest round among the clubs that the front page may show.

    It has games, and its round is at most `FRESH` old. Nights whose points are money are for
    members.
    """
    rounds = Round.objects.filter(event=OuterRef("pk"), status=Round.Status.RELEASED)
    latest_round = rounds.order_by("-number").values("released_at")[:1]
    games = Result.objects.filter(latest(), sitting__round__event=OuterRef("pk"), void=False)
    nights = _nights(Club.objects.on_front()).annotate(begun=Subquery(latest_round))
    playing = nights.filter(
        Exists(games), status=Event.Status.OPEN, begun__gt=timezone.now() - FRESH
    )
    for event in playing.order_by("-begun", "-pk")[:PUBLIC]:
        if seasons_to_see(event.season.club).filter(pk=event.season_id).exists():
            with shown_names.reading_as(event.season.club.shows_names):
                return _running(event, frozenset())
    return None


def club_home(club: Club, user: User | None, *, may_organise: bool) -> ClubHome:
    """Return the home page of a club for this visitor."""
    mine = list(club.players.filter(user=user, merged_into=None)) if user is not None else []
    keys = frozenset(player.pk for player in mine)
    nights = _nights([club]).filter(season__in=seasons_to_see(club))
    season = season_of_people(club)
    rows = season_cache.standings_of(season=season).rows if season is not None else None
    people = club.players.people().count()
    facts = [ngettext("%(n)s player", "%(n)s players", people) % {"n": people}]
    if season is not None:
        facts.append(season.name)
    add = new_night = None
    if may_organise and people:
        new_night = Button(
            _("New night"), reverse("league:night_create", args=[club.slug]), "primary"
        )
    elif may_organise:
        add = Button(_("Add players"), reverse("league:players", args=[club.slug]), "primary")
    running = [_running(event, keys) for event in _begun(nights)[:2]]
    coming = [
        _coming(event, mine, may_organise=may_organise) for event in _ahead(nights, club.today)[:3]
    ]
    menu = []
    if new_night is not None and (running or coming):  # Then it is not the next thing to do.
        menu, new_night = [MenuRow("plus", new_night.text, new_night.address)], None
    return ClubHome(
        told=" · ".join(facts),
        running=running,
        coming=coming,
        last=last_night(nights),
        leaders=_leaders(season, rows) if season is not None and rows is not None else None,
        chops=latest_chops(nights),
        honours=rows.honours()[:4] if rows is not None else [],
        bump=bump_of(season, rows, keys) if season is not None and rows is not None else None,
        own=keys,
        new_night=new_night,
        menu=menu,
        start=add,
        ending=ending_seasons([club]) if may_organise else [],
    )


def latest_chops(nights: QuerySet[Event]) -> list[LatestChop]:
    """Return the last chops of these nights, each with the player who made it."""
    games = Result.objects.filter(sitting__round__event__in=nights, current=True, void=False)
    chopped = games.filter(specials__contains=[{"kind": "chop"}])
    latest = chopped.order_by(first_saved().desc(), "-pk")
    latest = latest.select_related("sitting__round__event__season__club")
    found: list[LatestChop] = []
    for result in latest.prefetch_related("placings__entrant__player__merged_into")[:CHOPS]:
        placings = result.placings.all()
        people = {place.entrant_id: canonical(place.entrant.player) for place in placings}
        names = {key: player.name for key, player in people.items()}
        for special in from_json(result.specials):
            if special.kind == "chop" and special.by in people:
                text = sentences([special], names)[0]
                found.append(LatestChop(people[special.by], text, result.sitting.round.event))
    return found[:CHOPS]


def _nights(clubs: Iterable[Club]) -> QuerySet[Event]:
    found = Event.objects.filter(season__club__in=clubs, kind=Event.Kind.NIGHT, called_off_at=None)
    return found.select_related("season__club", "ruleset")


def _begun(nights: QuerySet[Event]) -> QuerySet[Event]:
    begun = nights.filter(status=Event.Status.OPEN).filter(rounds__status=Round.Status.RELEASED)
    return begun.distinct().order_by("-date", "-pk")


def _ahead(nights: QuerySet[Event], today: datetime.date | Case) -> QuerySet[Event]:
    drawn = Round.objects.filter(event=OuterRef("pk"), status=Round.Status.RELEASED)
    ahead = nights.filter(~Exists(drawn), from_day(today), status=Event.Status.OPEN)
    return ahead.order_by("date", "starts_at", "pk")


def _running(event: Event, mine: frozenset[int], waits: WaitingNight | None = None) -> RunningNight:
    """Return a night whose round is being played; `waits` is what its organiser should do."""
    playing = rounds_of(event, with_drafts=False)[-1]
    planned = event.games_per_round or 0
    found = [one for one in asked(event)[0] if one.sitting.round_id == playing.pk]
    disputed = {one.sitting.table_no for one in found}
    sittings = list(playing.sittings.all())
    tables = [_table(one.table_no, one.games_settled, planned, disputed) for one in sittings]  # type: ignore[attr-defined]
    places = [(place, table) for table in sittings for place in table.places.all()]
    people = [(at, at[0].entrant.player) for at in places]
    own = (at for at, player in people if (player.merged_into_id or player.pk) in mine)
    seat, table = next(own, (None, None))
    others = [place.entrant.player for place, at in places if at is table and place is not seat]
    played = (row for row in event_places(event) if row.row.games and row.row.rank)
    ranked = [row for row in played if row.decided]
    return RunningNight(
        event=event,
        round=playing,
        clock=clock_of(playing),
        tables=sorted(tables, key=lambda one: (one.tone != "bad", one.tone != "wait", one.done)),
        alarms=[
            *_calls(waits, playing.number),
            *_alarms(tables, needs([], found[:1], partial(address, event))),
        ],
        leaders=Leaders(
            _("Leaders tonight"),
            f"{address(event, 'event')}?{STANDINGS}",
            event.season.club,
            ranked[:3],
        ),
        table=table.table_no if table is not None else None,
        online=online_tables.key_at(table) if table is not None else "",
        others=others,
        place=next((row for row in ranked if row.player.pk in mine), None),
        ranked=len(ranked),
    )


def _table(number: int, done: int, planned: int, disputed: set[int]) -> TableLine:
    tone = "bad" if number in disputed else "wait" if planned and not done else ""
    return TableLine(number, min(done, planned) if planned else done, planned, tone)


def _calls(waits: WaitingNight | None, number: int) -> list[Button]:
    """Return what waits for the organiser at once: tables that call, and a finished draw."""
    if waits is None:
        return []
    tables = ", ".join(map(str, waits.calls))
    text = _("The organiser is called: table %(tables)s.") % {"tables": tables}
    found = (
        [Button(text, address(waits.event, "table", number, waits.calls[0]))] if waits.calls else []
    )
    if waits.draft:
        text = _("Round %(number)s is drawn, not released yet.") % {"number": waits.draft}
        found.append(Button(text, address(waits.event, "round", waits.draft)))
    return found


def _alarms(tables: list[TableLine], needed: list[Need]) -> list[Button]:
    """Return what organisers should look at; the disputed game is one tap away."""
    disputed = ", ".join(str(one.number) for one in tables if one.tone == "bad")
    silent = [one for one in tables if one.tone == "wait"]
    text = _("Disputed: table %(tables)s.") % {"tables": disputed}
    found = [Button(text, need.address) for need in needed]
    if silent and len(silent) < len(tables):
        numbers = ", ".join(str(one.number) for one in silent)
        found.append(Button(_("No game yet: table %(tables)s.") % {"tables": numbers}, ""))
    return found


def _coming(event: Event, mine: list[Player], *, may_organise: bool) -> NextNight:
    night = Night(event)
    hosts = may_organise and event.days_ahead <= 0
    own = [player.pk for player in mine if player.club_id == event.season.club_id]
    note = sign_up_of(night, with_names=hosts, own=own)
    people = Player.objects.filter(answers__sign_up__event=event, answers__is_in=True)
    step = step_of(night) if hosts else None
    return NextNight(
        event=event,
        days=event.days_ahead,
        faces=list(people.order_by("answers__turn")[:FACES]),
        coming=note.coming if note else None,
        answers=note.answers if note else [],
        next_step=replace(step.actions[0], tone="gold") if step and step.actions else None,
    )


def debts_of(season: Season, mine: frozenset[int]) -> list[Debt]:
    """Return what players with these keys owe in the season, and are owed."""
    if not mine:
        return []
    owed = open_debts.of_season(season)
    said = {(one.payer, one.payee): one for one in open_reports(season)}
    return [debt for one in owed if (debt := _debt(season, one, mine, said)) is not None]


def _debt(
    season: Season,
    one: OwedPayment,
    mine: frozenset[int],
    said: Mapping[tuple[Player, Player], PaymentReport],
) -> Debt | None:
    payer, payee = one.payer.player, one.payee.player
    report = said.get((payer, payee)) if payer and payee else None
    if payer and payer.pk in mine:
        pay = payee and reverse("league:pay", args=[season.club.slug, payee.pk])
        to_pay = f"{pay}?season={season.pk}" if pay else ""
        return Debt(season, one.payee, -one.amount, to_pay, report)
    if payee and payee.pk in mine:
        money = reverse("league:season_money", args=[season.club.slug, season.pk])
        return Debt(season, one.payer, one.amount, f"{money}#reports" if report else "", report)
    return None


def _leaders(season: Season, rows: CachedRows) -> Leaders | None:
    found = rows.first_who_played(LEADERS)
    to_all = reverse("league:season", args=[season.club.slug, season.pk])
    return Leaders(season.name, to_all, season.club, found) if found else None


def last_night(nights: QuerySet[Event]) -> LastNight | None:
    """Return the latest closed one of these nights with its podium, or None."""
    event = nights.filter(status=Event.Status.CLOSED).order_by("-date", "-pk").first()
    if event is None or not (first := podium(event_places(event))):
        return None
    return LastNight(event, first)
