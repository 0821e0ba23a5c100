"""The ground on which a face was drawn before its player was created."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0017_together"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="ground",
            field=models.PositiveSmallIntegerField(
                help_text="The face's ground, if it was drawn before the player was created.",
                null=True,
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("ground", None))
                | models.Q(("ground__gte", 1), ("ground__lte", 8)),
                name="player_ground_is_drawn",
            ),
        ),
    ]
