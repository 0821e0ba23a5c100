"""Keep whether an autopilot began while its player was offline."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0009_queues"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="cut_off",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether the autopilot began while the player was offline.",
            ),
        ),
    ]
