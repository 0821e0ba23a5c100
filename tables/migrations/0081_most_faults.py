"""In how large a share of games a bot may be at fault and still be rated."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0080_friends")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="most_faults",
            field=models.FloatField(db_default=0.01, default=0.01),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.CheckConstraint(
                condition=models.Q(most_faults__gte=0, most_faults__lte=1),
                name="run_most_faults_is_a_share",
            ),
        ),
    ]
