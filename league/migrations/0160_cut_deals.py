from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0173_handicap")]

    operations = [
        migrations.AddField(
            model_name="sitting",
            name="was_cut",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether the table has noted who cut the highest card.",
            ),
        ),
    ]
