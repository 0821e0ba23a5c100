"""Erase a person's names and emails from what the server wrote, and find them in people's texts.

Results, money and log entries stay, so that standings and zero sums stay valid. What people wrote
stays too, until an organiser decides on each text.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit
from league.base.domain import names
from league.clubs.signals import name_unwanted, words_forgotten
from league.models import (
    Adjustment,
    Audit,
    Club,
    Dispute,
    Erasure,
    Event,
    FormerName,
    HiddenName,
    Mention,
    NewsItem,
    Player,
    Posting,
    Result,
    Roster,
    Schedule,
    Season,
    Sitting,
)
from league.models.spelling import Folded
from tables.base.words import GONE

_OF_NIGHT = "round__event__season__club"
_TEXTS: list[tuple[type[models.Model], str, str]] = [
    (Adjustment, "reason", "season__club"),
    (Audit, "data", "club"),
    (Dispute, "note", f"sitting__{_OF_NIGHT}"),
    (Dispute, "reason", f"sitting__{_OF_NIGHT}"),
    (Event, "name", "season__club"),
    (Event, "venue", "season__club"),
    (Posting, "note", "season__club"),
    (Result, "reason", f"sitting__{_OF_NIGHT}"),
    (Roster, "name", "season__club"),
    (Schedule, "name", "season__club"),
    (Schedule, "venue", "season__club"),
    (Season, "name", "club"),
    (Sitting, "call_note", _OF_NIGHT),
]
_SEARCHED = {
    f"{model._meta.model_name}.{field}": (model, field, path) for model, field, path in _TEXTS
}
NAME = f"{Player._meta.model_name}.name"
TEXTS = _SEARCHED | {NAME: (Player, "name", "club")}
"""What people write in a club: model, column and the path to the club, by kind.

The name of a player waits for a decision where an account that is gone once played as them.
"""
_SAID = {"changed", "name", "note", "reason"}
"""The keys of a log entry that hold what somebody wrote."""
_NAMED = ("email", "into_name", "name", "names", "new", "of_name", "old")
"""The keys that held names in entries of before 1.2, where no key was found for them."""
_OF_PEOPLE = re.compile(
    r"^(player|member|invitation|adjustment|sign_up)\.|^(event\.guest|club\.kept)$"
)


@transaction.atomic
def forget_names(*, clubs: Iterable[Club], known: Collection[str], instead: str = GONE) -> None:
    """Erase these names and addresses where the server wrote them, and note who mentions them.

    An organiser decides on each mention; what the name is replaced by is `instead`.
    """
    known = {word.strip() for word in known} - {"", GONE}
    whole = {names.identity(word) for word in known}
    pattern = names.wanted(known)
    for club in clubs if known else ():
        with _may_rewrite():
            for entry in _with(Audit, "data", "club", club, known):
                data = {
                    key: _unnamed(value, whole) if key in _NAMED else value
                    for key, value in entry.data.items()
                }
                if data != entry.data and _OF_PEOPLE.search(entry.action):
                    Audit.objects.filter(pk=entry.pk).update(data=data)
        for field in ("data", "body"):
            for item in _with(NewsItem, field, "club", club, known):
                if any(sure for _word, sure in names.found_in(str(getattr(item, field)), pattern)):
                    NewsItem.objects.filter(pk=item.pk).delete()
        Mention.objects.bulk_create(_made(club, known, pattern, instead))
        words_forgotten.send(Club, club=club)


@transaction.atomic
def forget_wishes(players: Iterable[Player]) -> None:
    """Erase from the log what was wished in draws for these players."""
    keys = [player.pk for player in players]
    with _may_rewrite():
        for key in keys:
            wishes = Audit.objects.filter(action="player.wishes", data__player=key)
            wishes.update(data={"player": key})


def names_ever(players: Collection[Player]) -> set[str]:
    """Return the players' current, former and hidden names."""
    earlier = [
        set(model._default_manager.filter(player__in=players).values_list("name", flat=True))
        for model in (FormerName, HiddenName)
    ]
    return {player.name for player in players}.union(*earlier)


def emails_of(user: User) -> set[str]:
    """Return all email addresses of an account."""
    return {user.email, *user.emailaddress_set.values_list("email", flat=True)}  # type: ignore[attr-defined]


@transaction.atomic
def ask_about_players(user: User) -> None:
    """Let organisers decide on the names of players who were this account's and are nobody's.

    An account may have been linked to another person's player by mistake, so no name goes unasked.
    """
    was = Audit.objects.filter(action="player.account_removed", data__user=user.pk)
    keys = {entry.data["player"] for entry in was}
    found = Player.objects.people().filter(pk__in=keys, user=None).select_related("club")
    Mention.objects.bulk_create(
        Mention(
            club=player.club,
            kind=NAME,
            key=player.pk,
            words=[player.name],
            is_sure=False,
            instead=_("Player %(number)s") % {"number": player.pk},
        )
        for player in found
        if not player.name.endswith(f" {player.pk}")  # Removed already, in whatever language.
    )


