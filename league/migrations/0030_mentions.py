"""Former names, and texts that name a person whose name was removed."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0029_waiting_names")]

    operations = [
        migrations.CreateModel(
            name="FormerName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "until",
                    models.DateTimeField(
                        db_index=True,
                        help_text="When it is forgotten; until then owners alone see it.",
                        null=True,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_names",
                        to="league.player",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.CreateModel(
            name="Mention",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.BigIntegerField()),
                ("words", models.JSONField()),
                ("instead", models.CharField(default="—", max_length=60)),
                ("is_sure", models.BooleanField(help_text="Whether it has the whole name.")),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="league.club",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
    ]
