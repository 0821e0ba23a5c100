"""Which online table the organiser has put onto the big screen."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0300_final_places")]

    operations = [
        migrations.AddField(
            "livetable",
            "on_wall_at",
            models.DateTimeField(
                null=True, help_text="Since when an organiser has its games on the big screen."
            ),
        ),
    ]