def details_of(*ways: QuerySet[Any]) -> set[str]:
    """Return the account numbers and their holders' names, as people write them in notes."""
    rows = [row for one in ways for row in one.values_list("number", "holder")]
    return {word for row in rows for word in row} - {""}


def written(mentions: Iterable[Mention]) -> dict[int, list[str]]:
    """Return the texts with each mention as they are now, by the mention's key."""
    found = {}
    for kind, (model, field, _path) in TEXTS.items():
        own = [mention for mention in mentions if mention.kind == kind]
        rows = model._base_manager.filter(pk__in=[mention.key for mention in own])
        values = dict(rows.values_list("pk", field)) if own else {}
        for one in own:
            texts = _texts(values.get(one.key))
            found[one.pk] = [text for text in texts if any(word in text for word in one.words)]
    return found


@transaction.atomic
def decide(*, mentions: Collection[Mention], erased: Collection[int], by: User | None) -> None:
    """Erase the names in the mentions with these keys, and leave the other texts as they are."""
    for mention in mentions:
        if mention.pk in erased:
            erase(mention, by=by)
    for club, count in Counter(mention.club for mention in mentions).items():
        gone = sum(mention.pk in erased for mention in mentions if mention.club == club)
        audit.log("club.mentions", club=club, by=by, erased=gone, kept=count - gone)
        words_forgotten.send(Club, club=club)
    Mention.objects.filter(pk__in=[mention.pk for mention in mentions]).delete()


def erase(mention: Mention, *, by: User | None = None) -> None:
    """Replace the name in a text, and list that for a restore; a player's own name is removed."""
    if mention.kind == NAME:
        name_unwanted.send(Player, player=Player.objects.get(pk=mention.key), by=by)
        return
    model, field, _path = TEXTS[mention.kind]
    longest_first = sorted(mention.words, key=len, reverse=True)
    words = re.compile(rf"(?<![\w@])(?:{'|'.join(map(re.escape, longest_first))})(?![\w@])")
    row = model._base_manager.filter(pk=mention.key)
    for before in row.values_list(field, flat=True):
        after = _changed(before, lambda text: words.sub(lambda _found: mention.instead, text))
        with _may_rewrite():
            try:
                with transaction.atomic():
                    row.update(**{field: after})
            except IntegrityError:  # Another team or season is called so.
                row.update(**{field: f"{after} {mention.key}"})
    Erasure.objects.create(kind=mention.kind, key=mention.key, made_at=mention.at)


@contextmanager
def _may_rewrite() -> Iterator[None]:
    """Let texts and logs be changed, which refuse it otherwise; the trigger allows this."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'on'")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'off'")


def _with(
    model: type[models.Model], field: str, path: str, club: Club, known: Iterable[str]
) -> Iterator[Any]:
    """Yield the club's rows that may have one of the names in a column."""
    plain = Folded(Cast(field, models.TextField()))
    has = Q(pk=None)
    for word in names.bare_words(known):
        has |= Q(plain__contains=word)
    rows = model._base_manager.filter(**{path: club}).annotate(plain=plain).filter(has)
    yield from rows.order_by("pk").iterator(chunk_size=500)


def _made(
    club: Club, known: Collection[str], pattern: re.Pattern[str], instead: str
) -> Iterator[Mention]:
    for kind, (model, field, path) in _SEARCHED.items():
        for row in _with(model, field, path, club, known):
            found = list(_mentions(getattr(row, field), pattern))
            if found:
                yield Mention(
                    club=club,
                    kind=kind,
                    key=row.pk,
                    words=sorted({word for word, _is_whole in found}),
                    is_sure=any(is_whole for _word, is_whole in found),
                    instead=instead,
                )


def _mentions(value: Any, pattern: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    for text in _texts(value):
        yield from names.found_in(text, pattern)


def _texts(value: Any) -> list[str]:
    """Return what people wrote in a column."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    _changed(value, note)
    return found


def _changed(value: Any, change: Callable[[str], str], *, is_said: bool = False) -> Any:
    """Return a column's value with what people wrote in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_changed(one, change) for one in value]
    if isinstance(value, dict):
        return {
            key: _changed(one, change, is_said=True) if is_said or key in _SAID else one
            for key, one in value.items()
        }
    return value


def _unnamed(value: Any, whole: Collection[str]) -> Any:
    if isinstance(value, list):
        return [_unnamed(one, whole) for one in value]
    return GONE if isinstance(value, str) and names.identity(value) in whole else value
