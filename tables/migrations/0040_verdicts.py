import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Verdicts on bots, who plays on for them, and the games of programs."""

    dependencies = [("tables", "0020_playing")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="substitute",
            field=models.CharField(default="lowest", max_length=30),
        ),
        migrations.AddField(
            model_name="run",
            name="outside",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="unit",
            name="faults",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="unit",
            name="replay",
            field=models.CharField(
                choices=[
                    ("no", "No"),
                    ("wanted", "Wanted"),
                    ("same", "Same"),
                    ("different", "Different"),
                    ("never", "Never"),
                ],
                default="no",
                max_length=9,
            ),
        ),
        migrations.AddIndex(
            model_name="unit",
            index=models.Index(
                condition=models.Q(("faults__gt", 0)), fields=["run", "index"], name="unit_faults"
            ),
        ),
        migrations.CreateModel(
            name="KeptGames",
            fields=[
                (
                    "unit",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="kept",
                        serialize=False,
                        to="tables.unit",
                    ),
                ),
                ("body", models.BinaryField()),
            ],
        ),
    ]
