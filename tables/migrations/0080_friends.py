"""Who has asked for the next game, and which bot takes chairs that stay empty."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0070_forfeits")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="ready",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="table",
            name="bot",
            field=models.CharField(db_default="greedy", default="greedy", max_length=40),
        ),
    ]
