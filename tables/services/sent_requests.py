"""Requests that carry a key of their own: done once, and answered alike when they come again."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from tables.models import SentRequest
from tables.refusals import TableRefusal

KEPT = datetime.timedelta(days=1)


class Answered(NamedTuple):
    """What was answered; `again` where nothing was done for it this time."""

    status: int
    body: Any
    again: bool = False


class NotDone(Exception):
    """What was asked was refused: nothing of it is kept, and the key is free again."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer


@transaction.atomic
def once(
    *, user: User, key: str, digest: str, do: Callable[[], Answered], keep: bool = True
) -> Answered:
    """Return what `do` answers, and for the same key later what it answered then.

    Two at the same time wait for each other. Without `keep` the same request is carried out
    again: it knows itself what it did. Refusal where the key came with another digest.
    """
    sent, new = SentRequest.objects.get_or_create(user=user, key=key, defaults={"digest": digest})
    if sent.digest != digest:
        raise TableRefusal("key_reused", status=409)
    if not new and keep:
        return Answered(sent.status or 200, sent.answer, again=True)
    answer = do()
    if keep:
        sent.status, sent.answer = answer.status, answer.body
        sent.save(update_fields=["status", "answer"])
    return answer


def sweep() -> int:
    """Forget the requests of more than a day ago; how many there were."""
    return SentRequest.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]
