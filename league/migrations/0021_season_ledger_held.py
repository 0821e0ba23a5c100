"""What Django's constraints cannot say: postings only grow, and events belong to their season."""

from django.db import migrations

TABLES = ("league_adjustment", "league_posting")

EVENT = "ALTER TABLE league_event ADD CONSTRAINT event_of_season UNIQUE (id, season_id);"

SEASON = """
ALTER TABLE {table} ADD CONSTRAINT {table}_event_of_its_season
    FOREIGN KEY (event_id, season_id) REFERENCES league_event (id, season_id)
    DEFERRABLE INITIALLY DEFERRED;
"""

ONLY_GROWS = """
CREATE TRIGGER league_posting_only_grows BEFORE UPDATE OR DELETE ON league_posting
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0020_season_ledger")]

    operations = [
        migrations.RunSQL(EVENT, "ALTER TABLE league_event DROP CONSTRAINT event_of_season;"),
        *(
            migrations.RunSQL(
                SEASON.format(table=table),
                f"ALTER TABLE {table} DROP CONSTRAINT {table}_event_of_its_season;",
            )
            for table in TABLES
        ),
        migrations.RunSQL(ONLY_GROWS, "DROP TRIGGER league_posting_only_grows ON league_posting;"),
    ]
