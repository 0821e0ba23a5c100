"""The door Me: face, debts, rating, nights, notifications, and how everything looks."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from allauth.usersessions.models import UserSession
from django.utils.translation import gettext as _

from accounts.devices import device_name
from accounts.models import User
from league.base.lookup import season_of_people
from league.clubs.facts.search import visible_clubs
from league.clubs.pages.bins import binned_clubs
from league.clubs.pages.offers import OfferRow, offers_to
from league.models import Membership, Player, Season, Transfer
from league.money.facts import money, open_debts
from league.news.acts.outbox import kinds_of, wanted_by
from league.news.facts.words import Switch, kinds_at
from league.recap.pages.tonight import Debt, debts_of
from league.seasons.acts import season_cache
from league.seasons.pages import player_charts, player_page
from league.seasons.pages.player_charts import Trend
from league.seasons.pages.player_page import NightPoints
from tables.base.faces import ANIMAL_NAMES, Face

NIGHTS, PAYMENTS = 5, 3


@dataclass(frozen=True)
class NoticeSwitch:
    """A switch of the notifications: what it is about, and whether it is on.

    A group's switch has those of its `kinds`.
    """

    key: str
    text: str
    note: str
    is_on: bool
    kinds: Sequence[NoticeSwitch] = ()


@dataclass(frozen=True)
class Animal:
    """An animal to choose, as the face it would give."""

    key: str
    name: str
    face: Face
    is_mine: bool


@dataclass(frozen=True)
class PaidBefore:
    """A payment by the person, or to the person: the amount is below or above 0."""

    season: Season
    other: Player | None
    name: str
    amount: int
    at: datetime.datetime

    @property
    def text(self) -> str:
        """Who paid whom."""
        words = _("%(name)s paid you") if self.amount > 0 else _("You paid %(name)s")
        return words % {"name": self.name}


@dataclass(frozen=True)
class SeasonOfMine:
    """The person's player in a club's season: rank, nights, and the rating's curve.

    `debts` are those of all the club's seasons, `paid` the latest payments in them.
    """

    player: Player
    season: Season
    rank: int | None
    debts: list[Debt]
    paid: list[PaidBefore]
    nights: list[NightPoints]
    trend: Trend | None

    @property
    def last_nights(self) -> list[NightPoints]:
        """The last nights, latest first."""
        return self.nights[: -NIGHTS - 1 : -1]

    @property
    def rating(self) -> NightPoints | None:
        """The latest night after which a rating is shown."""
        rated = (one for one in reversed(self.nights) if one.rating and not one.rating.is_early)
        return next(rated, None)


@dataclass(frozen=True)
class MePage:
    """What the door Me shows to a person with an account: `belongs` where no player is theirs."""

    person: User
    players: list[Player]
    belongs: list[Membership]
    mine: SeasonOfMine | None
    seasons: list[SeasonOfMine]
    animals: list[Animal]
    notices: list[NoticeSwitch]
    devices: str
    offers: list[OfferRow]
    has_bin: bool
    shown_in: str


def me_page(user: User) -> MePage:
    """Return the page, with the open season of each club in which the person plays, or its last.

    `mine` is the only one of them.
    """
    found = Player.objects.filter(user=user, merged_into=None, club__in=visible_clubs(user))
    players = list(found.select_related("club"))
    for player in players:
        player.club.shows_money = True  # To those who play for it.
    seasons = [
        _mine(one, season)
        for one in players
        if (season := season_of_people(one.club, or_closed=True))
    ]
    names = [device_name(one.user_agent) for one in UserSession.objects.filter(user=user)]
    return MePage(
        person=user,
        players=players,
        belongs=[] if players else _memberships(user),
        mine=seasons[0] if len(seasons) == 1 else None,
        seasons=seasons,
        animals=_animals(players),
        notices=_notices(user),
        devices=" · ".join(dict.fromkeys(names)),
        offers=offers_to(user),
        has_bin=bool(binned_clubs(user)),
        shown_in=_shown_in(user),
    )


def _memberships(user: User) -> list[Membership]:
    found = user.memberships.filter(club__in=visible_clubs(user)).select_related("club")
    return list(found.order_by("club__name", "pk"))


def _shown_in(user: User) -> str:
    """Return the clubs in which who owes the account is shown how it is paid."""
    found = Player.objects.filter(user=user, merged_into=None, user__paymentways__isnull=False)
    shown = found.exclude(shows_ways=False).values_list("club__name", flat=True)
    return ", ".join(sorted(set(shown)))


def _mine(player: Player, season: Season) -> SeasonOfMine:
    cached = season_cache.standings_of(season=season).rows.cached_of(player.pk)
    own = player_page.keys_of(player)
    nights = player_page.nights_of(player, own, season)
    trend = player_charts.rating_trend([night.rating for night in nights if night.rating])
    mine = frozenset([player.pk])
    owing = open_debts.seasons_of(mine, player.club)
    debts = [debt for owed in owing for debt in debts_of(owed, mine)]
    debts.sort(key=lambda debt: debt.amount)
    rank = cached.rank if cached else None
    paid = [_payment(moved, own) for moved in money.last_payments(own, PAYMENTS)]
    return SeasonOfMine(player, season, rank, debts, paid, nights, trend)


def _payment(moved: Transfer, own: Collection[int]) -> PaidBefore:
    giver, taker = moved.hands
    is_mine = giver.player_id in own
    other = taker if is_mine else giver
    player = other.player and (other.player.merged_into or other.player)
    amount = -moved.amount if is_mine else moved.amount
    assert moved.posting is not None
    return PaidBefore(moved.posting.season, player, str(player or other), amount, moved.at)


def _animals(players: list[Player]) -> list[Animal]:
    """Return the animals to choose from; none without a player."""
    if not players:
        return []
    own = players[0].face
    return [
        Animal(key, str(name), Face(key, own.ground), key == own.animal)
        for key, name in ANIMAL_NAMES.items()
    ]


def _notices(user: User) -> list[NoticeSwitch]:
    wanted = wanted_by(user)
    texts: dict[Switch, tuple[str, str]] = {
        "table": (_("My table, my turn, games to confirm"), _("buzzes when the app is closed")),
        "night": (_("Nights, invitations, reminders to answer"), ""),
        "money": (_("Debts and money"), ""),
        "result": (_("Results, standings, news of the club"), ""),
    }
    labels = kinds_of(user)
    found = []
    for key, said in texts.items():
        kinds = [
            NoticeSwitch(kind, str(labels[kind]), "", is_on=kind in wanted)
            for kind in kinds_at(key)
            if kind in labels
        ]
        found.append(NoticeSwitch(key, *said, any(one.is_on for one in kinds), kinds))
    return found
