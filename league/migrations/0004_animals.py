"""Let people choose their face."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0003_versions_stages_disputes")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="animal",
            field=models.CharField(
                blank=True,
                choices=[
                    (name, name)
                    for name in (
                        "rat",
                        "buffalo",
                        "tiger",
                        "cat",
                        "dragon",
                        "snake",
                        "horse",
                        "goat",
                        "monkey",
                        "rooster",
                        "dog",
                        "pig",
                    )
                ],
                db_default="",
                default="",
                help_text="The chosen face, if it is not the given one.",
                max_length=10,
            ),
        ),
    ]
