"""Rows kept ready: a season's table, points of ratings, and sums of money."""

import django.db.models.deletion
from django.db import migrations, models

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0040_player_wishes"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="audit",
            index=models.Index(
                condition=models.Q(
                    (
                        "action__in",
                        [
                            "player.renamed",
                            "player.merged",
                            "player.unmerged",
                            "player.anonymised",
                        ],
                    )
                ),
                fields=["club", "id"],
                name="audit_names",
            ),
        ),
        migrations.CreateModel(
            name="MoneyTally",
            fields=[
                ("id", ID.clone()),
                ("games", models.BigIntegerField()),
                ("other", models.BigIntegerField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to="league.account",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="money_tallies",
                        to="league.event",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "event", "account"),
                        name="money_tally_once",
                        nulls_distinct=False,
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="RatingPoint",
            fields=[
                ("id", ID.clone()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("games", models.PositiveIntegerField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.event",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="league.season",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["club", "season", "event"], name="rating_point_of_night")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "season", "event"),
                        name="rating_point_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("games__gte", 1), ("sigma__gt", 0)),
                        name="rating_point_is_of_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingState",
            fields=[
                ("id", ID.clone()),
                ("nights", models.JSONField(default=list)),
                ("names", models.BigIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("stamp", models.CharField(blank=True, max_length=80)),
                ("computed_at", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                    ),
                ),
                (
                    "season",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="league.season",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "season"), name="rating_state_once", nulls_distinct=False
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="SeasonTable",
            fields=[
                ("id", ID.clone()),
                ("stamp", models.CharField(max_length=120)),
                ("computed_at", models.DateTimeField()),
                ("seconds", models.FloatField(help_text="How long the computing took.")),
                ("count", models.PositiveIntegerField()),
                (
                    "season",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table",
                        to="league.season",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SeasonRow",
            fields=[
                ("id", ID.clone()),
                (
                    "position",
                    models.PositiveIntegerField(help_text="From 1, best first; shared ranks too."),
                ),
                ("rank", models.PositiveIntegerField(null=True)),
                ("points", models.CharField(max_length=200)),
                ("games", models.PositiveIntegerField()),
                (
                    "rest",
                    models.JSONField(
                        help_text="The other numbers, as `league.seasons.selectors.season_cache` has them."
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "position"), name="season_row_position_once"
                    ),
                    models.UniqueConstraint(
                        fields=("season", "player"), name="season_row_player_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)),
                        name="season_row_counts_from_one",
                    ),
                ],
            },
        ),
    ]
