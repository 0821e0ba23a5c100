"""Offer, accept, remove and give up roles in a club."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.base.rights import of_role
from league.clubs.acts import clubs
from league.models import Club, Link, Membership, RoleOffer
from tables.refusals import Refusal

MOST_OFFERS = 50
"""The most open offers per club."""


@transaction.atomic
def offer_role(*, club: Club, email: str, role: str, by: User) -> RoleOffer | None:
    """Offer a role to the owner of `email`, or lower a member's role; return None if lowered.

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
        club.role_offers.filter(email__iexact=email).delete()
        old, member.role = member.role, role
        member.save(update_fields=["role"])
        audit.log("member.role", club=club, by=by, email=email, role=role, old=old)
        return None
    club.role_offers.filter(email__iexact=email).delete()
    if club.role_offers.waiting().count() >= MOST_OFFERS:
        raise Refusal(_("50 offers are waiting. Withdraw one first."), code="offers")
    offer = RoleOffer.objects.create(club=club, email=email, role=role, by=by)
    audit.log("member.offered", club=club, by=by, email=email, role=role)
    return offer


@transaction.atomic
def withdraw_offer(*, club: Club, offer_id: int, by: User) -> None:
    """Withdraw an open offer; does nothing if it is gone."""
    offer = club.role_offers.filter(pk=offer_id).first()
    if offer is not None:
        offer.delete()
        audit.log("member.offer_withdrawn", club=club, by=by, email=offer.email, role=offer.role)


@transaction.atomic
def accept_offer(*, offer: RoleOffer, user: User) -> Membership:
    """Give the account the offered role; never lowers a role.

    Refusal `over` if the offer was withdrawn or expired, `unverified` if the server sends mail and
    the account's email is not verified. The phone that held the club loses it.
    """
    over = Refusal(_("This offer is no longer valid. Ask for a new one."), code="over")
    try:
        club = locks.club(offer.club_id)
    except Club.DoesNotExist:  # A held club was swept.
        raise over from None
    found = RoleOffer.objects.to(user).filter(pk=offer.pk).first()
    if found is None:
        raise over
    verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    if settings.HAS_MAIL and not verified.exists():
        raise Refusal(
            _("Verify your email address first: open the link in the email we sent you."),
            code="unverified",
        )
    found.delete()
    member = club.memberships.filter(user=user).first()
    if member is None or of_role(member.role) < of_role(found.role):
        member, _new = Membership.objects.update_or_create(
            club=club, user=user, defaults={"role": found.role}
        )
        audit.log("member.accepted", club=club, by=user, email=user.email, role=found.role)
    if club.held_until is not None:
        club.memberships.exclude(user=user).delete()  # The stand-in of its phone.
        club.held_by, club.held_until = "", None
        club.save(update_fields=["held_by", "held_until"])
        audit.log("club.kept", club=club, by=user, email=user.email)
    return member


@transaction.atomic
def decline_offer(*, offer: RoleOffer, user: User) -> None:
    """Decline an offered role, and log it."""
    for found in RoleOffer.objects.to(user).filter(pk=offer.pk):
        found.delete()
        audit.log("member.declined", club=found.club, by=user, email=user.email, role=found.role)


@transaction.atomic
def remove_member(*, member: Membership, by: User) -> None:
    """Remove a member, and revoke the invitation links by which they could return.

    Refusal `owner` for the last owner.
    """
    club = locks.club(member.club_id)
    _check_an_owner_stays(member, None)
    member.delete()
    may_be_known = Q(max_uses=None) | Q(by=member.user_id)
    links = club.links.filter(may_be_known, purpose=Link.Purpose.INVITATION, revoked_at=None)
    links.update(revoked_at=timezone.now())
    audit.log("member.removed", club=club, by=by, email=member.user.email, role=member.role)


@transaction.atomic
def leave_club(*, member: Membership) -> None:
    """Leave the club; Refusal `owner` for its last owner."""
    club = locks.club(member.club_id)
    _check_an_owner_stays(member, None)
    member.delete()
    audit.log("member.left", club=club, by=member.user, email=member.user.email, role=member.role)


def _check_an_owner_stays(member: Membership, role: str | None) -> None:
    if member.role != Membership.Role.OWNER or role == Membership.Role.OWNER:
        return
    others = member.club.memberships.filter(role=Membership.Role.OWNER).exclude(pk=member.pk)
    if not member.club.closed_at and not others.exists():
        raise Refusal(
            _("A club needs an owner. Make someone else an owner first, or close the club."),
            code="owner",
        )
