"""Tallies: counts of placings for the standings, which results can rebuild at any time."""

from django.db import connection

from league.models import Event, Sitting, Tally

_COUNTS = """
    INSERT INTO league_tally (event_id, sitting_id, entrant_id, size, rank, tied, games)
    SELECT n.event_id, r.sitting_id, p.entrant_id, p.size, p.rank, p.tied, count(*)
    FROM league_round n
    JOIN league_sitting s ON s.round_id = n.id
    JOIN league_result r ON r.sitting_id = s.id AND r.current
    JOIN league_placing p ON p.result_id = r.id
    WHERE n.event_id = %s AND n.status = 'released' AND s.id = coalesce(%s, s.id)
    GROUP BY 1, 2, 3, 4, 5, 6
"""


def rebuild(event: Event, sitting: Sitting | None = None) -> None:
    """Recount the night, or one of its tables, from its current results, in the database."""
    found = Tally.objects.filter(event=event)
    (found.filter(sitting=sitting) if sitting else found).delete()
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [event.pk, sitting.pk if sitting else None])
