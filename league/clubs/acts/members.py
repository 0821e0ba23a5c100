"""Offer, accept, remove and give up roles in a club."""

import datetime
from contextlib import suppress
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.security_log import Kind, note
from league.base.acts import audit, erasures, former_ways, locks
from league.base.rights import of_role
from league.clubs.acts import clubs, players
from league.clubs.signals import account_unlinked, ending_stopped
from league.models import Audit, Club, Link, Membership, NewsItem, Player, RoleOffer
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.refusals import Refusal

MOST_OFFERS = 50
"""The most open offers per club."""
AN_HOUR = 60
"""The most offers that one account makes in an hour, in all its clubs."""
OWNER = Membership.Role.OWNER
NOTICE = datetime.timedelta(days=7)
"""How long an owner of longer standing keeps a role that another owner ends."""
NO_HOLDS = datetime.timedelta(days=90)
"""How long a club may not offer again what an account declined."""


@transaction.atomic
def offer_player(*, player: Player, email: str, by: User) -> RoleOffer:
    """Ask the owner of `email` whether they play as this player, with at least its role.

    A new question replaces the old one. The result does not reveal whether there is an account.
    """
    email = email.strip().lower()
    clubs.refuse_held(locks.club(player.club_id))
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.bot or player.merged_into_id or player.user_id:
        raise Refusal(_("Only players without an account can be offered one. Reload the page."))
    players.end_offers(player)
    waiting = player.club.role_offers.filter(email__iexact=email).first()
    role = waiting.role if waiting is not None else Membership.Role.PLAYER
    offer = _offer(player.club, email, role, by, player=player)
    audit.log("player.offered", club=player.club, by=by, player=player.pk, offer=offer.pk)
    return offer


@transaction.atomic
def withdraw_player(*, player: Player, by: User) -> None:
    """Ask nobody any more whether they play as this player."""
    locks.club(player.club_id)
    if RoleOffer.objects.filter(player__in=player.names).exists():
        players.end_offers(player)
        audit.log("player.offer_withdrawn", club=player.club, by=by, player=player.pk)


def _offer(club: Club, email: str, role: str, by: User, **more: Any) -> RoleOffer:
    """Store an offer in place of an earlier one to the same email.

    Refusal `declined` where a No holds: a member's for the same player or a role, anyone else's for
    all that the club offers.
    """
    noes = club.audit.filter(action="member.declined", by__email__iexact=email)
    if club.memberships.filter(user__email__iexact=email).exists():
        noes = noes.filter(data__player=more["player"].pk if more.get("player") else None)
    last = noes.filter(at__gt=timezone.now() - NO_HOLDS).first()
    if last is not None:
        until = date_format(timezone.localdate(last.at + NO_HOLDS), "SHORT_DATE_FORMAT")
        text = _("%(email)s said no. Until %(day)s, only an invitation link reaches them.")
        raise Refusal(text % {"email": email, "day": until}, code="declined")
    club.role_offers.filter(email__iexact=email).delete()
    if club.role_offers.waiting().filter(user=None).count() >= MOST_OFFERS:
        raise Refusal(_("50 offers are waiting. Withdraw one first."), code="offers")
    lately = Audit.objects.filter(by=by, at__gt=timezone.now() - datetime.timedelta(hours=1))
    if lately.filter(action__in=("member.offered", "player.offered")).count() >= AN_HOUR:
        raise Refusal(
            _("You made %(n)s offers in the last hour. Go on later.") % {"n": AN_HOUR},
            code="offers",
            status=429,
        )
    return RoleOffer.objects.create(club=club, email=email, role=role, by=by, **more)


