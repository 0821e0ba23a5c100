"""Leagues of bots in divisions."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0310_club_bin"),
    ]

    operations = [
        migrations.CreateModel(
            name="BotLeague",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("size", models.PositiveSmallIntegerField()),
                ("moves", models.PositiveSmallIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "schedule",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="bot_league",
                        to="league.schedule",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bot_leagues",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Matchday",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("day", models.DateField()),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matchdays",
                        to="league.botleague",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="LeagueSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot", models.CharField(max_length=30)),
                ("number", models.PositiveIntegerField()),
                ("division", models.PositiveIntegerField()),
                ("entry", models.CharField(max_length=30)),
                (
                    "event",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="league_seats",
                        to="league.event",
                    ),
                ),
                (
                    "matchday",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="league.matchday",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddConstraint(
            model_name="botleague",
            constraint=models.CheckConstraint(
                condition=models.Q(("size__gte", 2), ("size__lte", 8)),
                name="bot_league_size_fits_a_tournament",
            ),
        ),
        migrations.AddConstraint(
            model_name="botleague",
            constraint=models.CheckConstraint(
                condition=models.Q(("moves__gte", 1), ("moves__lte", 4)),
                name="bot_league_moves_in_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="matchday",
            constraint=models.UniqueConstraint(
                fields=("league", "number"), name="matchday_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchday",
            constraint=models.UniqueConstraint(
                fields=("league", "day"), name="matchday_once_a_day"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchday",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="matchday_counts_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="leagueseat",
            constraint=models.UniqueConstraint(
                fields=("matchday", "bot"), name="league_seat_bot_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="leagueseat",
            constraint=models.UniqueConstraint(
                fields=("matchday", "number"), name="league_seat_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="leagueseat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("division__gte", 1), ("division__lte", models.F("number")), ("number__gte", 1)
                ),
                name="league_seat_counts_from_one",
            ),
        ),
    ]
