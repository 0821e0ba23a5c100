"""Links of before 1.2, which organisers made alone: the account is asked whether it plays there."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from accounts.security_log import Kind, note
from league.base.acts import audit, former_ways, locks, sweeps
from league.models import CalendarFeed, Club, ClubSeat, Membership, Player, RoleOffer
from tables.base.columns import set_columns
from tables.models import Action, Seat

MOST = 200
"""Most links that one sweep looks at."""


def ask() -> int:
    """Turn the links that nobody confirmed into offers; return how many links were looked at.

    An account that acted in the club keeps its player, with the role of player.
    """
    role = Membership.objects.filter(club=OuterRef("club"), user=OuterRef("user"))
    found = Player.everything.filter(~Exists(role), user__isnull=False).order_by("pk")
    return sweeps.each(list(found.values_list("pk", flat=True)[:MOST]), _ask)


@transaction.atomic
def _ask(pk: int) -> int:
    club = locks.club(Player.everything.get(pk=pk).club_id)
    player = Player.everything.select_related("user").get(pk=pk)
    user = player.user
    if user is None or club.memberships.filter(user=user).exists():
        return 0
    if player.merged_into_id is None and user.is_active and _has_said_yes(club, user):
        club.memberships.create(user=user, role=Membership.Role.PLAYER)
        audit.log("member.accepted", club=club, by=user, role="player")
        note(Kind.LINKED, user, club=club.name)
        return 1
    set_columns(player, user=None)
    former_ways.end_of(player)
    audit.log("player.account_removed", club=club, by=None, player=player.pk, user=user.pk)
    if player.merged_into_id is None and user.is_active and player.binned_at is None:
        by = _who_linked(club, player, user)
        RoleOffer.objects.update_or_create(
            club=club,
            email=user.email,
            defaults={"player": player, "user": user},
            create_defaults={"player": player, "user": user, "by": by, "role": "player"},
        )
        note(Kind.ASKED, user, club=club.name)
    return 1


def _has_said_yes(club: Club, user: User) -> bool:
    """Return whether the account acted in the club as a player, and did not leave since.

    The log has entries, confirmations and answers, but not who sat or made a calendar.
    """
    same = Q(data__user=user.pk) | Q(data__email__iexact=user.email)
    removed = same & Q(action="member.removed")
    if club.audit.filter(Q(action="member.left", by=user) | removed).exists():
        return False
    of_night = {"table__live_sitting__sitting__round__event__season__club": club}
    played = Action.objects.filter(
        game__table=OuterRef("table"), seat=OuterRef("no"), at__gt=OuterRef("seated_at")
    )
    return (
        club.audit.filter(by=user).exclude(action="member.declined").exists()
        or CalendarFeed.objects.filter(user=user, club=club).exists()
        or ClubSeat.objects.filter(seat__user=user, player__club=club).exists()
        or Seat.objects.filter(
            Exists(played.filter(made_by="player")), user=user, **of_night
        ).exists()
    )


def _who_linked(club: Club, player: Player, user: User) -> User:
    """Return who linked the account, else an owner of the club."""
    linked = club.audit.filter(action="player.account", data__player=player.pk, by__isnull=False)
    if (entry := linked.select_related("by").first()) is not None and entry.by is not None:
        return entry.by
    owner = club.memberships.filter(role=Membership.Role.OWNER).select_related("user").first()
    return owner.user if owner is not None else user
