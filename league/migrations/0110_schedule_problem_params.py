"""What fills the placeholders of the sentence why a schedule made no event."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0080_live_tables")]

    operations = [
        migrations.AddField(
            model_name="occurrence",
            name="problem_params",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
