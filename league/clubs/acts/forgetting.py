"""Erase a person's name and email from all stored data, including the logs.

Results, money and log entries stay, so that standings and zero sums stay valid.
"""

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django.db import connection, models, transaction

from accounts.models import User
from league.clubs.signals import words_forgotten
from league.models import (
    Adjustment,
    Audit,
    Club,
    Dispute,
    NewsItem,
    Player,
    Posting,
    Result,
    Sitting,
)

GONE = "—"
Mask = Callable[[str], str]

# Free-text fields about people, each with the lookup path to its club.
WRITTEN: list[tuple[type[models.Model], str, str]] = [
    (Adjustment, "reason", "season__club"),
    (Posting, "note", "season__club"),
    (Result, "reason", "sitting__round__event__season__club"),
    (Dispute, "note", "sitting__round__event__season__club"),
    (Dispute, "reason", "sitting__round__event__season__club"),
    (Sitting, "call_note", "round__event__season__club"),
    (NewsItem, "data", "club"),
    (NewsItem, "body", "club"),
]


@transaction.atomic
def forget_words(*, clubs: Iterable[Club], words: Iterable[str]) -> None:
    """Replace these names and addresses by a dash in the clubs' texts and logs.

    Only whole words match. The logs refuse every other change; migration 0100 allows this one.
    """
    wanted = sorted({word.strip() for word in words if word.strip()}, key=len, reverse=True)
    if not wanted:
        return
    whole = re.compile(
        rf"(?<![\w@.])(?:{'|'.join(map(re.escape, wanted))})(?![\w@])", re.IGNORECASE
    )
    mask = partial(whole.sub, GONE)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'on'")
    for club in clubs:
        for model, field, path in WRITTEN:
            _rewrite(model._default_manager.filter(**{path: club}), field, wanted, mask)
        _rewrite(Audit.objects.filter(club=club), "data", wanted, mask)
        words_forgotten.send(Club, club=club)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'off'")


def names_ever(player: Player) -> set[str]:
    """Return the player's current name and all former ones in the log."""
    renamed = Audit.objects.filter(
        club=player.club_id, action="player.renamed", data__player=player.pk
    )
    logged = renamed.values_list("data", flat=True)
    earlier = {str(data[key]) for data in logged for key in ("old", "new") if data.get(key)}
    return earlier | {player.name}


def emails_of(user: User) -> set[str]:
    """Return all email addresses of an account."""
    return {user.email, *user.emailaddress_set.values_list("email", flat=True)}  # type: ignore[attr-defined]


def _rewrite(
    rows: models.QuerySet[Any], field: str, words: list[str], mask: Mask, *, at_once: int = 500
) -> None:
    """Mask the words in a column, in the rows that contain one of them."""
    holds = models.Q()
    for word in words:
        for form in {word, word.lower(), word.upper(), word.title()}:
            as_json = json.dumps(form, ensure_ascii=False)[1:-1] if field == "data" else form
            holds |= models.Q(**{f"{field}__icontains": as_json})
    for row in rows.filter(holds).order_by("pk").iterator(chunk_size=at_once):
        before = getattr(row, field)
        after = _masked(before, mask)
        if after != before:
            type(row)._default_manager.filter(pk=row.pk).update(**{field: after})


def _masked(value: Any, mask: Mask) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_masked(one, mask) for one in value]
    if isinstance(value, dict):
        return {key: _masked(one, mask) for key, one in value.items()}
    return value
