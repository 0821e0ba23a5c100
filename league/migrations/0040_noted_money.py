"""Let the undo of an import delete the payments that its notebook had of games."""

from importlib import import_module

from django.db import migrations

BEFORE = import_module("league.migrations.0038_notebooks").REFUSE_CHANGE
REFUSE_CHANGE = BEFORE.replace(
    "    RAISE EXCEPTION",
    """    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'league_transfer'
       AND old_row ->> 'reason' = 'notebook' AND EXISTS (
        SELECT FROM league_notebook_events own
        JOIN league_notebook book ON book.id = own.notebook_id
        WHERE book.at > now() - interval '30 days'
          AND own.event_id = (old_row ->> 'event_id')::bigint
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION""",
)


class Migration(migrations.Migration):
    dependencies = [("league", "0039_claimed_places")]

    operations = [migrations.RunSQL(REFUSE_CHANGE, BEFORE)]
