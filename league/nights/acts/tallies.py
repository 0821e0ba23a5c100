"""Tallies: counts of placings for the standings, which results can rebuild at any time."""

from collections import Counter

from django.db import connection

from league.base.acts import locks
from league.models import Event, Placing, Result, Sitting, Tally


def rebuild_sitting(*, sitting: Sitting, event: Event) -> None:
    """Recount the games of one table from its current results."""
    Tally.objects.filter(event=event, sitting=sitting).delete()
    counts = Counter(
        Placing.objects.filter(result__sitting=sitting, result__current=True).values_list(
            "entrant_id", "size", "rank", "tied"
        )
    )
    Tally.objects.bulk_create(
        Tally(
            event=event,
            sitting=sitting,
            entrant_id=entrant,
            size=size,
            rank=rank,
            tied=tied,
            games=games,
        )
        for (entrant, size, rank, tied), games in counts.items()
    )


_ADD = f"""
    WITH counted AS (
        INSERT INTO league_tally (event_id, sitting_id, entrant_id, size, rank, tied, games)
        SELECT %(event)s, %(sitting)s, entrant_id, size, rank, tied, 1
        FROM league_placing WHERE result_id = %(result)s AND NOT %(held)s
        ON CONFLICT (event_id, sitting_id, entrant_id, size, rank, tied)
        DO UPDATE SET games = league_tally.games + 1
    ), shown AS ({locks.SHOW_IF_FREE} RETURNING 1)
    UPDATE league_sitting SET version = version + 1 WHERE id = %(sitting)s
    RETURNING version, EXISTS (SELECT FROM shown)
"""


def add_game(*, result: Result, event: Event) -> None:
    """Count the first version of a game, and show the change of its table and of the event."""
    keys = {"event": event.pk, "sitting": result.sitting_id, "result": result.pk}
    with connection.cursor() as cursor:
        cursor.execute(_ADD, keys | {"held": result.held})
        result.sitting.version, is_shown = cursor.fetchone()
    if not is_shown:
        locks.show_change(event)


_COUNTS = """
    INSERT INTO league_tally (event_id, sitting_id, entrant_id, size, rank, tied, games)
    SELECT n.event_id, r.sitting_id, p.entrant_id, p.size, p.rank, p.tied, count(*)
    FROM league_round n
    JOIN league_sitting s ON s.round_id = n.id
    JOIN league_result r ON r.sitting_id = s.id AND r.current
    JOIN league_placing p ON p.result_id = r.id
    WHERE n.event_id = %s AND n.status = 'released'
    GROUP BY 1, 2, 3, 4, 5, 6
"""


def rebuild_event(*, event: Event) -> None:
    """Recount a whole night from its current results, in the database."""
    Tally.objects.filter(event=event).delete()
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [event.pk])
