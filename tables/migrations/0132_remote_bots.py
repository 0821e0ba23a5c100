"""Bots over the network in runs: their games in play, and when they were last seen."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0131_friends"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RemoteGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("log", models.JSONField(default=list)),
                ("turn", models.PositiveIntegerField(default=0)),
                ("asked", models.JSONField(default=dict)),
                ("over", models.BooleanField(default=False)),
                ("bot", models.CharField(blank=True, max_length=30)),
                ("question", models.JSONField(null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("client", models.CharField(blank=True, max_length=40)),
                ("leased_until", models.DateTimeField(null=True)),
                ("until", models.DateTimeField(null=True)),
                ("answer", models.JSONField(null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="upload",
            name="upload_language_known",
        ),
        migrations.AddField(
            model_name="run",
            name="remote_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="upload",
            name="seen_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.SeparateDatabaseAndState(  # One choice more: the column stays as it is.
            state_operations=[
                migrations.AlterField(
                    model_name="unit",
                    name="state",
                    field=models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("leased", "Leased"),
                            ("asking", "Asking"),
                            ("done", "Done"),
                            ("dead", "Dead"),
                            ("skipped", "Skipped"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(
                condition=models.Q(("language__in", ["python", "node", "remote"])),
                name="upload_language_known",
            ),
        ),
        migrations.AddField(
            model_name="remotegame",
            name="unit",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="remote_games",
                to="tables.unit",
            ),
        ),
        migrations.AddIndex(
            model_name="remotegame",
            index=models.Index(
                condition=models.Q(("answer__isnull", True), ("question__isnull", False)),
                fields=["bot", "asked_at"],
                name="remote_game_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="remotegame",
            constraint=models.UniqueConstraint(fields=("unit", "number"), name="remote_game_once"),
        ),
        migrations.AddConstraint(
            model_name="remotegame",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("answer__isnull", True), ("bot", ""), ("question__isnull", True)),
                    models.Q(
                        models.Q(("bot", ""), _negated=True),
                        ("asked_at__isnull", False),
                        ("over", False),
                        ("question__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="remote_game_asks_one",
            ),
        ),
    ]
