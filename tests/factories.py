"""Clubs, seasons and nights for tests, made by the services that people use."""

import itertools
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import time, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch

from allauth.account.models import EmailAddress
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import User
from engine.rules import ruleset
from league.arena.acts import bots
from league.base.facts import links
from league.clubs.acts import club_rules, clubs, players
from league.models import (
    Adjustment,
    Club,
    ClubRuleset,
    Event,
    Membership,
    Player,
    Posting,
    ReportedPayment,
    Result,
    Round,
    Schedule,
    Season,
    Sitting,
)
from league.money.acts import postings
from league.nights.acts import attendance, draws, events, night_settings, results
from league.nights.facts import sittings
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import TournamentPlan, Tournaments
from league.seasons.acts import adjustments, seasons
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.tie_breaks import DEFAULT
from tables.base import rulesets
from tables.runs import runs

NAMES = [
    "An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hà", "Inh", "Khoa", "Lan", "Minh", "Nga",
    "Oanh", "Phương", "Quý",
]  # fmt: skip

_numbers = itertools.count(1)


@contextmanager
def _checked_by_the_database() -> Iterator[None]:
    """Leave the constraints to the database: to validate one first takes three queries."""
    with patch.object(Model, "validate_constraints"):
        yield


def make_user(email: str | None = None, **extra: Any) -> User:
    return User.objects.create_user(
        email or f"user{next(_numbers)}@club.example", "s3cret-word", **extra
    )


def confirmed(user: User) -> User:
    """Return the account, whose address is confirmed from now on."""
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def browser_of(user: User) -> Client:
    """Return a browser in which the account is signed in, long ago."""
    client = Client()
    client.force_login(user)
    return client


def sign_in(user: User, password: str = "s3cret-word", **headers: str) -> Client:
    """Return a browser in which the account has just typed its password."""
    client = Client(headers=headers)
    client.post(reverse("account_login"), {"login": user.email, "password": password})
    client.post(reverse("account_reauthenticate"), {"password": password})
    return client


def make_club(
    *,
    owner: User | None = None,
    is_public: bool = True,
    name: str = "Hội Bạn",
    time_zone: str = "Asia/Ho_Chi_Minh",
) -> Club:
    club = clubs.create_club(
        name=name,
        by=owner or make_user(),
        time_zone=time_zone,
        unit="kẹo",
        language="vi" if time_zone == "Asia/Ho_Chi_Minh" else "en",
    )
    club.is_public = is_public  # Two of a name, which no two owners could publish.
    club.save(update_fields=["is_public"])
    return club


def stored(row: Any) -> Any:
    """The row as the database has it now."""
    return type(row)._base_manager.get(pk=row.pk)


def club_of(row: Any) -> Club:
    """The club itself, or that of a season, a night, a round, a table or a player."""
    for step in ("sitting", "round", "event", "season", "club"):
        row = getattr(row, step, row)
    assert isinstance(row, Club)
    return row


def owner_of(row: Any) -> User:
    """The owner of the club that the row belongs to."""
    return User.objects.get(memberships__club=club_of(row), memberships__role=Membership.Role.OWNER)


def path_of(row: Any, page: str, *more: object) -> str:
    """The address of a page of the club, or of what is the club's: `path_of(night, "wall")`."""
    keys: list[object] = [] if isinstance(row, Club) else [row.pk]
    if isinstance(row, Sitting):
        keys = [row.round.event_id, row.round.number, row.table_no]
    elif isinstance(row, Round):
        keys = [row.event_id, row.number]
    name = page if ":" in page else f"league:{page}"
    return reverse(name, args=[club_of(row).slug, *keys, *more])


def table_link(sitting: Sitting, *more: object) -> str:
    """The address by which a phone enters the table's games."""
    return reverse("league:link_table", args=[secret_of(sitting), *more])


def night_link(event: Event) -> str:
    """The address by which a phone checks in and follows the night."""
    return reverse("league:link_night", args=[night_secret(event)])


def make_member(club: Club, role: str) -> User:
    user = make_user()
    give_role(club, user, role)
    return user


def give_role(club: Club, user: User, role: str) -> None:
    Membership.objects.update_or_create(club=club, user=user, defaults={"role": role})


def make_rules(
    club: Club | None = None, *, preset: str = "killa", name: str = "Luật nhà", **options: Any
) -> ClubRuleset:
    """A club's own rules: a preset with some options changed."""
    club = club or make_club()
    rules = ruleset.with_options(ruleset.preset(preset), options | {"name": name})
    return club_rules.create_ruleset(club=club, by=owner_of(club), based_on=preset, rules=rules)


