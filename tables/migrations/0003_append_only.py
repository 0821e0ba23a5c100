"""The log of a game only grows, whoever writes to the database."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION tables_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""

TRIGGER = """
CREATE TRIGGER tables_action_only_grows BEFORE UPDATE OR DELETE ON tables_action
    FOR EACH ROW EXECUTE FUNCTION tables_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_live_tables")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION tables_refuse_change();"),
        migrations.RunSQL(TRIGGER, "DROP TRIGGER tables_action_only_grows ON tables_action;"),
    ]
