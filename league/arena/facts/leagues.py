"""Bot leagues: the divisions of a matchday and their standings."""

import datetime
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.db.models import F, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from league.arena.domain.divisions import Finished, moved
from league.models import BotLeague, Club, Event, LeagueSeat, Matchday, Tally

Shares = dict[int, tuple[Fraction | None, int]]
"""The share of opponents beaten and the number of games, by seat key."""


@dataclass(frozen=True)
class LeagueRow:
    """A bot in its division; `beaten` is its share of opponents beaten, None before any game.

    `change` is `up`, `down` or empty; it is provisional until the next matchday.
    """

    place: int
    seat: LeagueSeat
    beaten: Fraction | None
    games: int
    change: str

    @property
    def percent(self) -> float | None:
        return None if self.beaten is None else float(100 * self.beaten)

    @property
    def says(self) -> str:
        """The absence and the change of division, in words."""
        goes = {"up": _("promoted"), "down": _("goes down")}.get(self.change, "")
        away = "" if self.seat.event else _("was away")
        return ", ".join(filter(None, (away, goes)))


@dataclass(frozen=True)
class Division:
    """A division of a matchday, the best bot first; `event` is None if it did not play."""

    level: int
    event: Event | None
    rows: list[LeagueRow]


@dataclass(frozen=True)
class LeaguePage:
    """A league on one matchday; `days` is the number of matchdays."""

    league: BotLeague
    matchday: Matchday | None
    days: int
    divisions: list[Division]

    @property
    def before(self) -> int | None:
        number = self.matchday.number if self.matchday else 0
        return number - 1 if number > 1 else None

    @property
    def after(self) -> int | None:
        number = self.matchday.number if self.matchday else self.days
        return number + 1 if number < self.days else None

    @property
    def next_at(self) -> datetime.datetime | None:
        return self.league.schedule.next_at if self.league.schedule else None

    @property
    def is_final(self) -> bool:
        events = [division.event for division in self.divisions if division.event]
        return bool(self.divisions) and not any(event.is_open for event in events)


def leagues_of(club: Club) -> QuerySet[BotLeague]:
    """Return the club's leagues, the latest first, without those of binned seasons."""
    found = BotLeague.objects.filter(season__club=club, season__binned_at=None)
    return found.select_related("season", "schedule__ruleset")


def league_page(league: BotLeague, number: int | None = None) -> LeaguePage | None:
    """Return the league on this matchday, by default the last; None if the number is unknown."""
    days = league.matchdays.count()
    if number is not None and not 1 <= number <= days:
        return None
    matchday = league.matchdays.filter(number=number or days).first()
    if matchday is None:
        return LeaguePage(league, None, 0, [])
    return LeaguePage(league, matchday, days, divisions_of(matchday))


def divisions_of(matchday: Matchday) -> list[Division]:
    """Return the divisions of a matchday, sorted by share of opponents beaten, then by seat."""
    played, divisions = _played_in(matchday)
    later = Matchday.objects.filter(league=matchday.league_id, number=matchday.number + 1)
    went = dict(LeagueSeat.objects.filter(matchday__in=later).values_list("bot", "division"))
    would = enumerate(_next(divisions, matchday), start=1)
    goes = went or {bot: level for level, bots in would for bot in bots}
    return [
        Division(
            level,
            _event(seats),
            [
                LeagueRow(
                    place, seat, *played.get(seat.pk, (None, 0)),
                    _change(level, goes.get(seat.bot, level)),
                )
                for place, seat in enumerate(seats, start=1)
            ],
        )
        for level, seats in divisions.items()
    ]  # fmt: skip


def next_divisions(matchday: Matchday) -> list[list[str]]:
    """Return the bots of each division after this matchday's promotion and relegation."""
    _shares, divisions = _played_in(matchday)
    return _next(divisions, matchday)


def _played_in(matchday: Matchday) -> tuple[Shares, dict[int, list[LeagueSeat]]]:
    """Return the shares of the seats, and the sorted seats of each division."""
    seats = list(matchday.seats.select_related("event"))
    for seat in seats:
        if seat.event is not None and seat.event.binned_at is not None:
            seat.event = None
    played = _played(seats)

    def order(seat: LeagueSeat) -> tuple[bool, Fraction, int]:
        share, _games = played.get(seat.pk, (None, 0))
        return seat.event is None, -(share or Fraction(0)), seat.number

    divisions = groupby(seats, key=lambda seat: seat.division)
    return played, {level: sorted(of_division, key=order) for level, of_division in divisions}


def _event(seats: list[LeagueSeat]) -> Event | None:
    return next((seat.event for seat in seats if seat.event), None)


def _next(divisions: dict[int, list[LeagueSeat]], matchday: Matchday) -> list[list[str]]:
    final = [
        Finished([seat.bot for seat in seats], _event(seats) is not None)
        for seats in divisions.values()
    ]
    return moved(final, matchday.league.moves)


def _played(seats: list[LeagueSeat]) -> Shares:
    """Return the share of opponents beaten and the games of each seat that played."""
    events = {seat.event_id for seat in seats if seat.event}
    counted = Tally.objects.filter(event__in=events).values("event", "entrant__player__bot")
    sums = counted.annotate(
        twice=Sum((2 * (F("size") - F("rank")) - (F("tied") - 1)) * F("games")),
        against=Sum((F("size") - 1) * F("games")),
        all=Sum("games", filter=Q(games__gt=0)),
    ).order_by()
    columns = ("event", "entrant__player__bot", "twice", "against", "all")
    found = {(event, bot): rest for event, bot, *rest in sums.values_list(*columns)}
    shares: Shares = {}
    for seat in seats:
        if seat.event is None:
            continue
        twice, against, games = found.get((seat.event.pk, seat.entry), (0, 0, 0))
        shares[seat.pk] = (Fraction(twice, 2 * against) if against else None, games)
    return shares


def _change(before: int, after: int) -> str:
    return "up" if after < before else "down" if after > before else ""
