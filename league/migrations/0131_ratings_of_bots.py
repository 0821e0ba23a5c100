from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0121_club_tables")]

    operations = [
        migrations.AddField(
            model_name="ratingstate",
            name="bots",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="ratingstate",
            name="bots_stamp",
            field=models.CharField(blank=True, db_default="", max_length=80),
        ),
    ]
