"""Create, change, publish, close and reopen clubs."""

import datetime
import re
import unicodedata
import zoneinfo
from functools import cache

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain import names
from league.clubs.signals import zone_changes
from league.models import Account, Club, Membership, Schedule, Transfer
from tables.base import words
from tables.base.places import place_of
from tables.refusals import Refusal

UNITS = {"VND": "đ", "USD": "$", "CAD": "$", "AUD": "$", "EUR": "€", "GBP": "£"}
"""What stakes are counted in where these currencies are paid."""
RESERVED = {"new", "import"}
"""Addresses below /clubs/ of other pages."""
TRIES = 5
HELD_FOR = datetime.timedelta(days=30)
HOST = re.compile(r"https://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?")


def _slug(name: str) -> str:
    """Return a readable, unused address for `name`: "Hội Bạn Già" gives "hoi-ban-gia"."""
    plain = unicodedata.normalize("NFKD", name.replace("đ", "d").replace("Đ", "D"))
    base = re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode().lower())
    base = base.strip("-")[:50] or "club"
    taken = set(Club.everything.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= RESERVED
    if base not in taken:
        return base
    return next(f"{base}-{n}" for n in range(2, len(taken) + 3) if f"{base}-{n}" not in taken)


def _save_under_own_address(club: Club) -> None:
    """Save a new club; retry with another address if a concurrent request takes the first one."""
    for tries_left in reversed(range(TRIES)):
        club.slug = _slug(club.name)
        try:
            with transaction.atomic():
                club.save(force_insert=True)
                return
        except IntegrityError:
            if not tries_left:
                raise


def usual_unit(time_zone: str) -> str:
    """Return the default unit of stakes there; never the word for points."""
    return UNITS.get(place_of(time_zone).currency) or _("chips")


def _refuse_twin(name: str) -> None:
    """Refuse a name that looks like a public club's but uses letters of another alphabet."""
    shape, key = words.shape(name), names.identity(name)
    if shape == key:
        return
    for other in Club.objects.public().values_list("name", flat=True):
        if words.shape(other) == shape and names.identity(other) != key:
            raise Refusal(
                _("Another club's name looks the same: %(name)s. Choose another one."),
                params={"name": other},
                field="name",
            )


@transaction.atomic
def create_club(
    *,
    name: str,
    by: User,
    time_zone: str,
    unit: str,
    is_public: bool = False,
    held_by: str = "",
    place: str = "",
    language: str = "",
) -> Club:
    """Create a club with `by` as its owner and a ledger account for the club.

    Its language is by default that of the person. `held_by` is the hash of the phone that owns it
    without an account for `HELD_FOR`.
    """
    _check_time_zone(time_zone)
    name = texts.new_title(name)
    _refuse_twin(name)
    club = Club(name=name, time_zone=time_zone, unit=unit, is_public=is_public, held_by=held_by)
    club.place, club.language = place, language or get_language() or settings.LANGUAGE_CODE
    club.held_until = timezone.now() + HELD_FOR if held_by else None
    _save_under_own_address(club)
    Membership.objects.create(club=club, user=by, role=Membership.Role.OWNER)
    Account.objects.create(club=club)
    audit.log("club.created", club=club, by=by, name=name)
    return club


@transaction.atomic
def change_club(
    *,
    club: Club,
    by: User,
    name: str,
    time_zone: str,
    unit: str,
    embed_hosts: str = "",
) -> Club:
    """Change the club's name, time zone, unit and embedding sites; its address stays.

    `embed_hosts` are the sites that may show its standings in a frame. Refusal on `unit` if
    payments exist in the current unit.
    """
    _check_time_zone(time_zone)
    if time_zone != club.time_zone:
        zone_changes.send(Club, club=club, zone=time_zone, by=by)
    club = locks.club(club.pk)
    name = texts.new_title(name, [club.name])
    if name != club.name:
        _refuse_twin(name)
    if unit != club.unit and Transfer.objects.filter(payer__club=club).exists():
        raise Refusal(
            _("Games have already been paid in %(unit)s.") % {"unit": club.unit},
            field="unit",
        )
    hosts = embed_hosts.lower().split()
    for host in hosts:
        if not HOST.fullmatch(host):
            raise Refusal(
                _("%(host)s is not a site address. Write it like https://club.example.")
                % {"host": host[:60]},
                field="embed_hosts",
            )
    values = {
        "name": name,
        "time_zone": time_zone,
        "unit": unit,
        "embed_hosts": " ".join(dict.fromkeys(hosts)),
    }
    old = {key: getattr(club, key) for key in values}
    for key, value in values.items():
        setattr(club, key, value)
    club.full_clean()
    club.save(update_fields=list(values))
    if old != values:
        audit.log("club.changed", club=club, by=by, name=name, old=old)
    return club


@transaction.atomic
def set_public(*, club: Club, by: User, is_public: bool) -> Club:
    """Make the club public (without its money) or private.

    Refusal if its name looks like another public club's.
    """
    club = locks.club(club.pk)
    if club.is_public == is_public:
        return club
    if is_public:
        refuse_held(club)
        _refuse_twin(club.name)
    club.is_public = is_public
    club.save(update_fields=["is_public"])
    audit.log("club.published" if is_public else "club.hidden", club=club, by=by)
    return club


@transaction.atomic
def set_on_front(*, club: Club, by: User, is_on: bool) -> None:
    """Choose, as the server's administrator, whether its front page may show the club's nights."""
    if not by.is_superuser:
        raise PermissionDenied
    club = locks.club(club.pk)
    club.on_front = is_on
    club.save(update_fields=["on_front"])
    audit.log("club.front" if is_on else "club.not_front", club=club, by=by)


def refuse_held(club: Club) -> None:
    """Refuse what a club that no account owns may not do."""
    if club.held_until is not None:
        raise Refusal(_("Keep this club first: add your email."), code="held")


@cache
def _time_zones() -> set[str]:
    return zoneinfo.available_timezones()  # Cached: it reads hundreds of files.


def _check_time_zone(name: str) -> None:
    if name not in _time_zones():
        raise Refusal(
            _("There is no time zone with this name."), code="time_zone", field="time_zone"
        )


@transaction.atomic
def close_club(*, club: Club, by: User) -> None:
    """Close the club: only its owners see it, its links are revoked and its schedules paused.

    `reopen_club` restores it, but not its links, role offers or running schedules.
    """
    club = locks.club(club.pk)
    if club.closed_at:
        return
    club.closed_at = timezone.now()
    club.save(update_fields=["closed_at"])
    club.links.filter(revoked_at=None).update(revoked_at=club.closed_at)
    club.role_offers.all().delete()
    Schedule.objects.filter(season__club=club).update(paused=True, next_at=None)
    audit.log("club.closed", club=club, by=by)


@transaction.atomic
def reopen_club(*, club: Club, by: User) -> None:
    """Reopen a closed club; its members keep their roles."""
    club = locks.club(club.pk)
    if club.closed_at:
        club.closed_at = None
        club.save(update_fields=["closed_at"])
        audit.log("club.reopened", club=club, by=by)
