"""What fills the placeholders of the sentence why a live game could not be taken."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0110_schedule_problem_params")]

    operations = [
        migrations.AddField(
            model_name="livetable",
            name="problem_params",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
