"""The word of players whom draws seat at one table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0016_stake_offers"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="together",
            field=models.CharField(
                max_length=40,
                blank=True,
                default="",
                db_default="",
                help_text="Draws seat people of the same word at one table.",
            ),
        ),
    ]
