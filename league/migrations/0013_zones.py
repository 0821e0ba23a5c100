"""Keep each club's language and the name of its clock, and where a night was played."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0012_erasures"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="language",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Of news and files for everyone.",
                max_length=5,
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="place",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The place by which its clock is called; by default the zone's first one.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="time_zone",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Where it was played, if its club has moved to another zone since.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="schedule",
            name="changed_at",
            field=models.DateTimeField(
                auto_now=True,
                help_text="When calendars last had to change; None: at creation.",
                null=True,
            ),
        ),
        migrations.RunSQL(
            "UPDATE league_club SET language = CASE"
            " WHEN time_zone IN ('Asia/Ho_Chi_Minh', 'Asia/Saigon') THEN 'vi' ELSE 'en' END",
            migrations.RunSQL.noop,
        ),
    ]
