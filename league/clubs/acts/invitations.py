"""Invitation links: a person who opens one and signs in gets its role in the club."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.security_log import Kind, note
from league.base.acts import audit, links, locks
from league.base.rights import of_role
from league.clubs.acts import clubs, players
from league.models import Club, Link, Membership, Player
from tables.base.columns import set_columns
from tables.base.tokens import hash_of
from tables.refusals import Refusal

ROLES = (Membership.Role.PLAYER, Membership.Role.SCORER, Membership.Role.ORGANISER)
"""Roles that a link may give, in ascending order; owners need an offer by email."""
MOST_DAYS = 90
DAYS_OF_A_PLAYER = 30


@transaction.atomic
def invite(*, club: Club, role: str, by: User, days: int = 7, once: bool = False) -> Link:
    """Create a link that gives `role` to all who accept it, or with `once` to one only."""
    clubs.refuse_held(club)
    if role not in ROLES:
        raise Refusal(_("A link can give the role of player, scorer or organiser."), field="role")
    if not 1 <= days <= MOST_DAYS:
        raise Refusal(
            _("A link lasts 1 to %(most)s days.") % {"most": MOST_DAYS},
            code="days",
            field="days",
        )
    link = links.new(
        club=club,
        purpose=Link.Purpose.INVITATION,
        role=role,
        by=by,
        expires_at=timezone.now() + timedelta(days=days),
        max_uses=1 if once else None,
    )
    link.save()
    audit.log("invitation.made", club=club, by=by, link=link.pk, role=role, days=days, once=once)
    return link


@transaction.atomic
def invite_player(*, player: Player, by: User) -> Link:
    """Create a single-use link that links this player to the accepting account.

    Revokes the earlier links of the player and of the names merged into it.
    """
    club = locks.club(player.club_id)
    clubs.refuse_held(club)
    player = Player.objects.get(pk=player.pk)
    if player.bot or player.merged_into_id or player.user_id:
        raise Refusal(
            _("Only players without an account can have a personal link. Reload the page."),
        )
    Link.objects.filter(player__in=player.names, revoked_at=None).update(revoked_at=timezone.now())
    link = links.new(
        club=club,
        purpose=Link.Purpose.INVITATION,
        role=Membership.Role.PLAYER,
        player=player,
        by=by,
        expires_at=timezone.now() + timedelta(days=DAYS_OF_A_PLAYER),
        max_uses=1,
    )
    link.save()
    audit.log("invitation.player", club=club, by=by, link=link.pk, player=player.pk)
    return link


@transaction.atomic
def revoke(*, club: Club, link_id: int, by: User) -> None:
    """Revoke an invitation; roles that it gave stay."""
    invitations = club.links.filter(purpose=Link.Purpose.INVITATION, revoked_at=None)
    if invitations.filter(pk=link_id).update(revoked_at=timezone.now()):
        audit.log("invitation.revoked", club=club, by=by, link=link_id)


def find(secret: str) -> Link | None:
    return links.alive(secret, Link.Purpose.INVITATION)


def taken(secret: str, user: User) -> Link | None:
    """Return the link with which this account has joined already, None if it has not."""
    found = Link.objects.filter(secret_hash=hash_of(secret), purpose=Link.Purpose.INVITATION)
    link = found.select_related("club", "player__merged_into").first()
    if link is None or not link.club.memberships.filter(user=user).exists():
        return None
    if link.player is not None:
        return link if (link.player.merged_into or link.player).user_id == user.pk else None
    log = link.club.audit.filter(action="invitation.accepted", by=user, data__link=link.pk)
    return link if log.exists() else None


@transaction.atomic
def accept(*, secret: str, user: User, shows_ways: bool = False) -> Membership:
    """Give the user the link's role in the club.

    A link never lowers a role; it is then not used up. A player's personal link also links the
    account to the player, and is always used up. Refusal `over` if the link is revoked, used up or
    expired.
    """
    link = find(secret)
    if link is not None:
        # Of two people with a single-use link, the second waits here and then finds it used.
        locks.club(link.club_id)
        link = find(secret)
    if link is None:
        raise Refusal(_("This invitation has expired. Ask for a new one."), code="over")
    member = link.club.memberships.filter(user=user).first()
    is_raised = member is None or of_role(member.role) < of_role(link.role)
    if is_raised or link.player is not None:
        set_columns(link, uses=link.uses + 1)
    if is_raised or member is None:
        member, _created = Membership.objects.update_or_create(
            club=link.club, user=user, defaults={"role": link.role}
        )
        data: dict[str, Any] = {"link": link.pk, "role": link.role}
        audit.log("invitation.accepted", club=link.club, by=user, **data)
    if link.player is not None:
        player = link.player.merged_into or link.player
        players.take_player(player=player, user=user, shows_ways=shows_ways)
    elif is_raised:
        note(Kind.ROLE_TAKEN, user, club=link.club.name)
    return member
