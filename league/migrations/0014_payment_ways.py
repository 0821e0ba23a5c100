"""Ways to be paid as rows: a phone's belong to its claim, replaced ones are kept for 30 days."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

USER, PLAYER = settings.AUTH_USER_MODEL, "league.player"


def of(to, related_name, on_delete=django.db.models.deletion.CASCADE):
    return models.ForeignKey(null=True, on_delete=on_delete, related_name=related_name, to=to)


class Migration(migrations.Migration):
    contract = "the altered columns lose a uniqueness, which the release before never needs"
    dependencies = [
        ("league", "0013_zones"),
        ("tables", "0009_queues"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("BankDetails", "PaymentWay"),
                migrations.AlterModelTable("paymentway", "league_bankdetails"),
            ]
        ),
        migrations.AlterField("paymentway", "user", of(USER, "%(class)ss")),
        migrations.AlterField("paymentway", "player", of(PLAYER, "%(class)ss")),
        migrations.AddField("paymentway", "claim", of("league.claim", "paymentways")),
        migrations.AddField(
            "paymentway", "place", models.PositiveSmallIntegerField(default=1, db_default=1)
        ),
        migrations.AddField(
            "paymentway",
            "at",
            models.DateTimeField(null=True, help_text="Since when it is so; unset before 1.2."),
        ),
        migrations.AddConstraint(
            "paymentway",
            models.CheckConstraint(
                name="payment_way_of_a_claim_is_unconfirmed",
                condition=Q(claim=None) | Q(player__isnull=False, by=None),
            ),
        ),
        migrations.AddConstraint(
            "paymentway",
            models.UniqueConstraint(
                fields=["user", "place"],
                condition=Q(user__isnull=False),
                name="payment_way_once_of_an_account",
            ),
        ),
        migrations.AddConstraint(
            "paymentway",
            models.UniqueConstraint(
                fields=["player", "claim", "place"],
                condition=Q(player__isnull=False),
                nulls_distinct=False,
                name="payment_way_once_of_a_player",
            ),
        ),
        migrations.CreateModel(
            name="FormerWay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bank", models.CharField(max_length=6, blank=True)),
                ("number", models.CharField(max_length=19, blank=True)),
                ("holder", models.CharField(max_length=60, blank=True)),
                ("words", models.CharField(max_length=300, blank=True)),
                (
                    "phone",
                    models.CharField(
                        max_length=64, blank=True, help_text="Hash of the phone that left it."
                    ),
                ),
                ("ended_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                ("by", of(USER, "+", django.db.models.deletion.SET_NULL)),
                ("player", of(PLAYER, "%(class)ss")),
                ("user", of(USER, "%(class)ss")),
            ],
            options={"ordering": ["-id"], "abstract": False},
        ),
        migrations.CreateModel(
            name="WayAtTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tables.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=USER,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["table", "user"], name="way_at_table_once")
                ]
            },
        ),
        migrations.AddField(
            "player",
            "shows_ways",
            models.BooleanField(
                null=True,
                blank=True,
                help_text="Whether who owes the player here is shown how the account is paid; "
                "unset for links of before 1.2, which go on showing it.",
            ),
        ),
    ]
