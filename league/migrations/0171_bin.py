from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0170_calls_and_absences"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="binned_at",
            field=models.DateTimeField(
                blank=True, help_text="Since when it lies in the bin.", null=True
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="binned_at",
            field=models.DateTimeField(
                blank=True, help_text="Since when it lies in the bin.", null=True
            ),
        ),
        migrations.RemoveConstraint(model_name="season", name="season_name_once_per_club"),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                condition=models.Q(("binned_at", None)),
                fields=("club", "name"),
                name="season_name_once_per_club",
            ),
        ),
    ]
