"""Keep the time zone in which a person reads."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_events_of_clubs"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="keeps_zone",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Whether the time zone was chosen."
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="time_zone",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The browser's last time zone, or the chosen one.",
                max_length=40,
            ),
        ),
    ]
