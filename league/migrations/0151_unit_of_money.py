"""A club's unit of money has no default of the model's: who opens the club gives it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0150_bots_apart"),
    ]

    operations = [
        # Labels and Python's defaults: the database stays as it is.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="club",
                    name="unit",
                    field=models.CharField(
                        help_text="What stakes are counted in: đồng, dollars, chips, sweets, coffees.",
                        max_length=20,
                        verbose_name="unit of stakes",
                    ),
                ),
            ]
        ),
    ]
