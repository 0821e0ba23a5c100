"""What the nightly proof found."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0100_forgetting")]

    operations = [
        migrations.CreateModel(
            name="Verification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(unique=True)),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "checked",
                    models.JSONField(default=dict, help_text="How many of what were looked at."),
                ),
                (
                    "count",
                    models.PositiveIntegerField(
                        default=0, help_text="How many differences were found."
                    ),
                ),
                (
                    "differences",
                    models.JSONField(default=list, help_text="The first of them, as sentences."),
                ),
            ],
            options={
                "ordering": ["-day"],
            },
        ),
    ]
