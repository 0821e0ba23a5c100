"""A table's proposals of another stake."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0015_stakes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="sitting",
            name="stake_since",
            field=models.PositiveSmallIntegerField(
                help_text="The first game with the stake that the table chose.", null=True
            ),
        ),
        migrations.CreateModel(
            name="StakeOffer",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False, auto_created=True,
                                           verbose_name="ID")),
                ("game_no", models.PositiveSmallIntegerField()),
                ("was", models.PositiveIntegerField(null=True)),
                ("stake", models.PositiveIntegerField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("agreed", models.ManyToManyField(related_name="+", to="league.entrant")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.entrant",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.entrant",
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stake_offers",
                        to="league.sitting",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("sitting", "game_no"),
                        name="stake_offer_one_open_per_game",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("game_no__gte", 1), ("stake__gte", 1)),
                        name="stake_offer_is_above_0",
                    ),
                ],
            },
        ),
    ]
