"""Reviews of records that a reader has: nothing is stored of them but in the cache, for a week.

The key of a review follows from the game, its names and the seat, so only who has the record can
find it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext as _

from engine import records
from engine.bots import judge
from engine.records import read
from tables.models import Review
from tables.play.facts.replayed import names_of
from tables.refusals import Refusal
from tables.reviews.acts import making
from tables.signals import record_review_wanted

KEPT = 7 * 24 * 3600
GAME = ("ruleset", "options", "hands", "leader", "previous", "stake", "actions", "players")


@dataclass(frozen=True)
class EnteredGame:
    """A finished game that was entered, and the review of one of its seats."""

    record: dict[str, Any]
    seat: int
    review: Review


def key_of(record: Mapping[str, Any], seat: int) -> str:
    """Return the key of a seat's review, by the present judge; raise `Refusal` without an end."""
    if not records.replay(record)["finished"] or not 0 <= seat < len(record["hands"]):
        wanted = _("The judge needs a game with its end, and one of its seats.")
        raise Refusal(wanted, "no_whole_game", status=422)
    game = [judge.NAME, judge.VERSION, seat, {what: record.get(what) for what in GAME}]
    return sha256(json.dumps(game, sort_keys=True).encode()).hexdigest()


def ask(*, record: Mapping[str, Any], seat: int) -> str:
    """Have a valid record's seat judged by a worker; return the key of its review."""
    key = key_of(record, seat)
    copy = {what: record[what] for what in (*GAME, "format") if what in record}
    copy["players"] = [name.encode("utf-8", "replace").decode() for name in names_of(record)]
    if cache.add(_at(key), {"record": copy, "seat": seat, "state": Review.State.WAITING}, KEPT):
        _send(key)
    return key


def find(key: str) -> EnteredGame | None:
    """Return an entered game; one whose message was lost is sent to the workers again."""
    found = cache.get(_at(key))
    if found is None:
        return None
    if found["state"] == Review.State.WAITING:
        _send(key)
    review = Review(judge=judge.NAME, version=judge.VERSION, state=found["state"])
    review.why, review.body = found.get("why", ""), found.get("body")
    return EnteredGame(found["record"], found["seat"], review)


def make(key: str) -> None:
    """Judge an entered game; all who do come to the same. Without the compiled core, it waits."""
    found = cache.get(_at(key))
    if found is None or found["state"] != Review.State.WAITING:
        return
    started, actions = read.start_of(found["record"]), read.actions_of(found["record"])
    why = judge.why_not(started, actions)
    if why:
        found |= {"state": Review.State.NOT_JUDGED, "why": why}
    elif making.is_ready():
        try:
            body = judge.review(started, actions, [found["seat"]], key, making.EFFORT)
        except Exception:
            cache.set(_at(key), found | {"state": Review.State.NOT_JUDGED, "why": "failed"}, KEPT)
            raise
        found |= {"state": Review.State.MADE, "body": body}
    cache.set(_at(key), found, KEPT)


def _send(key: str) -> None:
    if cache.add(f"review-asked:{key}", 1, making.ASKED_SECONDS):
        record_review_wanted.send(sender=None, key=key)


def _at(key: str) -> str:
    return f"review-entered:{key}"
