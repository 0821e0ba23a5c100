"""Bots that came through a page, by version."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0110_parts_of_the_deal"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pool", models.CharField(max_length=40)),
                ("base", models.CharField(max_length=26)),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=30, unique=True)),
                ("language", models.CharField(max_length=10)),
                ("body", models.BinaryField(help_text="The ZIP file as it was sent.")),
                ("digest", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sound", "Sound"),
                            ("refused", "Refused"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="waiting",
                        max_length=9,
                    ),
                ),
                ("report", models.TextField(blank=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("held_until", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="uploads",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["pool", "base", "-number"], name="upload_of_pool"),
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["created_at"],
                        name="upload_waiting",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("base", "number"), name="upload_version_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "sound", "refused", "withdrawn"])
                        ),
                        name="upload_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ["python", "node"])),
                        name="upload_language_known",
                    ),
                ],
            },
        ),
    ]
