"""Keep the secret that held a seat before it was given to another browser."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0010_cut_off"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="former",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="SHA-256 of the secret that held the seat until it was given away.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="former_game",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="The game in which that secret may take the seat back.",
                null=True,
            ),
        ),
    ]
