"""A club's own sheets: looked at with the club, saved night by night, and undone as one.

Nothing holds a lock for longer than a game takes, so that the club plays on. Saving the
same sheets again leaves the nights that are there unchanged.
"""

import datetime
import uuid
import zoneinfo
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain

from django.db import connection, transaction
from django.db.models import Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.specials import Offer, SpecialError, check_places, offered
from engine.rules.texts import mark
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain import names
from league.base.domain.amounts import SCALES
from league.base.domain.grouped import grouped
from league.clubs.acts import players
from league.clubs.acts.bins import unused_players
from league.exchange.acts.imports import known_players
from league.exchange.domain.notebooks import (
    Doubt,
    ReadNight,
    ReadNotebook,
    Waits,
    read_notebook,
    shown,
)
from league.exchange.domain.sheet_columns import ReadSheet
from league.exchange.domain.stages import Stage, Tell, tell_nobody
from league.models import (
    Account,
    Adjustment,
    Audit,
    Bye,
    Dispute,
    EntryDoubt,
    Event,
    NewsItem,
    Notebook,
    Place,
    Placing,
    Player,
    Posting,
    Result,
    Round,
    Season,
    Sitting,
    Transfer,
)
from league.money.acts import postings
from league.money.facts import money
from league.money.facts.owed import NOTEBOOK
from league.nights.acts import attendance, closing, events, results
from league.nights.domain import entry
from league.seasons.domain.scoring import Scoring
from tables.base import rulesets
from tables.base.currencies import DONG, currency_of, exponent
from tables.refusals import Refusal

GamesOfNight = Counter[tuple[frozenset[int], ...]]
"""Games of a night, whatever their rounds and tables: their places as sets of players' keys."""
LATELY = datetime.timedelta(days=7)
"""Money of a night that is younger may still be owed."""
SMALL = 1000
"""Amounts below it in a club that counts in dong are likely thousands."""


@dataclass
class Looked:
    """Sheets as they would be saved: nights that go in, that are there, and that wait."""

    read: ReadNotebook
    fresh: list[ReadNight] = field(default_factory=list)
    there: list[ReadNight] = field(default_factory=list)
    waiting: list[ReadNight] = field(default_factory=list)
    new_names: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    factor: Decimal = Decimal(1)
    is_paid: bool = False


def look(
    *,
    season: Season,
    sheets: Sequence[ReadSheet],
    chosen: Mapping[str, str] | None = None,
    answers: Mapping[str, bool] | None = None,
) -> Looked:
    """Return what `save` would save of these sheets with these answers; changes nothing."""
    known = known_players(season.club)
    told = {name.name for name in season.club.players.filter(merged_into=None)}
    read = read_notebook(
        sheets,
        today=timezone.localdate(timezone=zoneinfo.ZoneInfo(season.club.time_zone)),
        chosen=chosen,
        answers=answers,
        known=told | {p.name for p in season.club.players.exclude(merged_into=None)},
        same={key: player.name_key for key, player in known.items()},
        has_parts=exponent(season.unit) > 0,
    )
    found = Looked(read, factor=_factor(season, read, answers or {}))
    for night in read.nights:
        _check(season, night, found.factor, known)
    there = _nights_there(season, read.nights)
    for night, event in _known_again(read.nights, there, known):
        found.there.append(night)
        if night.name and names.identity(event.name) != names.identity(night.name):
            text = _("%(day)s already has the very games of “%(name)s”, as “%(there)s”.")
            day = date_format(event.date, "SHORT_DATE_FORMAT")
            found.told.append(text % {"day": day, "name": night.name, "there": event.name})
    for night in read.nights:
        if night in found.there:
            continue
        key = names.identity(night.name)
        if night.games and any(names.identity(one.name) == key for one in there[night.date]):
            _wait(night, mark("this night already exists with other games"))
        (found.waiting if night.waits or not night.games else found.fresh).append(night)
    if found.fresh and offered(rulesets.of(season), for_money=True) != Offer():
        found.told.append(
            _("Places and money are read; chops, instant wins and cards left are not.")
        )
    if Scoring.from_json(season.scoring).points_table.stake and not all(
        _has_money(night) for night in found.fresh
    ):
        text = _("Points of this season are money won. Nights without money bring 0 points.")
        found.told.append(text)
    found.is_paid = _is_paid(season, found, answers or {})
    if not read.goes_without:
        found.problems.append(_("Some columns are not read. Say whether that is right."))
    people = chain.from_iterable(game.groups for night in found.fresh for game in night.games)
    fresh = {names.identity(name): name for group in people for name in group}
    found.new_names = [name for key, name in fresh.items() if key not in known]
    found.problems += players.unfit([*found.new_names, *(n.name for n in found.fresh)])
    return found


