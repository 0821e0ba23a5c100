"""The demo club: a half-played night, so that every page has content.

All data is created by the services that people use.
"""

from __future__ import annotations

import random
import uuid

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from engine.rules import ruleset
from league.arena.acts import bots
from league.clubs.acts import clubs, players
from league.models import Club, Event, Membership, Round, Season
from league.nights.acts import attendance, draws, events, results
from league.nights.domain.night_plans import NightPlan
from league.nights.facts import sittings
from league.seasons.acts import seasons
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.tie_breaks import DEFAULT

PEOPLE = """
    Nguyễn Thị Lan, Trần Văn Hùng, Lê Minh Đức, Phạm Thu Hà, Hoàng Văn Nam, Vũ Thị Mai,
    Đặng Quốc Bảo, Bùi Thanh Tâm, Đỗ Hải Yến, Ngô Đình Khoa, Dương Ngọc Ánh, Lý Gia Huy,
    Phan Bích Thủy
"""

ROLES = {"owner": "owner@demo.example", "organiser": "organiser@demo.example",
         "scorer": "scorer@demo.example"}  # fmt: skip


def create_if_empty() -> bool:
    """Create the demo if there is no account and no club; return whether it did."""
    with transaction.atomic():
        if User.objects.exists() or Club.objects.exists():
            return False
        organiser = _people()
        season = _season(organiser, "Đấu máy", ranks_bots=True)
        _night(_season(organiser, f"Mùa {timezone.localdate().year}"), organiser)
    bots.create_bot_event(
        season=season,
        by=organiser,
        name="Greedy & random",
        date=timezone.localdate(),
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
        name="Hội Tiến Lên Chủ Nhật",
        by=owner,
        time_zone="Asia/Ho_Chi_Minh",
        unit="kẹo",
        is_public=True,
    )
    for role in ("organiser", "scorer"):
        user = User.objects.create_user(ROLES[role], _password(ROLES[role]))
        Membership.objects.create(club=club, user=user, role=role)
        # Nobody can confirm these addresses; unconfirmed, they could not sign in where mail works.
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    players.add_players(club=club, text=PEOPLE, by=owner)
    return User.objects.get(email=ROLES["organiser"])


def _season(organiser: User, name: str, *, ranks_bots: bool = False) -> Season:
    return seasons.create_season(
        club=Club.objects.get(),
        by=organiser,
        name=name,
        ruleset=ruleset.preset("mien-nam"),
        scoring=Scoring().to_json(),
        tie_breaks=list(DEFAULT),
        starts_on=timezone.localdate(),
        ranks_bots=ranks_bots,
    )


def _night(season: Season, organiser: User) -> None:
    """Create a night of two rounds of two games; the second round is still being played."""
    event = events.create_event(
        season=season,
        by=organiser,
        name="Buổi 1",
        date=timezone.localdate(),
        plan=NightPlan(games_per_round=2, stake=1),
    )
    everybody = season.club.players.filter(bot="").values_list("pk", flat=True)
    attendance.set_presence(event=event, player_ids=everybody, presence="here", by=organiser)
    dice = random.Random(13)
    for number in (1, 2):
        drawn = draws.draw_round(event=event, by=organiser, seed=13 if number == 1 else None)
        draws.release_round(round_=drawn, by=organiser)
        _play(event, drawn, organiser, dice, leave_open=number == 2)


def _play(
    event: Event, drawn: Round, organiser: User, dice: random.Random, *, leave_open: bool
) -> None:
    for sitting in drawn.sittings.all():
        games = 1 if leave_open and sitting.table_no == 1 else 2
        for game_no in range(1, games + 1):
            order = [place.entrant_id for place in sittings.places_at(sitting, game_no)]
            dice.shuffle(order)
            results.record(
                sitting_id=sitting.pk,
                game_no=game_no,
                groups=[[key] for key in order],
                client_id=uuid.uuid4(),
                by=organiser,
            )
