"""Puzzles, and what each person chose at a decision."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0005_shared_deals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Solver",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mu", models.FloatField(default=25.0)),
                ("sigma", models.FloatField(default=8.333333333333334)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="solver",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("step", models.PositiveSmallIntegerField()),
                (
                    "chosen",
                    models.CharField(
                        help_text="The first choice, as its cards or a word.", max_length=40
                    ),
                ),
                ("right", models.BooleanField()),
                ("on", models.DateField()),
                ("stage", models.PositiveSmallIntegerField(default=0)),
                ("due", models.DateField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tables.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["game", "step"], name="attempt_at_a_decision")],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "game", "step"), name="attempt_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("step", models.PositiveSmallIntegerField()),
                ("decision", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[("found", "Found"), ("ready", "Ready"), ("refused", "Refused")],
                        default="found",
                        max_length=7,
                    ),
                ),
                ("day", models.DateField(null=True, unique=True)),
                ("mu", models.FloatField(default=25.0)),
                ("sigma", models.FloatField(default=8.333333333333334)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzles",
                        to="tables.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "step"), name="puzzle_once"),
                    models.CheckConstraint(
                        condition=models.Q(("day", None), ("state", "ready"), _connector="OR"),
                        name="puzzle_of_a_day_is_checked",
                    ),
                ],
            },
        ),
    ]
