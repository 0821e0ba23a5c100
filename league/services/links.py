"""Secret links: for the entry at a table of a round, and for invitations into a club."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from league.models import Event, Link, Sitting
from league.services import audit, events

LENGTH = 26  # base32 letters: 130 bits, which nobody guesses


def secret_of(link: Link) -> str:
    """The secret part of a link's address, the same each time."""
    return _secret(link.nonce)


def make_for_tables(*, sittings: Iterable[Sitting], event: Event, by: User | None) -> None:
    """A link for the entry at each of these tables."""
    Link.objects.bulk_create(
        new(club=event.season.club, purpose=Link.Purpose.TABLE, sitting=sitting, by=by)
        for sitting in sittings
    )


@transaction.atomic
def renew_for_table(*, sitting: Sitting, by: User) -> Link:
    """A new link for a table; the one before it stops working at once."""
    sitting, event = events.lock_table(sitting.pk)
    sitting.links.filter(revoked_at=None).update(revoked_at=timezone.now())
    make_for_tables(sittings=[sitting], event=event, by=by)
    audit.log("link.renewed", club=event.season.club, by=by, event=event, sitting=sitting.pk)
    return sitting.links.get(revoked_at=None)


@transaction.atomic
def renew_for_check_in(*, event: Event, by: User) -> Link:
    """A link by which people check themselves in; the one before it stops working at once."""
    event = events.lock(event.pk)
    event.links.filter(revoked_at=None).update(revoked_at=timezone.now())
    link = new(club=event.season.club, purpose=Link.Purpose.CHECK_IN, event=event, by=by)
    link.save()
    audit.log("link.renewed", club=event.season.club, by=by, event=event, purpose="check_in")
    return link


def find_check_in(secret: str) -> Link | None:
    """The check-in link that this secret opens, while its event is open."""
    link = alive(secret, Link.Purpose.CHECK_IN)
    return link if link is not None and link.event is not None and link.event.is_open else None


def alive(secret: str, purpose: str) -> Link | None:
    """The link of that purpose with this secret, unless it is over."""
    found = Link.objects.alive().filter(purpose=purpose, secret_hash=_hash(secret))
    related = ("club", "player__merged_into", "event__season__club", "event__ruleset")
    return found.select_related(*related).first()


def find_table(secret: str) -> Link | None:
    """The link of a table that this secret opens now.

    It stops with the event, and as soon as a later round is released.
    """
    link = (
        Link.objects.alive()
        .filter(purpose=Link.Purpose.TABLE, secret_hash=_hash(secret))
        .select_related(
            "club",
            "sitting__round__event__season__club",
            "sitting__round__event__ruleset",
            "sitting__round__event__run",
        )
        .first()
    )
    if link is None or link.sitting is None:
        return None
    round_ = link.sitting.round
    later = round_.event.rounds.filter(number__gt=round_.number, status="released")
    if round_.status != "released" or not round_.event.is_open or later.exists():
        return None
    return link


def is_known(secret: str) -> bool:
    """Whether any link, dead or alive, has this secret: who holds an old card does not guess."""
    return Link.objects.filter(secret_hash=_hash(secret)).exists()


def new(**values: Any) -> Link:
    """A link with a fresh secret, not yet saved."""
    nonce = secrets.token_hex(16)
    return Link(nonce=nonce, secret_hash=_hash(_secret(nonce)), **values)


def _secret(nonce: str) -> str:
    digest = salted_hmac("league.link", nonce, algorithm="sha256").digest()
    return base64.b32encode(digest).decode()[:LENGTH].lower()


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
