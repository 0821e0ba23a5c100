"""Clubs that their owner deletes: once their week is over, ledgers and log let their rows go."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REFUSE_CHANGE = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row jsonb := to_jsonb(OLD);
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('league.forgetting', true) = 'on'
       AND to_jsonb(NEW) - 'data' - 'note' = old_row - 'data' - 'note' THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'league_audit' AND EXISTS (
        SELECT 1 FROM league_club
        WHERE id = (old_row ->> 'club_id')::bigint
          AND binned_at < now() - interval '30 days'
    ) THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM league_club
        WHERE {over} AND id = CASE TG_TABLE_NAME
            WHEN 'league_audit' THEN (old_row ->> 'club_id')::bigint
            WHEN 'league_posting' THEN (
                SELECT club_id FROM league_season WHERE id = (old_row ->> 'season_id')::bigint
            )
            WHEN 'league_transfer' THEN (
                SELECT coalesce(account.club_id, player.club_id)
                FROM league_account account LEFT JOIN league_player player ON player.id = player_id
                WHERE account.id = (old_row ->> 'payer_id')::bigint
            )
        END
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""
HELD = "held_until <= clock_timestamp()"
ENDED = f"({HELD} OR ends_at <= clock_timestamp())"


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0031_keys_in_logs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="ends_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When it is deleted, as its owner wants; until then any owner stops it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="ends_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunSQL(REFUSE_CHANGE.format(over=ENDED), REFUSE_CHANGE.format(over=HELD)),
    ]