@_checked_by_the_database()
def make_season(
    club: Club | None = None, *, rules: str | ruleset.Ruleset = "penguin", **scoring: Any
) -> Season:
    club = club or make_club()
    return seasons.create_season(
        club=club,
        by=owner_of(club),
        name=f"Mùa {next(_numbers)}",
        ruleset=ruleset.preset(rules) if isinstance(rules, str) else rules,
        scoring=Scoring.from_json(scoring).to_json(),
        tie_breaks=list(DEFAULT),
        starts_on=club.today,
    )


@_checked_by_the_database()
def make_night(
    players_here: int = 4,
    *,
    season: Season | None = None,
    rules: str | ruleset.Ruleset = "penguin",
    **details: Any,
) -> Event:
    """A night with that many people checked in; without a season, in a new one by these rules."""
    season = season or make_season(rules=rules)
    by = owner_of(season)
    day = {
        name: details.pop(name)
        for name in ("date", "starts_at", "venue", "kind")
        if name in details
    }
    event = events.create_event(
        season=season,
        by=by,
        name=f"Đêm {next(_numbers)}",
        plan=events.read_plan(details),
        **{"date": season.club.today} | day,
    )
    if names := NAMES[:players_here]:
        here = _people(season.club, names, by)
        attendance.set_presence(event=event, player_ids=here, presence="here", by=by)
    return event


def make_player(club: Club, name: str = "Lan") -> Player:
    return players.add_player(club=club, name=name, by=owner_of(club))


def _people(club: Club, names: list[str], by: User) -> list[int]:
    """Return the keys of the club's players with these names; new ones are added."""
    free = club.players.filter(merged_into=None, bot="", name__in=names)
    here = dict(free.values_list("name", "pk"))
    if missing := [name for name in names if name not in here]:
        added = players.add_players(club=club, text="\n".join(missing), by=by).players
        here |= {player.name: player.pk for player in added}
    return [here[name] for name in names]


def change_night(event: Event, *, by: User | None = None, **details: Any) -> Event:
    """Change settings of the night: those of its plan, its name, its day, or how it is done."""
    names = {field.name for field in fields(event.plan)} & details.keys()
    planned = {name: details.pop(name) for name in names}
    values = {"name": event.name, "date": event.date, "plan": replace(event.plan, **planned)}
    by = by or owner_of(event)
    return night_settings.change_settings(event=event, by=by, **(values | details))


def make_round(event: Event) -> Round:
    """The next round of the event, drawn and released; the same in every test run."""
    by = owner_of(event)
    seed = None if event.rounds.exists() else 1
    drawn = draws.draw_round(event=event, by=by, seed=seed, anyway=True)
    return draws.release_round(round_=drawn, by=by)


def make_table(event: Event | None = None, *, games: int = 0) -> Sitting:
    """The first table of a new round, after so many games that ended as people sit."""
    sitting = make_round(event or make_night()).sittings.first()
    assert sitting is not None
    for _game in range(games):
        play(sitting)
    return sitting


def make_paid_night(stake: int) -> Event:
    """Last night, not closed, where the last pays the first: one game, by place in `order`."""
    sitting = make_table(make_night(season=make_season(rules="killa"), stake=stake), games=1)
    event = sitting.round.event
    put_to_yesterday(event.season)
    event.refresh_from_db(fields=["date"])
    event.order = names_at(sitting)  # type: ignore[attr-defined]
    return event


def put_to_yesterday(season: Season) -> None:
    """Let what the season's nights have left to pay be due, though none is closed."""
    season.events.update(date=season.club.today - timedelta(days=1))


def secret_of(sitting: Sitting) -> str:
    """The secret of the link that opens this table."""
    link = links.of_table(sitting)
    assert link is not None
    return link.secret


def night_secret(event: Event) -> str:
    """The secret of the night's one link."""
    link = links.of_night(event)
    assert link is not None
    return link.secret


def make_adjustment(
    season: Season, name: str, points: str = "-1", reason: str = "late", **details: Any
) -> Adjustment:
    """Points given to or taken from the player with that name."""
    club = season.club
    return adjustments.adjust_points(
        season=season,
        player=players.named(club=club, name=name),
        points=Decimal(points),
        reason=reason,
        by=owner_of(club),
        **details,
    )


def make_prize(season: Season, name: str, amount: int = 5, **details: Any) -> Posting:
    """A prize that the club owes the player with that name."""
    return postings.award_prize(
        season=season,
        player=players.named(club=season.club, name=name),
        amount=amount,
        by=owner_of(season),
        client_id=uuid.uuid4(),
        **details,
    )


