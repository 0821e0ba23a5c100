"""A dispute says what is wrong and, where that is known, which player says so."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0360_log_outlasts_nights")]

    operations = [
        migrations.AddField(
            "dispute",
            "kind",
            models.CharField(
                blank=True,
                choices=[
                    ("order", "Wrong order"),
                    ("specials", "Wrong chops or penalties"),
                    ("other", "Something else"),
                ],
                db_default="",
                default="",
                max_length=8,
            ),
        ),
        migrations.AddField(
            "dispute",
            "player",
            models.ForeignKey(
                help_text="Who says so, where the phone or the account is a player's.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="league.player",
            ),
        ),
    ]
