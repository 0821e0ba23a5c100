"""How late who only watches a table sees its games."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0170_remote_sweeps")]

    operations = [
        migrations.AddField(
            "table",
            "watch_delay",
            models.PositiveSmallIntegerField(
                choices=[(0, "None"), (20, "Seconds"), (60, "Minute"), (32767, "Game")],
                db_default=0,
                default=0,
            ),
        ),
        migrations.AddConstraint(
            "table",
            models.CheckConstraint(
                condition=models.Q(watch_delay__in=(0, 20, 60, 32767)),
                name="table_watch_delay_known",
            ),
        ),
        migrations.AddConstraint(
            "table",
            models.CheckConstraint(
                condition=models.Q(("watch_delay", 0), ("for_anyone", False), _connector="OR"),
                name="table_for_anyone_is_seen_at_once",
            ),
        ),
    ]
