from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0172_rosters"),
    ]

    operations = [
        # A choice more; the column stays.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="adjustment",
                    name="cause",
                    field=models.CharField(
                        blank=True,
                        choices=[
                            ("absence", "missed the night"),
                            ("lateness", "came late"),
                            ("handicap", "handicap"),
                        ],
                        db_default="",
                        default="",
                        help_text="Of what the night's rules gave; empty: an organiser decided.",
                        max_length=8,
                    ),
                ),
            ],
        ),
    ]
