"""The tables of a night, for its page and the big screen: who sits there, how far it is."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Count, Min, Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from league.base.domain.grouped import grouped, net_of
from league.base.lookup import points_are_money
from league.base.texts import points_told
from league.models import Dispute, Entrant, Event, Player, Result, Round, Sitting, Transfer
from league.models.result import latest
from league.nights.facts import stages
from league.nights.facts.events import asked, on_a_game
from league.nights.facts.night import Night
from league.nights.facts.stages import Played, PlayerGames
from league.nights.pages import plan_words

SEATS, WORD, NAME = 4, 9, 16
"""Seats, and the longest word and name, that fit around a drawn table."""
GAMES = 8
"""More games than this have no room for a face each."""
First = tuple[Sequence[Player], str]
"""Who advances from a table, or was first at it, and the words for that."""
TONES = ("bad", "wait", "run", "done")


@dataclass(frozen=True)
class TableSeat:
    """A player at a table, and the money won there; None where it is not shown.

    `points` are told where the table's games decide who goes on.
    """

    player: Player
    money: int | None = None
    has_left: bool = False
    points: str = ""

    @property
    def tone(self) -> str:
        """How the money stands out: "lost", or "even" for none."""
        return "lost" if (self.money or 0) < 0 else "" if self.money else "even"


@dataclass(frozen=True)
class TableGame:
    """A game of a table: "done", "now" or still to come, and the winner unless it is kept back."""

    state: str
    winner: Player | None = None


@dataclass(frozen=True)
class NightTable:
    """A table of a round and its progress; `planned` is 0 without a set number of games.

    `times` are when its games were first entered, `winners` those of each game unless kept back,
    `first` who advances from a table that is done, or was first at it, and `told` says which.
    `disputed` the number of a game with a complaint, made at `disputed_at`. `began_at` is when its
    round began, `minutes` how long it is on one game, once that is long. `is_late` then, or without
    a game while others have one: not where most tables of the round are. A table of a night that is
    over `is_closed`.
    """

    table_no: int
    seats: list[TableSeat]
    played: int
    planned: int
    times: list[datetime.datetime] = field(default_factory=list)
    winners: list[Player] = field(default_factory=list)
    first: Sequence[Player] = ()
    told: str = ""
    disputed: int | None = None
    disputed_at: datetime.datetime | None = None
    calls: bool = False
    began_at: datetime.datetime | None = None
    minutes: int = 0
    is_late: bool = False
    is_closed: bool = False

    @property
    def has_all(self) -> bool:
        return bool(self.planned) and self.played >= self.planned

    @property
    def is_done(self) -> bool:
        return self.is_closed or self.has_all

    @property
    def since(self) -> datetime.datetime | None:
        """Since when it is as its `state` says: the complaint, its last game, or its round's begin.

        None if done.
        """
        if self.is_done or self.calls:
            return None
        return self.disputed_at or (self.times[-1] if self.times else self.began_at)

    @property
    def tone(self) -> str:
        """How the table stands out: "bad", "done", "wait" without a game, or "run"."""
        if self.disputed or self.calls:
            return "bad"
        if self.is_done:
            return "done"
        return "run" if self.played or not self.planned else "wait"

    @property
    def need(self) -> tuple[int, bool, int, int]:
        """The key that sorts tables by need: conflicts, silence, fewest games; done last."""
        return TONES.index(self.tone), not self.is_late, self.played, self.table_no

    @property
    def state(self) -> str:
        """How far the table is, in words."""
        if self.calls:
            return _("calls the organiser")
        words = {
            "bad": _("game %(n)s disputed") % {"n": self.disputed},
            "done": _("all games entered") if self.has_all else _("closed"),
            "wait": _("no game yet"),
            "run": _("game %(n)s") % {"n": self.played + 1},
        }
        return words[self.tone]

    @property
    def count(self) -> str:
        """The number of its games in words."""
        return plan_words.games(self.played, self.planned)

    @property
    def games(self) -> list[TableGame]:
        """The planned games, or those played where no number is set."""
        kept_back = [None] * (self.played - len(self.winners))
        done = [TableGame("done", winner) for winner in [*self.winners, *kept_back]]
        begun = [TableGame("now")] if self.tone == "run" else []
        ahead = [TableGame("")] * (self.planned - len(done) - len(begun))
        return [*done, *begun, *ahead][-max(self.planned, GAMES) :]

    @property
    def is_round(self) -> bool:
        """Whether the seats fit around a drawn table; otherwise they are a list."""
        names = [seat.player.name for seat in self.seats]
        words = [word for name in names for word in name.split()]
        fit = max(map(len, names), default=0) <= NAME and max(map(len, words), default=0) <= WORD
        return 0 < len(names) <= SEATS and fit

    @property
    def listed(self) -> str:
        """The classes of the seats as a list."""
        return "wall-list" if self.is_round else "wall-list wall-long"

    @property
    def shape(self) -> str:
        """The classes of the seats: around a table where they fit, otherwise a list."""
        return f"wall-oval wall-of-{len(self.seats)}" if self.is_round else self.listed


def played_by(night: Night, player: int) -> list[tuple[Sitting, PlayerGames]]:
    """Return the tables of a night at which the player has games, the first round first."""
    games = night.played.games_of(player)
    return [
        (sitting, games[sitting.pk])
        for round_ in night.released
        for sitting in round_.sittings.all()
        if sitting.pk in games
    ]


def tables_of(
    event: Event,
    rounds: Sequence[Round],
    played: Played,
    advanced: Mapping[tuple[int, int], First],
    *,
    sees_money: bool = False,
    calling: Collection[int] = (),
    open_disputes: Iterable[Dispute] | None = None,
) -> dict[int, list[NightTable]]:
    """Return the tables of each round, by its number, in order; with shared queries.

    `advanced` says who advances from a table, by the numbers of its round and its own. `calling`
    are the keys of tables that call an organiser, `open_disputes` are read if not known.
    """
    keys = [round_.pk for round_ in rounds]
    times = _times(keys)
    claims = asked(event)[0] if open_disputes is None else open_disputes
    disputed = {one.sitting_id: (one.game_no, one.at) for one in claims}
    money = _money(keys) if sees_money and event.games_have_money else None
    released = [one for one in rounds if one.status == Round.Status.RELEASED]
    playing = released[-1] if released else None
    minutes = {gap[:2]: gap.minutes for gap in on_a_game(event, playing)}
    found = {
        round_.number: [
            NightTable(
                table_no=sitting.table_no,
                seats=[
                    TableSeat(
                        entrant.player,
                        None if money is None else money[sitting.pk, entrant.player_id],
                        has_left=entrant.presence == Entrant.Presence.LEFT,
                    )
                    for entrant in (place.entrant for place in sitting.seated)
                ],
                played=sitting.games_played,  # type: ignore[attr-defined]
                planned=event.games_per_round or 0,
                times=times[sitting.pk],
                winners=played.winners(sitting.pk),
                disputed=disputed.get(sitting.pk, (None, None))[0],
                disputed_at=disputed.get(sitting.pk, (None, None))[1],
                calls=sitting.pk in calling,
                is_closed=not event.is_open,
                began_at=round_.clock_started_at or round_.released_at,
                minutes=minutes.get((round_.number, sitting.table_no), 0),
                is_late=sitting in late,
            )
            for sitting in round_.sittings.all()
        ]
        for round_ in rounds
        for late in [_late(round_, minutes)]
    }
    for round_ in [] if event.rules_of_format.same_deals else rounds:  # There no table is compared.
        tables = found[round_.number]
        points = _points_so_far(rounds, round_, played) if round_ is playing else {}
        for at, sitting in enumerate(round_.sittings.all()):
            if not 0 < tables[at].played <= len(tables[at].winners):
                continue  # No game yet, or one that is kept back.
            if tables[at].is_done:
                first = advanced.get((round_.number, sitting.table_no))
                players, told = first or _first(round_, sitting, played)
                tables[at] = replace(tables[at], first=players, told=told)
            elif points:
                keys = [played.person(place.entrant_id) for place in sitting.seated]
                seats = [
                    replace(seat, points=points.get(key, ""))
                    for seat, key in zip(tables[at].seats, keys, strict=True)
                ]
                tables[at] = replace(tables[at], seats=seats)
    return found


def _points_so_far(rounds: Sequence[Round], round_: Round, played: Played) -> dict[int, str]:
    """Return each entrant's points in a round whose tables decide who goes on, or in the final.

    Points that are money are left out: not everyone reads them.
    """
    kinds = {pool["kind"] for pool in stages.pools_of(round_)}
    if points_are_money(played.event) or not kinds & {"table", "final"}:
        return {}
    if "final" in kinds:
        rows = stages.final_rows(rounds, played)
    else:
        rows = [row for part in stages.tables(round_, played) for row in part.rows]
    return {int(row.entrant): points_told(row.points) for row in rows}


def _first(round_: Round, sitting: Sitting, played: Played) -> First:
    """Return who was first at a table by its own games, and that in words with the points.

    Points that are money are left out: not everyone reads them.
    """
    stage = "final" if stages.labels(round_).get(sitting.table_no, ("", 0))[0] == "final" else ""
    rows = played.rows({sitting.pk}, played.people_at({sitting.pk}), stage=stage)
    first = [played.entrants[int(row.entrant)].player for row in rows if row.rank == 1]
    if points_are_money(played.event) or not rows:
        return first, _("first at the table")
    worth = points_told(rows[0].points)
    return first, _("first · %(points)s") % {"points": worth}


def _late(round_: Round, minutes: Mapping[tuple[int, int], int]) -> set[Sitting]:
    """Return the tables that are long on a game, or have none while others do; if not most.

    Where most are long on a game, those without one still stand out.
    """
    sittings = [*round_.sittings.all()]
    began = any(sitting.games_played for sitting in sittings)
    silent = {one for one in sittings if began and not one.games_played}
    late = {one for one in sittings if minutes.get((round_.number, one.table_no))} | silent
    return next((few for few in (late, silent) if 2 * len(few) <= len(sittings)), set())


def _times(rounds: Iterable[int]) -> defaultdict[int, list[datetime.datetime]]:
    """Return when each table's games were first entered, sent or not, in order."""
    games = Result.objects.filter(sitting__round__in=rounds).order_by().values("sitting", "game_no")
    valid = Count("pk", filter=latest() & Q(void=False))
    first_at = Min(Coalesce("tapped_at", "at"))
    entered = games.annotate(first_at=first_at, valid=valid).filter(valid__gt=0)
    return grouped(entered.order_by("first_at").values_list("sitting", "first_at"))


def _money(rounds: Iterable[int]) -> Counter[tuple[int, int]]:
    """Return winnings by table and player, corrections included."""
    moved = Transfer.objects.filter(result__sitting__round__in=rounds, result__held=False)
    rows = moved.order_by().values_list("result__sitting", "payer__player", "payee__player")
    return net_of(
        ((sitting, payer), (sitting, payee), amount)
        for sitting, payer, payee, amount in rows.annotate(Sum("amount"))
    )
