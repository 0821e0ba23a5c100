"""What Django's constraints cannot say: logs that only grow, and places that match their round."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""

TRIGGER = """
CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""

PLACE = """
ALTER TABLE league_place ADD CONSTRAINT place_round_of_its_sitting
    FOREIGN KEY (sitting_id, round_id) REFERENCES league_sitting (id, round_id)
    DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION league_refuse_change();"),
        *(
            migrations.RunSQL(
                TRIGGER.format(table=table), f"DROP TRIGGER {table}_only_grows ON {table};"
            )
            for table in ("league_transfer", "league_audit")
        ),
        migrations.RunSQL(
            PLACE, "ALTER TABLE league_place DROP CONSTRAINT place_round_of_its_sitting;"
        ),
    ]
