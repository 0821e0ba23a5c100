"""Strengths of accounts at rated tables, fitted to all rated games at once (docs/ratings.md)."""

import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from engine.statistics.strengths import MEAN, MODEL
from tables.models import CountedGame, Game, RatedPlace, TableStrength
from tables.people.facts import ratings

PAUSE = datetime.timedelta(milliseconds=2)
"""The time between two fits for each rated game: about twenty times what a fit takes."""


def note(game: Game) -> None:
    """Queue a finished game for rating, in the transaction that ends it."""
    CountedGame.objects.get_or_create(game=game)


@transaction.atomic
def rate_waiting() -> int:
    """Fit the strengths to all rated games if some wait, and return the number of these."""
    waiting = CountedGame.objects.filter(rated_at=None)
    taken = list(waiting.select_for_update(skip_locked=True, of=("self",)))
    last = TableStrength.objects.filter(model=MODEL).aggregate(at=Max("computed_at"))["at"]
    if last and not taken:
        return 0
    now, counted = timezone.now(), CountedGame.objects.count()
    if not counted or len(taken) < waiting.count() or (last and now < last + PAUSE * counted):
        return 0
    told, seated = ratings.figures()
    names = {one.bot or one.user: one.bot or one.name for one in seated}
    TableStrength.objects.all().delete()
    TableStrength.objects.bulk_create(
        TableStrength(
            **{"bot" if isinstance(key, str) else "user_id": key},
            **figures._asdict(), name=names[key], model=MODEL, computed_at=now,
        )
        for key, figures in told.items()
    )  # fmt: skip
    new = {one.pk for one in taken}
    RatedPlace.objects.bulk_create(
        (
            RatedPlace(
                rated_id=one.game,
                no=one.no,
                user_id=one.user,
                name=one.name,
                rank=one.rank,
                before=MEAN,
                after=MEAN,
                told=told[key].mu if (key := one.bot or one.user) in told else None,
            )
            for one in seated
            if one.game in new
        ),
        ignore_conflicts=True,
    )
    return CountedGame.objects.filter(pk__in=new).update(rated_at=now)


def count_again() -> None:
    """Let the next sweep fit the strengths again, because someone has left the games."""
    last = CountedGame.objects.order_by("-pk").values("pk")[:1]
    CountedGame.objects.filter(pk__in=last).update(rated_at=None)


def mu_of(user: Any) -> float:
    """Return an account's estimated strength; a newcomer has the average."""
    found = TableStrength.objects.filter(user=user).values_list("mu", flat=True).first()
    return MEAN if found is None else found