def save(*, season: Season, looked: Looked, by: User, tell: Tell = tell_nobody) -> Notebook:
    """Save the nights that go in, closed and with their money; undone if `tell` ends the work."""
    if looked.problems:
        raise Refusal(looked.problems)
    made = Notebook.objects.create(club=season.club, season=season, by=by)
    total = sum(len(night.games) for night in looked.fresh)
    try:
        for name in looked.new_names:
            made.players.add(players.add_player(club=season.club, name=name, by=by))
        known = known_players(season.club)
        for night in looked.fresh:
            _save_night(made, night, known, looked, lambda: tell(Stage.SAVING, made.games, total))
    except BaseException:
        if not connection.in_atomic_block or not connection.needs_rollback:
            remove(notebook=made, by=by)
        raise
    audit.log("results.imported", club=season.club, by=by, season=season.pk, games=made.games)
    return made


def undo(*, notebook: Notebook, by: User) -> list[str]:
    """Delete what an import made, as `remove` does. Refusal after 30 days; `closed`."""
    if not notebook.may_be_undone:
        raise Refusal(_("This import can no longer be undone."), status=409)
    if notebook.season_id is not None:
        with transaction.atomic():
            locks.season_to_change(notebook.season_id)
    return remove(notebook=notebook, by=by)


def remove(*, notebook: Notebook, by: User) -> list[str]:
    """Delete what an import made, night by night; return what was built on it since and stays."""
    kept = [
        event.name
        for event in notebook.events.order_by("-date", "-pk")
        if not _delete(notebook, event)
    ]
    mine = list(notebook.players.values_list("pk", flat=True))
    with transaction.atomic():
        locks.club(notebook.club_id)
        keys = list(unused_players().filter(pk__in=mine).values_list("pk", flat=True))
        Account.objects.filter(player__in=keys).delete()
        Player.everything.filter(pk__in=keys).delete()
        stays = list(Player.objects.filter(pk__in=mine).values_list("name", flat=True))
        if not kept and not stays:
            notebook.delete()
        audit.log("results.undone", club=notebook.club, by=by, nights=len(kept), people=len(stays))
    return [*kept, *stays]


@transaction.atomic
def _delete(notebook: Notebook, event: Event) -> bool:
    """Delete a night of an import; return False if something was built on it since."""
    locks.season(event.season_id)
    event = locks.event(event.pk)
    entered = Result.objects.filter(sitting__round__event=event)
    own = notebook.postings.filter(event=event)
    moved = Transfer.objects.filter(event=event, result__isnull=False)
    closed = Audit.objects.filter(event=event, action="event.closed").aggregate(first=Min("at"))
    if (
        event.postings.exclude(pk__in=own.values("pk")).exists()
        or Adjustment.objects.filter(event=event).exists()
        or entered.filter(Q(version__gt=1) | Q(at__gt=closed["first"] or timezone.now())).exists()
        or Dispute.objects.filter(sitting__round__event=event).exists()
        or event.reported.exists()
        or EntryDoubt.objects.filter(posting__in=own).exists()
        or moved.exclude(reason=NOTEBOOK).exists()
        or _is_paid_over_the_season(notebook, event)
    ):
        return False
    keys = list(own.values_list("pk", flat=True))
    Transfer.objects.filter(posting__in=keys).delete()
    moved.delete()
    # The database lets an entry go as long as the notebook names it, so its name goes after it.
    Posting.objects.filter(pk__in=keys)._raw_delete(using=connection.alias)
    Notebook.postings.through.objects.filter(posting__in=keys).delete()
    Placing.objects.filter(result__in=entered).delete()
    entered.delete()
    Place.objects.filter(round__event=event).delete()
    Bye.objects.filter(round__event=event).delete()
    event.entrants.all().delete()
    event.delete()
    return True


