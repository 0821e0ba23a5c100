"""Which machine played a block and which came to another result; which runs got deals later."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0091_table_in_the_lobby")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="redone",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="run",
            name="extended",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="unit",
            name="machine",
            field=models.CharField(blank=True, db_default="", max_length=60),
        ),
        migrations.AddField(
            model_name="unit",
            name="conflict_machine",
            field=models.CharField(blank=True, db_default="", max_length=60),
        ),
    ]
