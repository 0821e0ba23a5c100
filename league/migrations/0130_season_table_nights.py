from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0120_live_problem_params")]

    operations = [
        migrations.AddField(
            model_name="seasontable",
            name="nights",
            field=models.JSONField(
                db_default=[],
                default=list,
                help_text="Event, version and whether anything was played in it, of each.",
            ),
        )
    ]
