"""The clubs that know a person: role, player, offers, entries of money and phones in each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User
from league.clubs.facts.search import visible_clubs
from league.clubs.pages.offers import OfferRow, offers_to
from league.models import Claim, Club, Event, Membership, NewsWish, Player, Posting
from league.models.spelling import Alphabetical


@dataclass
class KnowingClub:
    """A club and what it has of the person.

    `entries` are those of money by others that name the player, `phones` those of open nights with
    the player's name. `opens` is whether the person may open the club's page.
    """

    club: Club
    opens: bool
    role: str = ""
    leaves: bool = False
    players: list[Player] = field(default_factory=list)
    offers: list[OfferRow] = field(default_factory=list)
    entries: int = 0
    phones: int = 0
    is_silent: bool = False


def clubs_that_know(user: User) -> list[KnowingClub]:
    """Return the clubs by name; takes a fixed number of queries."""
    roles = {one.club_id: one for one in Membership.objects.filter(user=user)}
    players = list(Player.objects.filter(user=user, merged_into=None))
    offers = offers_to(user)
    silent = set(NewsWish.objects.filter(user=user).values_list("silent_clubs", flat=True)) - {None}
    keys = {*roles, *silent, *(one.club_id for one in players), *(o.offer.club_id for o in offers)}
    seen = set(visible_clubs(user).filter(pk__in=keys).values_list("pk", flat=True))
    found = {
        club.pk: KnowingClub(club, club.pk in seen, is_silent=club.pk in silent)
        for club in Club.objects.filter(pk__in=keys).order_by(Alphabetical("name"))
    }
    for key, role in roles.items():
        if key in found:
            found[key].role, found[key].leaves = role.get_role_display(), key in seen
    for player in players:
        if player.club_id in found:
            found[player.club_id].players.append(player)
    for one in offers:
        found[one.offer.club_id].offers.append(one)
    for key, count in _entries(user, players).items():
        found[key].entries = count
    for key, count in _phones(players).items():
        found[key].phones = count
    return list(found.values())


def known_clubs(user: User) -> QuerySet[Club]:
    """Return the clubs in `clubs_that_know`."""
    return Club.objects.filter(pk__in=[one.club.pk for one in clubs_that_know(user)])


def _entries(user: User, players: Iterable[Player]) -> dict[int, int]:
    keys = [player.pk for player in players]
    names = Player.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys)).values("pk")
    mine = Q(transfers__payer__player__in=names) | Q(transfers__payee__player__in=names)
    by_others = Posting.objects.filter(mine, by__isnull=False).exclude(by=user).order_by()
    counts = by_others.values_list("season__club").annotate(n=Count("pk", distinct=True))
    return dict(counts) if keys else {}


def _phones(players: Iterable[Player]) -> dict[int, int]:
    keys = [player.pk for player in players]
    whose = Coalesce("player__merged_into", "player")
    held = Claim.objects.filter(ended_at=None, event__status=Event.Status.OPEN)
    mine = held.annotate(whose=whose).filter(whose__in=keys).order_by()
    return dict(mine.values_list(F("player__club")).annotate(n=Count("pk"))) if keys else {}
