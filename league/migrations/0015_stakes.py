"""What a game was played for, and a table plays for, where the night's stake has changed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0014_payment_ways"),
    ]

    operations = [
        migrations.AddField(
            model_name="result",
            name="stake",
            field=models.PositiveIntegerField(
                help_text="What it was played for, where that is not the event's stake of now.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="sitting",
            name="stake",
            field=models.PositiveIntegerField(
                help_text="Of its next games, where that is not the event's stake of now.",
                null=True,
            ),
        ),
    ]
