"""The version of a draw, by which a page knows whether it is still the one its reader saw.

A draft made before has version 0, which is also what pages opened before send.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0360_log_outlasts_nights")]

    operations = [
        migrations.AddField(
            "round",
            "version",
            models.PositiveIntegerField(
                default=0,
                db_default=0,
                help_text="The event's version when the draw was last changed or released.",
            ),
        ),
    ]
