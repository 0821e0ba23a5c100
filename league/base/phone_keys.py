"""What the database knows a phone by: a hash of its own in each club, keyed with the server."""

import hashlib
import hmac

from django.conf import settings
from django.db.models import Model
from django.db.models.functions import Length
from django.utils.encoding import force_bytes

from league.models import (
    Claim,
    Club,
    Confirmation,
    Dispute,
    FormerWay,
    Result,
    SignUpAnswer,
)

OLD, OLD_DEVICE = 64, 16
"""Letters of the hash that older releases stored, alike in all clubs, and of its part in games."""
DEVICE = 20
"""Letters of the key that stands beside what a phone entered."""
MOST = 5000
_FIELDS: tuple[tuple[type[Model], str, str], ...] = (
    (Claim, "phone_hash", "event__season__club"),
    (Claim, "asked_by", "event__season__club"),
    (SignUpAnswer, "device", "sign_up__event__season__club"),
    (FormerWay, "phone", "player__club"),
    (Club, "held_by", "pk"),
    (Club, "second_by", "pk"),
)
_DEVICES: tuple[tuple[type[Model], str, str], ...] = (
    (Result, "device", "sitting__round__event__season__club"),
    (Confirmation, "device", "result__sitting__round__event__season__club"),
    (Dispute, "device", "sitting__round__event__season__club"),
)


def keys_of(phone: str, club: int) -> list[str]:
    """Return what the club's rows may know this phone by, first what is stored today.

    Then come those of a secret key before this one, and the hash of an older release.
    """
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS) if phone else ()
    return [_keyed(phone, club, secret) for secret in secrets] + [phone] * bool(phone)


def key_of(phone: str, club: int) -> str:
    """Return what the club stores for this phone, "" for none."""
    return _keyed(phone, club, settings.SECRET_KEY) if phone else ""


def device_of(phone: str, club: int) -> str:
    """Return what stands beside a game that the phone enters, confirms or disputes in the club."""
    return key_of(phone[:OLD_DEVICE], club)[:DEVICE]


def held_clubs(phone: str) -> list[int]:
    """Return the keys of the clubs that the phone holds without an account, or may run for it."""
    columns = ("pk", "held_by", "second_by")
    held = Club.everything.exclude(held_by="").values_list(*columns) if phone else []
    return [club for club, *by in held if {*by} & {*keys_of(phone, club)}]


def key_old_rows() -> int:
    """Store keys in the place of hashes that an older release left; return how many."""
    found = [(*field, OLD, key_of) for field in _FIELDS]
    found += [(*field, OLD_DEVICE, device_of) for field in _DEVICES]
    done = 0
    for model, field, club, letters, keyed in found:
        old = model._base_manager.annotate(letters=Length(field)).filter(letters=letters)
        for pk, phone, of in old.values_list("pk", field, club)[:MOST]:
            same = model._base_manager.filter(pk=pk, **{field: phone})
            done += same.update(**{field: keyed(phone, of)})
    return done


def _keyed(phone: str, club: int, secret: str | bytes) -> str:
    key = b"league.phone_keys " + force_bytes(secret)
    return hmac.digest(key, f"{club} {phone}".encode(), hashlib.sha256).hex()[:48]
