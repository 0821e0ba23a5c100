"""Tallies: counts of placings for the standings, which results can rebuild at any time.

A version of a game adds its placings as it becomes current, in the statement that stores it
(`nights.acts.results`), and takes them back when a correction replaces it.
"""

from django.db import connection

from league.models import Event, Result, Tally

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
_TAKE_BACK = """
    WITH counted AS (
        SELECT t.id, t.games
        FROM league_placing p
        JOIN league_tally t ON t.sitting_id = %(sitting)s AND t.entrant_id = p.entrant_id
            AND t.size = p.size AND t.rank = p.rank AND t.tied = p.tied
        WHERE p.result_id = %(result)s
    ), ended AS (
        DELETE FROM league_tally WHERE id IN (SELECT id FROM counted WHERE games = 1)
    )
    UPDATE league_tally SET games = games - 1 WHERE id IN (SELECT id FROM counted WHERE games > 1)
"""


def take_back(result: Result) -> None:
    """Take back what a version that no longer counts has added. The caller locks its table."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE_BACK, {"sitting": result.sitting_id, "result": result.pk})


def rebuild(event: Event) -> None:
    """Recount the night from its current results, in the database."""
    Tally.objects.filter(event=event).delete()
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [event.pk])
