"""Puzzles are found in the reviews of open games and checked with many more games; by workers.

Where nobody has played yet, the house's bots play the game.
"""

import datetime
import logging
from collections.abc import Iterable
from contextlib import suppress

from django.core.cache import cache
from django.db import IntegrityError, transaction

from engine.bots import judge, puzzles
from engine.records import read
from engine.rules.ruleset import preset
from tables.base.columns import set_columns
from tables.chairs.acts import arrangements, seats
from tables.chairs.acts.arrangements import Holder
from tables.models import Game, Puzzle, Review, Table
from tables.play.acts import games
from tables.play.facts import archive
from tables.reviews.acts import making
from tables.reviews.facts.choices import state_before

log = logging.getLogger(__name__)

STOCK, LOOKED_AT = 30, 50
HOUSE_RULES, HOUSE_SEATS = "mien-nam", 4
HOUSE_PAUSE = 3600
"""Seconds between two games of the house: one that gives no puzzle is not tried again at once."""


def plan(*, days: Iterable[datetime.date]) -> int:
    """Give each day its puzzle, and find and check others; return how many were checked."""
    checked = 0
    ready = Puzzle.objects.filter(state=Puzzle.State.READY)
    lacking = [day for day in days if not ready.filter(day=day).exists()]
    if ready.filter(day=None).count() < STOCK:
        _find()
        if making.is_ready():
            coming = Puzzle.objects.filter(day=None).exclude(state=Puzzle.State.REFUSED)
            if lacking and not coming.exists():
                _propose_of_house()
            checked = _check_next()
    for day in lacking:
        following = ready.filter(day=None).order_by("pk").first()
        if following is not None:
            # Two planners at once: the day is unique, the second changes nothing.
            with suppress(IntegrityError), transaction.atomic():
                set_columns(following, day=day)
    return checked


def _find() -> None:
    """Propose the best decision of each lately reviewed game whose replays are open to all."""
    reviews = Review.objects.filter(state=Review.State.MADE, game__table__for_anyone=True)
    for review in reviews.filter(game__puzzles=None).order_by("-game")[:LOOKED_AT]:
        best = puzzles.proposed((review.body or {}).get("decisions", []))
        if best:
            Puzzle.objects.get_or_create(
                game_id=review.game_id, step=best["step"], defaults={"decision": best}
            )


def _propose_of_house() -> None:
    """Propose the best decision of a game that four of the house's bots play in one go."""
    if not cache.add("house-game", 1, HOUSE_PAUSE):
        return
    try:
        game = play_of_house()
        record = archive.record(game)
        started, actions = read.start_of(record), read.actions_of(record)
        found = judge.review(started, actions, range(HOUSE_SEATS), str(game.pk), making.EFFORT)
        if best := puzzles.proposed(found["decisions"]):
            Puzzle.objects.create(game=game, step=best["step"], decision=best)
    except Exception:
        log.exception("The house's bots give no puzzle")


@transaction.atomic
def play_of_house() -> Game:
    """Play one game of bots at a table of its own, without a pause, and return it."""
    holders = [Holder(name, bot=seats.HOUSE_BOT) for name in seats.BOT_NAMES[:HOUSE_SEATS]]
    opened = arrangements.arrange_table(
        ruleset=preset(HOUSE_RULES), holders=holders, move_seconds=40, games=1, plays_on=True
    )
    table = games.deal_next(table_id=opened.pk)
    while table.status == Table.Status.PLAYING and games.tick(table):
        table = seats.lock(table.pk)
    return Game.objects.select_related("table__ruleset").exclude(over_at=None).get(table=table)


def _check_next() -> int:
    """Check the oldest proposed puzzle with 20,000 games, and whether the strong bots agree.

    One that cannot be checked is refused, or all others would wait behind it.
    """
    puzzle = (
        Puzzle.objects.filter(state=Puzzle.State.FOUND)
        .select_related("game__table__ruleset")
        .order_by("pk")
        .first()
    )
    if puzzle is None:
        return 0
    state = state_before(archive.record(puzzle.game), puzzle.step)
    try:
        found, refused = puzzles.check(state, puzzle.decision, f"{puzzle.game_id} {puzzle.step}")
    except Exception:
        log.exception("Puzzle %s cannot be checked", puzzle)
        found, refused = {}, "failed"
    set_columns(
        puzzle,
        decision=puzzle.decision | found,
        state=Puzzle.State.REFUSED if refused else Puzzle.State.READY,
    )
    return 1
