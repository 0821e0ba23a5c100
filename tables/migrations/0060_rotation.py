"""Tables whose chairs change hands after each game, as whoever stands behind them says."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tables", "0051_watchers_talk")]

    operations = [
        migrations.AddField(
            model_name="arrangement",
            name="rotates",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="arrangement",
            name="held",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="arrangement",
            constraint=models.CheckConstraint(
                condition=Q(held=False) | Q(rotates=True, members_only=False),
                name="arrangement_held_rotates",
            ),
        ),
    ]
