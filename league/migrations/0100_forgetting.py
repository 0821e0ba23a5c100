"""Lets a person's name be taken out of the logs: nothing else of them can be changed."""

from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('league.forgetting', true) = 'on'
       AND to_jsonb(NEW) - 'data' - 'note' = to_jsonb(OLD) - 'data' - 'note' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""

BEFORE = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0050_night_formats")]

    operations = [migrations.RunSQL(FUNCTION, BEFORE)]
