"""Two who play from one place at a table for members."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0181_seen_by"),
    ]

    operations = [
        migrations.CreateModel(
            name="SharedPlace",
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
                        choices=[("device", "Device"), ("network", "Network")], max_length=7
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tables.seat",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tables.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("one", "other", "by"), name="shared_place_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("other"))),
                        name="shared_place_in_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("by__in", ["device", "network"])),
                        name="shared_place_by_known",
                    ),
                ],
            },
        ),
    ]
