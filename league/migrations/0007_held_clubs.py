"""Clubs that a phone holds without an account; what they made may be deleted with them."""

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
    {held}
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""
HELD = """
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM league_club
        WHERE held_until <= clock_timestamp() AND id = CASE TG_TABLE_NAME
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
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0006_recipes")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="held_by",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Hash of the phone that owns the club without an account.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="held_until",
            field=models.DateTimeField(
                blank=True, help_text="When a club without an account is deleted.", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("held_by", ""), ("held_until", None)),
                    models.Q(
                        models.Q(("held_by", ""), _negated=True),
                        ("held_until__isnull", False),
                        ("is_public", False),
                    ),
                    _connector="OR",
                ),
                name="club_held_is_private",
            ),
        ),
        migrations.RunSQL(REFUSE_CHANGE.format(held=HELD), REFUSE_CHANGE.format(held="")),
    ]
