import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


def exactly_one_holder(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(user__isnull=False, bot="", token_hash="")
        | Q(user=None, token_hash="") & ~Q(bot="")
        | Q(user=None, bot="") & ~Q(token_hash=""),
        name=name,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0011_table_unlisted"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Arrangement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stake", models.PositiveIntegerField(default=1)),
                ("unit", models.CharField(blank=True, max_length=20)),
                ("games", models.PositiveSmallIntegerField(null=True)),
                ("first_dealer", models.PositiveSmallIntegerField(default=0)),
                ("plays_on", models.BooleanField(default=False)),
                ("ready", models.JSONField(default=list)),
                ("abandoned_game", models.PositiveIntegerField(null=True)),
                (
                    "home",
                    models.CharField(
                        blank=True, help_text="The page that it belongs to.", max_length=200
                    ),
                ),
                ("home_name", models.CharField(blank=True, max_length=120)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="arrangement",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(stake__gte=1), name="arrangement_has_a_stake"
                    ),
                    models.CheckConstraint(
                        condition=Q(games=None) | Q(games__gte=1), name="arrangement_has_games"
                    ),
                    models.CheckConstraint(
                        condition=Q(first_dealer__lte=7), name="arrangement_dealer_has_a_chair"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Successor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("no", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=40)),
                ("bot", models.CharField(blank=True, max_length=40)),
                ("token_hash", models.CharField(blank=True, max_length=64)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="successors",
                        to="tables.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["table", "no"], name="successor_one_per_chair"),
                    exactly_one_holder("successor_is_exactly_one"),
                ]
            },
        ),
        migrations.CreateModel(
            name="BotAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=30, unique=True)),
                ("takes_challenges", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bot_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=~Q(name=""), name="bot_account_has_a_name")
                ]
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        help_text="The name at the table of who asked.", max_length=40
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("answered_at", models.DateTimeField(null=True)),
                ("accepted", models.BooleanField(default=False)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to="tables.botaccount",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["table", "bot"],
                        condition=Q(answered_at=None),
                        name="challenge_open_once",
                    ),
                    models.CheckConstraint(
                        condition=Q(accepted=False) | Q(answered_at__isnull=False),
                        name="challenge_accepted_is_answered",
                    ),
                ]
            },
        ),
    ]