def _is_paid_over_the_season(notebook: Notebook, event: Event) -> bool:
    """Return whether people of the night's open balances paid in no single night since."""
    net = money.net_of(event.money_tallies.all())
    uneven = {key for key, amounts in net.items() if sum(amounts)}
    paid = Transfer.objects.filter(
        posting__season=event.season_id,
        posting__event=None,
        posting__kind=Posting.Kind.SETTLEMENT,
        posting__reverses=None,
        posting__posting=None,
        at__gte=notebook.at,
    )
    sides = paid.values_list(money.owner("payer"), money.owner("payee"))
    return any(uneven.intersection(pair) for pair in sides)


def _factor(season: Season, read: ReadNotebook, answers: Mapping[str, bool]) -> Decimal:
    """Return what the sheets' amounts are multiplied by to be in the unit's smallest part."""
    money = [
        abs(one) for night in read.nights for game in night.games for one in game.money.values()
    ]
    most, unit = max(money, default=Decimal(0)), season.unit
    if currency := currency_of(unit):
        return Decimal(10) ** currency.exponent
    if read.is_ours:
        return Decimal(1)
    scale = SCALES.get(names.fold(unit).split(" ")[0] if unit else "", 1)
    if scale > 1:
        return Decimal(1) / scale if most >= scale else Decimal(1)
    if 0 < most < SMALL and unit.casefold() in DONG:
        doubt = Doubt("thousands", shown(most))
        read.doubts.append(doubt)
        return Decimal(1000 if answers.get(doubt.key, True) else 1)
    return Decimal(1)


def _has_money(night: ReadNight) -> bool:
    return any(game.money for game in night.games)


def _is_paid(season: Season, found: Looked, answers: Mapping[str, bool]) -> bool:
    """Return whether the money of these nights has changed hands: of what is old, likely."""
    days = [night.date for night in found.fresh if night.date and _has_money(night)]
    if not days:
        return False
    doubt = Doubt("paid", "money", likely=max(days) < season.club.today - LATELY)
    found.read.doubts.append(doubt)
    return answers.get(doubt.key, doubt.likely)


def _check(season: Season, night: ReadNight, factor: Decimal, known: Mapping[str, Player]) -> None:
    """Let a night wait for its first game that the rules or the unit of the season refuse.

    It also waits for a game in which a player has two names.
    """
    ruleset = rulesets.of(season)
    for game in night.games:
        people = [known[key].pk for key in game.people if key in known]
        if len(set(people)) < len(people):
            twice = mark("The same player has two places in this game.")
            night.waits.append(Waits(game.sheet, game.line, twice, {}))
            return
        seats = iter(range(8))
        try:
            places = [[next(seats) for _name in group] for group in game.groups]
            if not game.shares_by_money:
                check_places(ruleset, places)
        except SpecialError as error:
            night.waits.append(Waits(game.sheet, game.line, entry.PROBLEMS[error.code], {}))
            return
        if any((amount * factor) % 1 for amount in game.money.values()):
            _wait(night, mark("an amount has parts that the club's unit has not"))
            return
        if any(abs(amount * factor) > postings.MOST for amount in game.money.values()):
            _wait(night, mark("an amount is above one trillion"))
            return


def _wait(night: ReadNight, template: str) -> None:
    first = night.games[0]
    night.waits.append(Waits(first.sheet, first.line, template, {}))


def _known_again(
    nights: Sequence[ReadNight],
    there: Mapping[datetime.date | None, Sequence[Event]],
    known: Mapping[str, Player],
) -> Iterator[tuple[ReadNight, Event]]:
    """Yield the nights that are there: on their day with their games, first those of their name."""
    games = _games_of(list(chain.from_iterable(there.values())))
    left = [night for night in nights if night.games and not night.waits]
    for by_name in (True, False):
        for night in list(left):
            mine, key = _by_people(night, known), names.identity(night.name)
            for event in there[night.date]:
                is_named = names.identity(event.name) == key or not night.name
                if games.get(event.pk) == mine and (is_named or not by_name):
                    del games[event.pk]
                    left.remove(night)
                    yield night, event
                    break


def _nights_there(
    season: Season, nights: Sequence[ReadNight]
) -> dict[datetime.date | None, list[Event]]:
    dates = [night.date for night in nights if night.date]
    return grouped(
        (event.date, event) for event in season.events.filter(date__in=dates, kind=Event.Kind.NIGHT)
    )


