"""Create, change, publish, close and reopen clubs."""

import datetime
import re
import unicodedata

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import zones
from accounts.models import User
from accounts.security_log import Kind, note
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain import names
from league.base.phone_keys import key_of
from league.clubs.facts.search import that_played
from league.clubs.signals import club_closed, published, zone_changes
from league.models import (
    Account,
    Club,
    ClubTable,
    Event,
    LiveTable,
    Membership,
    Posting,
    Schedule,
    Season,
    Transfer,
)
from league.models.shown_names import NameStyle
from tables.base import currencies, words
from tables.base.columns import set_columns
from tables.base.places import find, place_of
from tables.base.row_locks import take
from tables.models import Upload
from tables.refusals import Refusal

RESERVED = {"new", "import"}
"""Addresses below /clubs/ of other pages."""
TRIES = 5
UNPLAYED = 5
"""The most open clubs of an account in which no night with games was closed yet."""
HELD_FOR = datetime.timedelta(days=30)
ASLEEP_FOR = datetime.timedelta(days=30)
"""How long a closed club's links and offers sleep."""
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
    return currencies.paid_with(place_of(time_zone).currency) or _("chips")


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


def _refuse_same_look(name: str, club: Club | None = None) -> None:
    """Refuse the name of another public club, as one reads it: its town tells them apart."""
    look = words.name_shape(name)
    others = Club.objects.public().exclude(pk=club.pk if club else 0)
    if any(words.name_shape(other) == look for other in others.values_list("name", flat=True)):
        raise Refusal(
            _("There is already a public club called %(name)s. Add your town to the name."),
            params={"name": name},
            field="name",
        )


