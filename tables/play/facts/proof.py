"""Checks that finished games follow from their logs, and deals from their secrets.

Each check yields a sentence for each difference.
"""

import datetime
from collections.abc import Iterator

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from engine.records.deals import fingerprint
from engine.rules.outcome import outcome, outcome_to_json
from engine.rules.state import OVER
from tables.models import Game, Table
from tables.play.facts import deals
from tables.play.facts.replayed import as_dealt

Problems = Iterator[str]
COUNTED = datetime.timedelta(days=30)


def promised() -> dict[str, int]:
    """Return how many deals of the last days were dealt, and were promised and never dealt.

    Each table promises one deal more than it plays. `first` are those of tables that never played,
    `begun` those for which players had given parts or could have.
    """
    never = Q(dealt_at=None, table__status=Table.Status.CLOSED)
    recent = Game.objects.filter(table__opened_at__gte=timezone.now() - COUNTED)
    return recent.aggregate(
        dealt=Count("pk", filter=Q(dealt_at__isnull=False)),
        never=Count("pk", filter=never),
        first=Count("pk", filter=never & Q(no=1)),
        begun=Count("pk", filter=never & Q(links__isnull=False)),
    )


def finished_games() -> QuerySet[Game]:
    """Return the finished games by key, with the related rows that a check reads."""
    over = Game.objects.filter(over_at__isnull=False)
    return (
        over.select_related("table__ruleset", "table__arrangement__shared")
        .prefetch_related("actions")
        .order_by("pk")
    )


def replayed(game: Game) -> Problems:
    """Replay a finished game from its secret and its log."""
    name = f"table {game.table.key} game {game.no}"
    if fingerprint(game.secret) != game.commitment:
        yield f"{name}: the secret is not the one that was promised"
    if game.dealt != deals.dealt_by(game, deals.key_of(game)):
        yield f"{name}: the hands are not those that the secret deals"
    actions = sorted(game.actions.all(), key=lambda action: action.seq)
    if [action.seq for action in actions] != list(range(1, len(actions) + 1)):
        yield f"{name}: an action is missing in the log"
        return
    try:
        replayed = as_dealt(game).follow(action.body for action in actions)
    except Exception as error:  # A damaged log can raise anything.
        yield f"{name}: the log does not replay: {error}"
        return
    if replayed.state.phase != OVER:
        yield f"{name}: the log ends before the game does"
        return
    ends = outcome_to_json(outcome(replayed.state))
    if ends != game.outcome:
        yield f"{name}: the log ends with {ends}, kept is {game.outcome}"