@transaction.atomic
def offer_role(*, club: Club, email: str, role: str, by: User) -> RoleOffer | Membership | None:
    """Offer a role to the owner of `email`, or lower a member's role; return None if lowered.

    A member is returned who has the role already, or whose owner's role is lowered after `NOTICE`.

    Nobody gets a role, or a higher one, without accepting it. A new offer replaces the old one. The
    result does not reveal whether the email has an account.
    """
    email = email.strip().lower()
    club = locks.club(club.pk)
    if role != Membership.Role.OWNER:
        clubs.refuse_held(club)
    member = club.memberships.filter(user__email__iexact=email).select_related("user").first()
    if member is not None and of_role(member.role) >= of_role(role):
        _check_an_owner_stays(member, role)
        if role != OWNER and _waits(member, by, role):
            return member
        club.role_offers.filter(email__iexact=email).delete()
        was = member.role
        _lower(member, role, by)
        return member if was == role else None
    waiting = club.role_offers.filter(email__iexact=email).first()
    asks = {"player": waiting.player, "user": waiting.user} if waiting is not None else {}
    offer = _offer(club, email, role, by, **asks)
    audit.log("member.offered", club=club, by=by, offer=offer.pk, role=role)
    return offer


@transaction.atomic
def withdraw_offer(*, club: Club, offer_id: int, by: User) -> None:
    """Withdraw an open offer; does nothing if it is gone. Nothing keeps its address then."""
    offer = club.role_offers.filter(pk=offer_id).first()
    if offer is not None:
        audit.log("member.offer_withdrawn", club=club, by=by, offer=offer.pk, role=offer.role)
        erasures.note("offer", offer)
        offer.delete()


@transaction.atomic
def accept_offer(*, offer: RoleOffer, user: User, shows_ways: bool = False) -> Membership:
    """Give the account the offered role; never lowers a role. Link it to the offer's player.

    Refusal `over` if the offer was withdrawn or expired, `unverified` if the server sends mail and
    the account's email is not verified. The phone that held the club loses it.
    """
    over = Refusal(_("This offer is no longer valid. Ask for a new one."), code="over")
    try:
        club = locks.club(offer.club_id)
    except Club.DoesNotExist:  # A held club was swept.
        raise over from None
    found = or_raise(RoleOffer.objects.to(user).filter(pk=offer.pk).first(), over)
    verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    if settings.HAS_MAIL and found.user_id is None and not verified.exists():
        raise Refusal(
            _("Verify your email address first: open the link in the email we sent you."),
            code="unverified",
        )
    found.delete()
    member = club.memberships.filter(user=user).first()
    if member is None or of_role(member.role) < of_role(found.role):
        member, _new = Membership.objects.update_or_create(
            club=club,
            user=user,
            defaults={
                "role": found.role,
                "owner_since": timezone.now() if found.role == OWNER else None,
            },
        )
        audit.log("member.accepted", club=club, by=user, role=found.role)
        if found.player is None or found.role != Membership.Role.PLAYER:
            note(Kind.ROLE_TAKEN, user, club=club.name)
    if found.player is not None:
        player = found.player.merged_into or found.player
        players.take_player(player=player, user=user, shows_ways=shows_ways)
    if club.held_until is not None:
        club.memberships.exclude(user=user).delete()  # The stand-in of its phone.
        set_columns(club, held_by="", second_by="", held_until=None)
        audit.log("club.kept", club=club, by=user)
    return member


@transaction.atomic
def decline_offer(*, offer: RoleOffer, user: User) -> None:
    """Decline an offered role, and log it."""
    for found in RoleOffer.objects.to(user).filter(pk=offer.pk):
        _decline(found, user)


@transaction.atomic
def decline_offers(*, user: User) -> None:
    """Decline all that clubs offer the account."""
    for offer in RoleOffer.objects.to(user):
        _decline(offer, user)


def _decline(offer: RoleOffer, user: User) -> None:
    offer.delete()
    audit.log(
        "member.declined", club=offer.club, by=user, role=offer.role, player=offer.player_id
    )  # fmt: skip


def _lower(member: Membership, role: str, by: User | None) -> None:
    old, was_ending = member.role, member.ends_at is not None
    set_columns(member, role=role, ends_at=None)
    club = member.club
    if old != role or was_ending:
        audit.log("member.role", club=club, by=by, user=member.user_id, role=role, old=old)
    if old != role:
        note(Kind.ROLE_LOWERED, member.user, by=by, club=club.name)


@transaction.atomic
def remove_member(*, member: Membership, by: User) -> bool:
    """Remove a member, and revoke the invitation links by which they could return.

    Return False for an owner of longer standing than `by`, who is told and stays for `NOTICE`.
    Refusal `owner` for the last owner.
    """
    club = locks.club(member.club_id)
    _check_an_owner_stays(member, None)
    if _waits(member, by, ""):
        return False
    _remove(member, by, club)
    return True


