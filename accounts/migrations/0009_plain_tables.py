"""Accounts may play at tables in words."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_club_ending"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="plays_plain",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether tables come as words, without cards.",
            ),
        ),
    ]
