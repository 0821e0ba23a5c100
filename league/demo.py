"""The demo club: a season of twelve nights and a cup under way, so that every page has content.

All data is created by the services that people use.
"""

import datetime
import random
import uuid
from collections.abc import Sequence
from decimal import Decimal
from itertools import repeat
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac

from accounts.models import User
from engine.rules import ruleset
from engine.rules.specials import Special, offered
from league.arena.acts import bots
from league.clubs.acts import clubs, players
from league.models import Club, Event, Membership, Placing, Player, Result, Round, Season
from league.money.acts import payment_ways, postings
from league.money.facts import open_debts
from league.nights.acts import (
    attendance,
    ceremony,
    claims,
    clock,
    closing,
    disputes,
    draws,
    events,
    results,
)
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
from league.nights.facts import sittings
from league.seasons.acts import adjustments, rosters, seasons
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.tie_breaks import DEFAULT
from league.turnout.acts import sign_ups

PEOPLE = (
    "Cô Ba, Khánh, Thảo, Long, Tý, Chị Hoa, Hải Heo, Bác Sáu, Út Lan, Dũng, Phượng, Chú Năm, "
    "Anh Tuấn, Dung, Minh Béo, Ngọc, Vinh, Bích Thủy, Mai, Sơn, Quân, Cậu Tư, Hạnh, Phúc"
)

ROLES = {"owner": "owner@demo.example", "organiser": "organiser@demo.example",
         "scorer": "scorer@demo.example"}  # fmt: skip
PLAYS = {"organiser": "Cô Ba", "scorer": "Thảo"}
DAY, HALF_AN_HOUR = datetime.timedelta(days=1), datetime.timedelta(minutes=30)
WEEK = 7 * DAY
NIGHTS, STAKE = 12, 10_000
GROUPS = NightFormat("groups", group_rounds=2, others_play=False, ceremony=1)
TOP_TWO = NightFormat("knockout", others_play=False)
DICE = 2011


def create_if_empty() -> bool:
    """Create the demo if there is no account and no club; return whether it did."""
    with transaction.atomic():
        if User.objects.exists() or Club.objects.exists():
            return False
        organiser = _people()
        arena = _season(organiser, "Đấu máy", ranks_bots=True)
        _year(organiser)
    bots.create_bot_event(
        season=arena,
        by=organiser,
        name="Greedy & random",
        date=arena.club.today,
        ruleset=ruleset.preset("mien-nam"),
        bots=["greedy", "random", "greedy", "random"],
        deals=100,
    )
    return True


def sign_ins() -> list[tuple[str, str, str]]:
    """Return (role, email, password) of the demo accounts whose password is unchanged."""
    found = []
    for role, email in ROLES.items():
        user = User.objects.filter(email=email).first()
        if user is not None and user.check_password(_password(email)):
            found.append((role, email, _password(email)))
    return found


def _password(email: str) -> str:
    """Return a demo password, different on each server and the same at every start."""
    return salted_hmac("league.demo", email, settings.SECRET_KEY).hexdigest()[:12]


def _people() -> User:
    owner = User.objects.create_superuser(ROLES["owner"], _password(ROLES["owner"]))
    club = clubs.create_club(
        name="Hội Tiến Lên Quận 3",
        by=owner,
        time_zone="Asia/Ho_Chi_Minh",
        unit="đ",
        language="vi",
        is_public=True,
    )
    players.add_players(club=club, text=PEOPLE.replace(", ", "\n"), by=owner)
    for role, name in PLAYS.items():
        user = User.objects.create_user(ROLES[role], _password(ROLES[role]))
        Membership.objects.create(club=club, user=user, role=role)
        # Nobody can confirm these addresses; unconfirmed, they could not sign in where mail works.
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        club.players.filter(name=name).update(user=user)
        payment_ways.leave(
            user=user, bank="970436", number="0123456789", holder=name.upper(), words=""
        )
    return User.objects.get(email=ROLES["organiser"])


def _season(organiser: User, name: str, *, ranks_bots: bool = False, **scoring: Any) -> Season:
    return seasons.create_season(
        club=Club.objects.get(),
        by=organiser,
        name=name,
        ruleset=ruleset.preset("mien-nam"),
        scoring=Scoring(**scoring).to_json(),
        tie_breaks=list(DEFAULT),
        starts_on=Club.objects.get().today - (NIGHTS - 1) * WEEK,
        ranks_bots=ranks_bots,
    )


def _year(organiser: User) -> None:
    """Create the season: eleven nights that are over, two under way, and the next one's answers."""
    dice, today = random.Random(DICE), Club.objects.get().today
    season = _season(organiser, f"Mùa {today.year}", best_of=8)
    people = list(season.club.players.filter(bot="").order_by("pk"))
    strength = {player.pk: dice.gauss(0, 1) for player in people}
    for number in range(1, NIGHTS):
        cup = GROUPS if number == NIGHTS - 1 else None
        here = sorted(
            dice.sample(people, 16 if cup else dice.choice((12, 16))), key=lambda one: one.pk
        )
        name = f"Cúp buổi {number}" if cup else f"Buổi {number}"
        date = today - (NIGHTS - number) * WEEK
        night = _night(season, organiser, name, here, date, cup=cup)
        for _ in range(night.rounds_planned):
            _round(night, organiser, strength, dice, method="swiss")
        if cup:
            ceremony.reveal_all(event=night, by=organiser)
        closing.close_event(event=night, by=organiser)
        _pay(night, organiser, share=1.0 if number < NIGHTS - 2 else 0.5)
    adjustments.adjust_points(
        season=season,
        player=people[5],
        points=Decimal(2),
        reason="Mười hai buổi không vắng",
        by=organiser,
    )
    for name, members in (("Đội Heo", people[:6]), ("Đội Rồng", people[6:12])):
        rosters.save_roster(season=season, kind="team", name=name, members=members, by=organiser)
    _evening(season, organiser, people, strength, dice)
    _next_week(season, organiser, people)
    night = _night(season, organiser, "Cúp lấy hai", people[8:], today - DAY, cup=TOP_TWO)
    for games in ((2, 2, 2, 2), (2, 1)):
        _round(night, organiser, strength, dice, games=games)