def _games_of(nights: Sequence[Event]) -> dict[int, GamesOfNight]:
    """Return the games of each event's current results."""
    placings = Placing.objects.filter(
        result__sitting__round__event__in=nights, result__current=True
    ).values_list(
        "result__sitting__round__event",
        "result",
        "rank",
        Coalesce("entrant__player__merged_into_id", "entrant__player_id"),
    )
    found: dict[tuple[int, int], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for night, result, rank, player in placings:
        found[night, result][rank].add(player)
    games = {night.pk: GamesOfNight() for night in nights}
    for (night, _result), game in found.items():
        games[night][tuple(frozenset(game[rank]) for rank in sorted(game))] += 1
    return games


def _by_people(night: ReadNight, known: Mapping[str, Player]) -> GamesOfNight:
    """Return the games of a night; players unknown to the club have key 0."""

    def key(name: str) -> int:
        player = known.get(names.identity(name))
        return player.pk if player else 0

    return Counter(tuple(frozenset(map(key, group)) for group in game.groups)
                   for game in night.games)  # fmt: skip


def _save_night(
    made: Notebook,
    night: ReadNight,
    known: Mapping[str, Player],
    looked: Looked,
    tell: Callable[[], None],
) -> None:
    """Save a night by transactions of a game each."""
    season, by = made.season, made.by
    assert season is not None
    assert by is not None
    assert night.date is not None
    taken = set(season.events.values_list("name", flat=True))
    longest = max(len(games) for tables in night.rounds.values() for games in tables.values())
    plan = events.read_plan({"rounds_planned": len(night.rounds), "games_per_round": longest})
    with transaction.atomic():
        event = events.create_event(
            season=season,
            by=by,
            name=night.name or next(_titles(night.date, taken)),
            date=night.date,
            plan=plan,
        )
        made.events.add(event)
    people = {
        known[names.identity(name)].pk
        for game in night.games
        for group in game.groups
        for name in group
    }
    attendance.set_presence(event=event, player_ids=people, presence="here", by=by)
    entrants = dict(event.entrants.values_list("player_id", "pk"))
    for number, tables in night.rounds.items():
        drawn = Round.objects.create(
            event=event,
            number=number,
            status=Round.Status.RELEASED,
            seed=0,
            settings={"method": "imported"},
            released_at=timezone.now(),
        )
        for table_no, games in sorted(tables.items()):
            keys = [
                [
                    [entrants[known[names.identity(name)].pk] for name in group]
                    for group in game.groups
                ]
                for game in games
            ]
            with transaction.atomic():
                sitting = Sitting.objects.create(round=drawn, table_no=table_no)
                Place.objects.bulk_create(
                    Place(sitting=sitting, round=drawn, entrant_id=entrant, seat=seat)
                    for seat, entrant in enumerate(sorted(chain.from_iterable(keys[0])))
                )
            for game_no, (game, groups) in enumerate(zip(games, keys, strict=True), start=1):
                won = {
                    entrants[known[names.identity(name)].pk]: int(amount * looked.factor)
                    for name, amount in game.money.items()
                }
                try:
                    results.record(
                        sitting_id=sitting.pk, game_no=game_no, groups=groups, balances=won,
                        client_id=uuid.uuid4(), by=by,
                    )  # fmt: skip
                except Refusal as error:
                    why = Waits(game.sheet, game.line, " ".join(error.messages), {})
                    raise Refusal(at_row(why), status=409) from error
                made.games += 1
                tell()
    with transaction.atomic():
        closing.close_event(event=event, by=by, despite_unfinished=True)
        if looked.is_paid and (paid := postings.settle_before(event=event, by=by)):
            made.postings.add(paid)
        NewsItem.objects.filter(event=event).delete()  # Nobody waits for it.
        made.save(update_fields=["games"])


def at_row(waits: Waits) -> str:
    """Return why a row is not read, with its place in the sheets."""
    where = {"sheet": waits.sheet, "row": waits.line, "why": texts.filled(waits)}
    if waits.sheet:
        return _("%(sheet)s, row %(row)s: %(why)s") % where
    return _("row %(row)s: %(why)s") % where


def _titles(date: datetime.date, taken: set[str]) -> Iterator[str]:
    """Yield names for a night without one, which nobody has yet."""
    first = _("Night of %(date)s") % {"date": date_format(date, "SHORT_DATE_FORMAT")}
    yield from (
        name for n in range(1, 1000) if (name := f"{first} ({n})" if n > 1 else first) not in taken
    )
