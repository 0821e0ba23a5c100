"""Idempotent requests: carried out once per key, and answered alike when repeated."""

import datetime
from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from tables.base.columns import set_columns
from tables.models import SentRequest
from tables.refusals import TableRefusal

KEPT = datetime.timedelta(days=1)


class Answered(NamedTuple):
    """The response to a request; `again` marks a stored one that was not carried out again."""

    status: int
    body: Any
    again: bool = False


class NotDone(Exception):
    """Raised by a refused request: its changes are rolled back, and its key is free again."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer


@transaction.atomic
def once(
    *, user: User, key: str, digest: str, do: Callable[[], Answered], keep: bool = True
) -> Answered:
    """Return the response of `do`; for the same key later, the stored one.

    Concurrent requests with one key wait for each other. Without `keep` a repeated request runs
    `do` again, which must recognise its own result. Raises `TableRefusal` if the key was used with
    another digest.
    """
    sent, new = SentRequest.objects.get_or_create(user=user, key=key, defaults={"digest": digest})
    if sent.digest != digest:
        raise TableRefusal("key_reused", status=409)
    if not new and keep:
        return Answered(sent.status or 200, sent.answer, again=True)
    answer = do()
    if keep:
        set_columns(sent, status=answer.status, answer=answer.body)
    return answer


def sweep(now: datetime.datetime) -> int:
    """Delete requests older than a day; return their number."""
    return SentRequest.objects.filter(at__lt=now - KEPT).delete()[0]