def _night(
    season: Season,
    organiser: User,
    name: str,
    here: Sequence[Player],
    date: datetime.date,
    *,
    cup: NightFormat | None = None,
    rounds: int = 0,
    games: int = 2,
) -> Event:
    night = events.create_event(
        season=season,
        by=organiser,
        name=name,
        date=date,
        starts_at=datetime.time(19, 30),
        plan=NightPlan(
            format=cup or NightFormat(),
            rounds_planned=rounds or (3 if cup else 2),
            games_per_round=games,
            stake=0 if cup else STAKE,
        ),
    )
    keys = [player.pk for player in here]
    attendance.set_presence(event=night, player_ids=keys, presence="here", by=organiser)
    return night


def _round(
    night: Event,
    organiser: User,
    strength: dict[int, float],
    dice: random.Random,
    method: str = "few_repeats",
    games: Sequence[int] = (),
) -> Round:
    """Draw a round and record so many `games` at each table, by default all."""
    seed = dice.randrange(10**6)
    drawn = draws.draw_round(event=night, by=organiser, seed=seed, method=method)
    draws.release_round(round_=drawn, by=organiser)
    tables = drawn.sittings.order_by("table_no")
    for sitting, last in zip(tables, games or repeat(night.games_per_round or 1), strict=False):
        for game_no in range(1, last + 1):
            _game(sitting, game_no, night, organiser, strength, dice)
    return drawn


def _game(
    sitting: Any,
    game_no: int,
    night: Event,
    organiser: User,
    strength: dict[int, float],
    dice: random.Random,
) -> None:
    """Record a game: the stronger come first more often, and one game in four has a chop."""
    places = sittings.places_at(sitting, game_no)
    luck = {at.entrant_id: strength[at.entrant.player_id] + dice.gauss(0, 1.6) for at in places}
    order = sorted(luck, key=lambda key: -luck[key])
    chops = []
    if dice.random() < 0.25:
        by, of = dice.sample(order, 2)
        chops = [Special("chop", by, of, dice.choice(offered(night.rules).chops[:2]))]
    results.record(
        sitting_id=sitting.pk,
        game_no=game_no,
        groups=[[key] for key in order],
        specials=chops,
        client_id=uuid.uuid4(),
        by=organiser,
    )


def _pay(night: Event, organiser: User, *, share: float) -> None:
    """Post a share of the night's debts as paid."""
    owed = [one for one in open_debts.of_night(night) if one.is_between_people]
    for one in owed[: round(share * len(owed))]:
        assert one.payer.player is not None
        assert one.payee.player is not None
        postings.settle(
            season=night.season,
            payer=one.payer.player,
            payee=one.payee.player,
            amount=one.amount,
            by=organiser,
            client_id=uuid.uuid4(),
            event=night,
        )


def _evening(
    season: Season,
    organiser: User,
    people: Sequence[Player],
    strength: dict[int, float],
    dice: random.Random,
) -> None:
    """Create tonight: round 2 runs, one game is disputed and one table has no game yet."""
    night = _night(
        season, organiser, f"Buổi {NIGHTS}", people[:20], season.club.today, rounds=3, games=4
    )
    _round(night, organiser, strength, dice)
    for player in people[:6]:
        claims.claim(event=night, player_id=player.pk, phone=f"demo-phone-{player.pk}")
    drawn = _round(night, organiser, strength, dice, games=(2, 1, 0, 1, 3))
    clock.start(round_=drawn, minutes=40, by=organiser)
    began = timezone.now() - HALF_AN_HOUR
    for game in Result.objects.filter(sitting__round=drawn).select_related("sitting"):
        at = began + datetime.timedelta(minutes=8 * game.game_no + game.sitting.table_no)
        Result.objects.filter(pk=game.pk).update(at=at)
    Round.objects.filter(pk=drawn.pk).update(released_at=began, clock_started_at=began)
    third = Placing.objects.get(result__sitting__round=drawn, result__sitting__table_no=4, rank=3)
    with translation.override("vi"):
        disputes.open_dispute(
            sitting_id=third.result.sitting_id,
            game_no=1,
            by=organiser,
            place=2,
            player=third.entrant.player,
        )


def _next_week(season: Season, organiser: User, people: Sequence[Player]) -> None:
    night = events.create_event(
        season=season,
        by=organiser,
        name=f"Buổi {NIGHTS + 1}",
        date=season.club.today + WEEK,
        starts_at=datetime.time(19, 30),
        venue="Quán Cô Ba, Lê Văn Sỹ",
        plan=NightPlan(stake=STAKE),
    )
    asked = sign_ups.open_list(event=night, by=organiser)
    replies = ["yes"] * 11 + ["maybe"] * 3 + ["no"] * 2
    for player, reply in zip(people, replies, strict=False):
        sign_ups.answer(sign_up=asked, player=player, reply=reply, organises=True)
