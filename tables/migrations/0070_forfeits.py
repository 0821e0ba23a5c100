"""A bot at fault forfeits its game, in runs that begin from now on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0060_rotation")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="forfeits",
            field=models.BooleanField(db_default=False, default=True),
        ),
    ]