def make_payment(
    season: Season, payer: Player, payee: Player, amount: int, **details: Any
) -> Posting:
    """A payment that an organiser noted."""
    values = {"by": owner_of(season), "client_id": uuid.uuid4()} | details
    return postings.settle(season=season, payer=payer, payee=payee, amount=amount, **values)


def make_cost(season: Season, bearers: Sequence[Player], amount: int, **details: Any) -> Posting:
    """A cost that these share."""
    values = {"by": owner_of(season), "client_id": uuid.uuid4()} | details
    return postings.share_cost(season=season, bearers=bearers, amount=amount, **values)


def make_report(season: Season, names: Sequence[str], amount: int = 5) -> ReportedPayment:
    """A payment that the first of these says to have paid the second."""
    payer, payee = (players.named(club=season.club, name=name) for name in names[:2])
    return ReportedPayment.objects.create(
        season=season, payer=payer, payee=payee, amount=amount, client_id=uuid.uuid4()
    )


def make_schedule(season: Season, **details: Any) -> Schedule:
    """Bots every Friday at 20:00 by the club's clock, from the first after the club's day on."""
    day = season.club.today + timedelta(days=1)
    friday = day + timedelta(days=(4 - day.weekday()) % 7)
    rule = Recurrence(friday, time(20), season.club.time_zone)
    plan = {"design": "versus", "bots": ["greedy", "random"], "deals": 2} | details.pop("plan", {})
    values = {"name": "Thứ sáu", "ruleset": ruleset.preset("thirteen"), "rule": rule} | details
    repeated = Tournaments(plan=TournamentPlan.from_json(plan), **values)
    return schedules.create_schedule(season=season, by=owner_of(season), repeated=repeated)


def names_at(sitting: Sitting, game_no: int = 1) -> list[str]:
    return [p.entrant.player.name for p in sittings.places_at(sitting, game_no)]


Order = Sequence[str | Sequence[str]]


def groups_of(event: Event, order: Order) -> list[list[int]]:
    """The entrants of names from first to last; a list of names shares its place."""
    keys = dict(event.entrants.values_list("player__name", "pk"))
    return [[keys[n] for n in ([each] if isinstance(each, str) else each)] for each in order]


def keys_at(sitting: Sitting) -> dict[str, int]:
    """The entrants at the table, by name."""
    return {place.entrant.player.name: place.entrant_id for place in sitting.places.all()}


def game_form(sitting: Sitting, order: Sequence[str] | None = None, **more: Any) -> dict[str, Any]:
    """What a page sends of the first game: names from first to last, else as they sit."""
    keys = keys_at(sitting)
    order = ",".join(str(keys[name]) for name in order or names_at(sitting))
    return {"game_no": 1, "order": order, "specials": "", "client_id": uuid.uuid4()} | more


def play(sitting: Sitting, order: Order | None = None, **details: Any) -> Result:
    """Records the next game with the players' names from first to last, else as they sit."""
    last = max(sitting.results.values_list("game_no", flat=True), default=0)
    values = {"game_no": last + 1, "client_id": uuid.uuid4(), "by": None} | details
    if order is None:
        order = names_at(sitting, values["game_no"])
    groups = groups_of(sitting.round.event, order)
    return results.record(sitting_id=sitting.pk, **({"groups": groups} | values))


def correct(result: Result, order: Order | None = None, **details: Any) -> Result:
    """Corrects the game with the names from first to last, else the other way round."""
    if order is None:
        placings = result.placings.order_by("-rank").select_related("entrant__player")
        order = [placing.entrant.player.name for placing in placings]
    values = {
        "game_no": result.game_no,
        "version": result.version,
        "groups": groups_of(result.sitting.round.event, order),
        "client_id": uuid.uuid4(),
        "by": owner_of(result),
    }
    return results.correct(sitting_id=result.sitting_id, **(values | details))


def make_tournament(season: Season, *names: str, deals: int = 1, **details: Any) -> Event:
    """A tournament of these bots, else of two, that has still to be played."""
    values = {
        "name": "Bots",
        "date": season.starts_on,
        "ruleset": rulesets.of(season),
        "bots": list(names) or ["greedy", "random"],
    }
    return bots.create_bot_event(
        season=season, by=owner_of(season), deals=deals, **(values | details)
    )


def play_tournament(tournament: Event) -> None:
    """Play all of its games, and close it."""
    while runs.play_next(tournament.run_id):
        runs.finish_if_done(run_id=tournament.run_id)
    tournament.run.refresh_from_db()
    bots.close_finished(run=tournament.run)
