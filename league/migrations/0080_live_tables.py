import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0101_verification"),
        ("tables", "0030_arrangements"),
    ]

    operations = [
        migrations.CreateModel(
            name="LivePlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "played",
                    models.CharField(
                        choices=[
                            ("live", "every table plays online"),
                            (
                                "mixed",
                                "real cards; single tables online where an organiser opens them",
                            ),
                        ],
                        default="live",
                        max_length=5,
                    ),
                ),
                ("move_seconds", models.PositiveSmallIntegerField(default=40)),
                (
                    "abandoned",
                    models.CharField(
                        choices=[
                            ("count", "the autopilot plays the game to its end, and it counts"),
                            (
                                "finish",
                                "the autopilot plays all games of the round, and they count",
                            ),
                            ("void", "the game that was on does not count"),
                        ],
                        default="count",
                        max_length=6,
                    ),
                ),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="live_plan",
                        to="league.event",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(played__in=["live", "mixed"])
                        & Q(abandoned__in=["count", "finish", "void"]),
                        name="live_plan_known",
                    ),
                    models.CheckConstraint(
                        condition=Q(move_seconds__gte=5, move_seconds__lte=3600),
                        name="live_plan_has_a_clock",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="LiveTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_game", models.PositiveSmallIntegerField()),
                (
                    "nonce",
                    models.CharField(help_text="Personal links are made from it.", max_length=32),
                ),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("abandoned", models.BooleanField(default=False)),
                ("problem", models.CharField(blank=True, max_length=300)),
                ("renewed", models.JSONField(default=dict)),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="live_tables",
                        to="league.sitting",
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="live_sitting",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["sitting"],
                        condition=Q(ended_at=None),
                        name="live_table_one_per_sitting",
                    ),
                    models.CheckConstraint(
                        condition=Q(from_game__gte=1), name="live_table_counts_from_one"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="LiveResult",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("payments", models.JSONField(default=list)),
                (
                    "game",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="league_result",
                        to="tables.game",
                    ),
                ),
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="live",
                        to="league.result",
                    ),
                ),
            ],
        ),
    ]