@transaction.atomic
def stop_ending(*, member: Membership) -> None:
    """Keep, as the owner concerned, a role that another owner ends: an administrator decides."""
    locks.club(member.club_id)
    if Membership.objects.filter(pk=member.pk, ends_at__isnull=False).update(
        ends_at=None, stopped_at=timezone.now()
    ):
        audit.log("member.ending_stopped", club=member.club, by=member.user)
        ending_stopped.send(Membership, member=member)


def end_due(now: datetime.datetime) -> None:
    """End the owners' roles whose notice is over, but for a club's last owner."""
    for pk in list(Membership.objects.filter(ends_at__lte=now).values_list("pk", flat=True)):
        with transaction.atomic(), suppress(Refusal):
            found = Membership.objects.select_related("club", "user", "ends_by").filter(pk=pk)
            member = found.first()
            if member is not None:
                club = locks.club(member.club_id)
                member = found.filter(ends_at__lte=now).first()
            if member is not None:
                _check_an_owner_stays(member, member.ends_as or None)
                if member.ends_as:
                    _lower(member, member.ends_as, member.ends_by)
                else:
                    _remove(member, member.ends_by, club)


def _waits(member: Membership, by: User, role: str) -> bool:
    """Return whether an owner's role ends only after `NOTICE`, and tell the owner.

    Refusal `stopped` where they stopped it before.
    """
    own = member.club.memberships.filter(user=by, role=OWNER).first()
    if (
        member.role != OWNER
        or own is None
        or by.is_superuser
        or _standing(member) >= _standing(own)
    ):
        return False
    if member.stopped_at is not None:
        raise Refusal(
            _("They stopped this before. Ask the administrator of the server."), code="stopped"
        )
    if member.ends_at is None:
        set_columns(member, ends_at=timezone.now() + NOTICE, ends_by=by, ends_as=role)
        audit.log("member.ending", club=member.club, by=by, user=member.user_id)
        note(Kind.OWNER_ENDING, member.user, by=by, club=member.club.name)
    return True


def _standing(owner: Membership) -> tuple[datetime.datetime, int]:
    """Return what orders owners, those of longer standing first."""
    return owner.owner_since or datetime.datetime.min.replace(tzinfo=datetime.UTC), owner.pk


def _remove(member: Membership, by: User | None, club: Club) -> None:
    _end(member, by)
    may_be_known = Q(max_uses=None) | Q(by=member.user_id)
    alive_or_asleep = Q(revoked_at=None) | Q(revoked_at=club.closed_at)
    links = club.links.filter(may_be_known, alive_or_asleep, purpose=Link.Purpose.INVITATION)
    links.update(revoked_at=timezone.now())
    audit.log("member.removed", club=club, by=by, user=member.user_id, role=member.role)


@transaction.atomic
def leave_club(*, member: Membership) -> None:
    """Leave the club; Refusal `owner` for its last owner."""
    club = locks.club(member.club_id)
    _check_an_owner_stays(member, None)
    _end(member, member.user)
    audit.log("member.left", club=club, by=member.user, role=member.role)


def _end(member: Membership, by: User | None) -> None:
    """End a role, with the link to the account's player and the club's news to the account."""
    club, user = member.club, member.user
    member.delete()
    for player in Player.everything.filter(club=club, user=user):
        set_columns(player, user=None)
        former_ways.end_of(player)
        audit.log("player.account_removed", club=club, by=by, player=player.pk, user=user.pk)
        account_unlinked.send(Player, player=player, user=user)
    theirs = Q(user=user) | Q(channel__user=user)
    club.news.filter(theirs, state=NewsItem.State.WAITING).delete()
    note(Kind.ROLE_ENDED, user, by=by, club=club.name)


def _check_an_owner_stays(member: Membership, role: str | None) -> None:
    if member.role != Membership.Role.OWNER or role == Membership.Role.OWNER:
        return
    others = member.club.memberships.filter(role=Membership.Role.OWNER).exclude(pk=member.pk)
    if not member.club.closed_at and not others.exists():
        raise Refusal(
            _("A club needs an owner. Make someone else an owner first, or close the club."),
            code="owner",
        )
