"""New clubs are private. Those that are public stay so but for their money: their logs say it."""

from django.db import migrations, models

TELL = """
    INSERT INTO league_audit (club_id, event_id, by_id, at, action, data)
    SELECT id, NULL, NULL, now(), 'club.money_hidden', '{}' FROM league_club
    WHERE is_public ORDER BY id
"""


class Migration(migrations.Migration):
    contract = "only the value that Python gives a new club changes, not the column"
    dependencies = [("league", "0360_log_outlasts_nights")]

    operations = [
        migrations.AlterField(
            "club",
            "is_public",
            models.BooleanField(
                default=False,
                help_text="Everyone sees it, but not its money.",
                verbose_name="public",
            ),
        ),
        migrations.RunSQL(TELL, migrations.RunSQL.noop),
    ]
