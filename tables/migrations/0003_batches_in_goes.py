"""Batches and checks are played in goes, and keep how far they are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_squashed_0220_shared_places")]

    operations = [
        migrations.AddField(
            model_name="unit", name="begun", field=models.JSONField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="upload",
            name="checked",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
