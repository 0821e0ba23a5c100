"""Final places of closed nights, for seasons that give points for them."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("league", "0280_player_bin")]

    operations = [
        migrations.AddField(
            "entrant",
            "place",
            models.PositiveSmallIntegerField(
                null=True,
                help_text="The final place in a closed night that gives the season points for it.",
            ),
        ),
        migrations.AddField(
            "entrant",
            "place_tied",
            models.PositiveSmallIntegerField(null=True, help_text="How many share it."),
        ),
        migrations.AddConstraint(
            "entrant",
            models.CheckConstraint(
                condition=Q(place=None, place_tied=None) | Q(place__gte=1, place_tied__gte=1),
                name="entrant_place_is_shared_by_someone",
            ),
        ),
    ]
