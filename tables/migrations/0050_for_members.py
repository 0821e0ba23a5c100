"""Tables that play for stakes and whose chairs their members take themselves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0040_verdicts")]

    operations = [
        migrations.AddField(
            model_name="arrangement",
            name="members_only",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
