"""Checks that finished games follow from their logs, deals from their secrets, runs from bots.

Each check yields a sentence for each difference.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from engine.records import deals
from engine.rules.actions import action_from_json
from engine.rules.cards import format_cards
from engine.rules.outcome import outcome, outcome_to_json
from engine.rules.state import OVER
from tables.models import Game, Run, Unit
from tables.runs import runs
from tables.services import mixing, replayed_state, rulesets

Problems = Iterator[str]


def finished_games() -> QuerySet[Game]:
    """Return the finished games by key, with the related rows that a check reads."""
    over = Game.objects.filter(over_at__isnull=False)
    return over.select_related("table__ruleset").prefetch_related("actions").order_by("pk")


def finished_units() -> QuerySet[Unit]:
    """Return the units whose digest can be compared: played, and without a known conflict."""
    return Unit.objects.filter(state=Unit.State.DONE, conflict_digest="").select_related(
        "run__ruleset"
    )


def replayed(game: Game) -> Problems:
    """Replay a finished game from its secret and its log."""
    name = f"table {game.table.key} game {game.no}"
    if deals.fingerprint(game.secret) != game.commitment:
        yield f"{name}: the secret is not the one that was promised"
    if game.dealt != _dealt_by_secret(game):
        yield f"{name}: the hands are not those that the secret deals"
    actions = sorted(game.actions.all(), key=lambda action: action.seq)
    if [action.seq for action in actions] != list(range(1, len(actions) + 1)):
        yield f"{name}: an action is missing in the log"
        return
    try:
        fold = replayed_state.start(game)
        for action in actions:
            fold.apply(action_from_json(action.body))
    except Exception as error:  # A damaged log can raise anything.
        yield f"{name}: the log does not replay: {error}"
        return
    if fold.state.phase != OVER:
        yield f"{name}: the log ends before the game does"
        return
    ends = outcome_to_json(outcome(fold.state))
    if ends != game.outcome:
        yield f"{name}: the log ends with {ends}, kept is {game.outcome}"


def run_digests() -> Problems:
    """Yield the finished runs whose digest is not that of their units."""
    for run in Run.objects.filter(status=Run.Status.DONE).order_by("created_at"):
        if run.digest != runs.digest_of(run):
            yield f"run {run.pk}: its digest is not that of its units"


def same_again(unit: Unit) -> Problems | None:
    """Replay a unit's games; None if a bot has another version on this machine."""
    try:
        digest = runs.play(unit).digest
    except ValueError:
        return None
    if digest == unit.digest:
        return iter(())
    return iter([f"run {unit.run_id} unit {unit.index}: played again it ends differently"])


def _dealt_by_secret(game: Game) -> list[str]:
    hands = deals.hands(
        rulesets.thaw(game.table.ruleset),
        len(game.holders),
        key=mixing.key_of(game),
        table_key=game.table.key,
        game_no=game.no,
        first=game.dealt_first or 0,
    )
    return [format_cards(hand) for hand in hands]
