"""Clubs and who may run them."""

from __future__ import annotations

import re
import unicodedata
import zoneinfo

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import Account, Club, Membership, Transfer
from league.services import audit, locks

RESERVED = {"new", "import"}
"""Addresses below /clubs/ that are pages of their own."""
TRIES = 5


def _slug(name: str) -> str:
    """A readable, unused address for `name`: "Hội Bạn Già" gives "hoi-ban-gia"."""
    plain = unicodedata.normalize("NFKD", name.replace("đ", "d").replace("Đ", "D"))
    base = re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode().lower())
    base = base.strip("-")[:50] or "club"
    taken = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= RESERVED
    if base not in taken:
        return base
    return next(f"{base}-{n}" for n in range(2, len(taken) + 3) if f"{base}-{n}" not in taken)


def _save_under_own_address(club: Club) -> None:
    """Saves a new club; another address where somebody takes the first one at the same time."""
    for tries_left in reversed(range(TRIES)):
        club.slug = _slug(club.name)
        try:
            with transaction.atomic():
                club.save(force_insert=True)
                return
        except IntegrityError:
            if not tries_left:
                raise


@transaction.atomic
def create_club(*, name: str, by: User, time_zone: str, unit: str, is_public: bool = True) -> Club:
    """A new club with `by` as its owner and an account of its own in its ledger."""
    _check_time_zone(time_zone)
    club = Club(name=name, time_zone=time_zone, unit=unit, is_public=is_public)
    _save_under_own_address(club)
    Membership.objects.create(club=club, user=by, role=Membership.Role.OWNER)
    Account.objects.create(club=club)
    audit.log("club.created", club=club, by=by, name=name)
    return club


@transaction.atomic
def change_club(
    *, club: Club, by: User, name: str, time_zone: str, unit: str, is_public: bool
) -> Club:
    """The club with another name, clock, unit or door; its address stays.

    ValidationError on `unit` once something was paid in the one that it has.
    """
    _check_time_zone(time_zone)
    club = locks.club(club.pk)
    if unit != club.unit and Transfer.objects.filter(payer__club=club).exists():
        raise ValidationError(
            {"unit": _("Games were paid in %(unit)s already.") % {"unit": club.unit}}
        )
    values = {"name": name, "time_zone": time_zone, "unit": unit, "is_public": is_public}
    old = {key: getattr(club, key) for key in values}
    for key, value in values.items():
        setattr(club, key, value)
    club.full_clean()
    club.save(update_fields=list(values))
    if old != values:
        audit.log("club.changed", club=club, by=by, name=name, public=is_public, old=old)
    return club


def _check_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError({"time_zone": _("No time zone has this name.")}, code="time_zone")


@transaction.atomic
def set_role(*, club: Club, email: str, role: str, by: User) -> Membership:
    """Gives the account with `email` a role in the club; a club never loses its last owner."""
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None:
        raise ValidationError(
            {"email": _("Nobody with this email has an account here yet: let them sign up first.")},
            code="unknown",
        )
    locks.club(club.pk)
    owners = club.memberships.filter(role=Membership.Role.OWNER).exclude(user=user)
    if role != Membership.Role.OWNER and not owners.exists():
        raise ValidationError(_("A club needs an owner: make somebody else owner first."))
    before = club.memberships.filter(user=user).first()
    membership, _created = Membership.objects.update_or_create(
        club=club, user=user, defaults={"role": role}
    )
    old = before and before.role
    audit.log("member.role", club=club, by=by, email=user.email, role=role, old=old)
    return membership