def _refuse_many(user: User) -> None:
    """Refuse more than `UNPLAYED` clubs at once in which nobody played yet."""
    take(User.objects.all(), user.pk)
    own = Membership.objects.filter(user=user, role=Membership.Role.OWNER).values("club")
    clubs = Club.objects.filter(pk__in=own, closed_at=None)
    if clubs.count() - that_played(clubs).count() >= UNPLAYED:
        raise Refusal(
            _("You have %(n)s clubs in which no night was closed yet. Play in one of them first."),
            params={"n": UNPLAYED},
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

    Its language is by default that of the person. `held_by` names the phone that owns it
    without an account for `HELD_FOR`.
    """
    _check_time_zone(time_zone)
    name = texts.new_title(name)
    _refuse_twin(name)
    if not held_by and not by.is_superuser:
        _refuse_many(by)
    if is_public:
        _refuse_same_look(name)
    unit = currencies.unit_of(unit, [place_of(time_zone).currency])
    club = Club(name=name, time_zone=time_zone, unit=unit, is_public=is_public, held_by=held_by)
    club.place, club.language = place, language or get_language() or settings.LANGUAGE_CODE
    club.held_until = timezone.now() + HELD_FOR if held_by else None
    _save_under_own_address(club)
    set_columns(club, held_by=key_of(held_by, club.pk))
    Membership.objects.create(
        club=club, user=by, role=Membership.Role.OWNER, owner_since=timezone.now()
    )
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
    language: str = "",
    embed_hosts: str = "",
    place: str = "",
) -> Club:
    """Change the club's name, time zone, unit, language and embedding sites; its address stays.

    `language` and `place`, what its clock is called, are "" to keep them. `embed_hosts` are the
    sites that may show its standings in a frame. Another unit is for seasons to come (`count_in`).
    Refusal `stale` if the club is no longer as the given one.
    """
    _check_time_zone(time_zone)
    if time_zone != club.time_zone:
        zone_changes.send(Club, club=club, zone=time_zone, by=by)
    given, club = club, locks.club(club.pk)
    name = texts.new_title(name, [club.name])
    if name != club.name:
        _refuse_twin(name)
        if club.is_public:
            _refuse_same_look(name, club)
    if unit == currencies.sign(club.unit):
        unit = club.unit
    else:
        unit = currencies.unit_of(unit, [place_of(time_zone).currency])
    fix_units(club, unit)
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
        "place": place or (club.place if time_zone == club.time_zone else ""),
        "unit": unit,
        "language": language or club.language,
        "embed_hosts": " ".join(dict.fromkeys(hosts)),
    }
    old = {key: getattr(club, key) for key in values}
    if old != {key: getattr(given, key) for key in values}:
        raise Refusal(
            _("This has changed since you opened it. Reload it and try again."), "stale", status=409
        )
    for key, value in values.items():
        setattr(club, key, value)
    club.full_clean()
    club.save(update_fields=list(values))
    if old != values:
        audit.log("club.changed", club=club, by=by, name=name, old=old)
    return club


@transaction.atomic
def count_in(*, club: Club, unit: str, by: User) -> Club:
    """Count the club's next seasons in another unit; those with money keep theirs."""
    club = locks.club(club.pk)
    if unit != club.unit:
        fix_units(club, unit)
        old, club.unit = club.unit, unit
        club.save(update_fields=["unit"])
        audit.log("club.changed", club=club, by=by, name=club.name, old={"unit": old})
    return club


def fix_units(club: Club, unit: str) -> None:
    """Let the seasons keep the club's unit that have money before it becomes `unit`.

    No amount is converted. A stake is money too where it would mean another sum: 5 đ are not
    5 cents; and at an online table, where people sat down for it.
    """
    if unit == club.unit:
        return
    nights = LiveTable.objects.filter(sitting__round__event__season=OuterRef("pk"), ended_at=None)
    paid = [Transfer.objects.filter(event__season=OuterRef("pk")),
            Posting.objects.filter(season=OuterRef("pk")),
            ClubTable.objects.filter(season=OuterRef("pk"), ended_at=None),
            nights.exclude(table__arrangement__unit="")]  # fmt: skip
    if currencies.exponent(unit) != currencies.exponent(club.unit):
        paid += [Event.objects.filter(season=OuterRef("pk"), stake__gt=0),
                 Schedule.objects.filter(season=OuterRef("pk"), plan__stake__gt=0)]  # fmt: skip
    for rows in paid:
        seasons = Season.everything.filter(Exists(rows), club=club, fixed_unit="")
        seasons.update(fixed_unit=club.unit)


@transaction.atomic
def set_public(
    *, club: Club, by: User, is_public: bool | None, shows_names: str | None = None
) -> Club:
    """Make the club public (without its money) or private; None leaves it.

    `shows_names`: how strangers see names then; None leaves it. Refusal if the club's name looks
    like another public club's, or its results name bots that their authors show to members alone.
    """
    club = locks.club(club.pk)
    if shows_names not in (None, club.shows_names):
        if shows_names not in NameStyle.values:
            raise Refusal(_("This form is incomplete. Reload the page."), code="form")
        set_columns(club, shows_names=shows_names)
        audit.log("club.names", club=club, by=by, form=shows_names)
    if is_public in (None, club.is_public):
        return club
    if is_public:
        refuse_held(club)
        _refuse_twin(club.name)
        _refuse_same_look(club.name, club)
        _refuse_hidden_bots(club)
    set_columns(club, is_public=is_public)
    audit.log("club.published" if is_public else "club.hidden", club=club, by=by)
    if is_public:
        published.send(Club, club=club, by=by)
    return club


def _refuse_hidden_bots(club: Club) -> None:
    """Refuse to show strangers results of bots that members of the club do not show to everyone."""
    played = Event.everything.filter(season__club=club).exclude(run=None)
    names = {bot["name"] for bots in played.values_list("run__bots", flat=True) for bot in bots}
    hidden = Upload.objects.filter(name__in=names, author__memberships__club=club)
    found = hidden.exclude(seen_by=Upload.SeenBy.EVERYONE).order_by("name")
    if found:
        raise Refusal(
            _(
                "Results of the club name bots that only members may see: %(names)s. Ask their "
                "authors to show them to everyone, on the bot's page."
            ),
            code="bots",
            params={"names": ", ".join(bot.name for bot in found[:5])},
        )


@transaction.atomic
def set_on_front(*, club: Club, by: User, is_on: bool) -> None:
    """Choose, as the server's administrator, whether its front page may show the club's nights."""
    if not by.is_superuser:
        raise PermissionDenied
    club = locks.club(club.pk)
    set_columns(club, on_front=is_on)
    audit.log("club.front" if is_on else "club.not_front", club=club, by=by)


def refuse_held(club: Club) -> None:
    """Refuse what a club that no account owns may not do."""
    if club.held_until is not None:
        raise Refusal(_("Keep this club first: add your email."), code="held")


def read_clock(text: str) -> dict[str, str]:
    """Return the `time_zone` and `place` of a place, or of the name of a zone, that keeps it."""
    if text in zones.names():
        return {"time_zone": text}
    _check_time_zone(text if (found := find(text)) is None else found.zone)
    return {} if found is None else {"time_zone": found.zone, "place": found.en}


def _check_time_zone(name: str) -> None:
    if name not in zones.names():
        raise Refusal(
            _("There is no time zone with this name."), code="time_zone", field="time_zone"
        )


@transaction.atomic
def close_club(*, club: Club, by: User) -> None:
    """Close the club: only its owners see it, its links and offers sleep, its schedules pause.

    Its bots' ladder stops. `reopen_club` wakes what it did not let sleep longer than `ASLEEP_FOR`,
    but no schedule and no ladder.
    """
    club = locks.club(club.pk)
    if not club.closed_at:
        _close(club)
        audit.log("club.closed", club=club, by=by)


@transaction.atomic
def stop_club(*, club: Club, by: User, because: str) -> None:
    """Close the club as the server's administrator: its owners are told, and can't reopen it."""
    if not by.is_superuser:
        raise PermissionDenied
    if not (because := " ".join(because.split())[:200]):
        raise Refusal(_("Say why: the owners read it."), field="because")
    club = locks.club(club.pk)
    if not club.closed_at:
        _close(club)
    set_columns(club, stopped_because=because)
    audit.log("club.stopped", club=club, by=by, reason=because)
    for owner in club.memberships.filter(role=Membership.Role.OWNER).select_related("user"):
        note(Kind.CLUB_STOPPED, owner.user, by=by, club=club.name)


def _close(club: Club) -> None:
    set_columns(club, closed_at=timezone.now())
    club.links.filter(revoked_at=None).update(revoked_at=club.closed_at)
    Schedule.objects.filter(season__club=club).update(paused=True, next_at=None)
    club_closed.send(Club, club=club)


@transaction.atomic
def reopen_club(*, club: Club, by: User) -> None:
    """Reopen a closed club; its members keep their roles, and its links for `ASLEEP_FOR`.

    Refusal `stopped` for anyone but an administrator if one closed it.
    """
    club = locks.club(club.pk)
    if club.stopped_because and not by.is_superuser:
        raise Refusal(
            _("The administrator of the server closed this club: %(why)s"),
            code="stopped",
            params={"why": club.stopped_because},
        )
    if club.closed_at:
        asleep = club.links.filter(revoked_at=club.closed_at)
        if timezone.now() - club.closed_at <= ASLEEP_FOR:
            anew = club.links.filter(revoked_at=None, event__isnull=False).values("event")
            asleep.exclude(event__in=anew).update(revoked_at=None)
        else:
            club.role_offers.all().delete()
        set_columns(club, closed_at=None, stopped_because="")
        audit.log("club.reopened", club=club, by=by)
