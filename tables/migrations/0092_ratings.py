"""Tables where games are rated, and what is believed of those who play there."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tables", "0100_machines"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="rated",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="network",
            field=models.CharField(blank=True, db_default="", max_length=50),
        ),
        migrations.CreateModel(
            name="TableRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot", models.CharField(blank=True, max_length=40)),
                ("name", models.CharField(max_length=40)),
                ("mu", models.FloatField(help_text="The estimate; a newcomer has 25.")),
                ("sigma", models.FloatField(help_text="Its standard deviation.")),
                ("games", models.PositiveIntegerField(default=0)),
                (
                    "user",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table_rating",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-mu"], name="table_rating_order")],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("user", None), ~Q(("bot", "")))
                        | Q(("bot", ""), ("user__isnull", False)),
                        name="table_rating_of_exactly_one",
                    ),
                    models.UniqueConstraint(
                        condition=~Q(("bot", "")),
                        fields=("bot",),
                        name="table_rating_once_for_a_bot",
                    ),
                    models.CheckConstraint(
                        condition=Q(("sigma__gt", 0)), name="table_rating_is_uncertain"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CountedGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rated_at", models.DateTimeField(null=True)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rated",
                        to="tables.game",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(("rated_at", None)), fields=["id"], name="rated_game_waits"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RatedPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("no", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=40)),
                ("rank", models.PositiveSmallIntegerField()),
                ("before", models.FloatField()),
                ("after", models.FloatField()),
                (
                    "rated",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="tables.countedgame",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("rated", "no"), name="rated_place_once")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=Q(("rated", False)) | Q(("for_anyone", True)),
                name="table_rated_is_for_anyone",
            ),
        ),
    ]
