"""Standing ladders and their meetings."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0150_watch_delay"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ladder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pool", models.CharField(max_length=40)),
                ("zero", models.JSONField()),
                ("is_on", models.BooleanField(default=True)),
                ("rows", models.JSONField(default=list)),
                ("rated_games", models.PositiveIntegerField(default=0)),
                ("chosen_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "ruleset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="tables.frozenruleset"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Meeting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("test", models.BooleanField(default=False)),
                ("is_open", models.BooleanField(default=True)),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="meetings",
                        to="tables.ladder",
                    ),
                ),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="meeting",
                        to="tables.run",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="ladder",
            constraint=models.UniqueConstraint(
                fields=("pool", "ruleset"), name="ladder_once_by_rules"
            ),
        ),
        migrations.AddConstraint(
            model_name="ladder",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_on", True)), fields=("pool",), name="ladder_one_is_on"
            ),
        ),
        migrations.AddIndex(
            model_name="meeting",
            index=models.Index(fields=["ladder", "-opened_at"], name="ladder_meetings"),
        ),
        migrations.AddConstraint(
            model_name="meeting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_open", True)), fields=("ladder",), name="ladder_meets_once"
            ),
        ),
    ]
