from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0160_cut_deals")]

    operations = [
        migrations.AddField(
            "player",
            "is_regular",
            models.BooleanField(
                default=False,
                db_default=False,
                help_text="Comes to every night unless they say no.",
            ),
        ),
        migrations.AddField(
            "schedule",
            "changes",
            models.PositiveIntegerField(
                default=0, db_default=0, help_text="Rises with every change, for calendar programs."
            ),
        ),
    ]
