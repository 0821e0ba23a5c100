from django.db import migrations, models

FUNCTION = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('league.forgetting', true) = 'on'
       AND to_jsonb(NEW) - 'data' - 'note' = to_jsonb(OLD) - 'data' - 'note' THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'league_audit' AND EXISTS (
        SELECT 1 FROM league_club
        WHERE id = (to_jsonb(OLD) ->> 'club_id')::bigint
          AND binned_at < now() - interval '30 days'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""

BEFORE = """
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


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0330_file_imports"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="binned_at",
            field=models.DateTimeField(
                blank=True, help_text="Since when it lies in the bin.", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("binned_at", None), ("closed_at__isnull", False), _connector="OR"
                ),
                name="club_in_the_bin_is_closed",
            ),
        ),
        migrations.RunSQL(FUNCTION, BEFORE),
    ]
