from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0071_money_tallies")]

    operations = [
        migrations.AddField(
            model_name="schedule",
            name="kind",
            field=models.CharField(
                choices=[("night", "club night"), ("bots", "bot tournament")],
                default="bots",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="schedule",
            name="days_ahead",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="schedule",
            name="ruleset",
            field=models.ForeignKey(
                null=True, on_delete=models.deletion.PROTECT, to="tables.frozenruleset"
            ),
        ),
        migrations.AddConstraint(
            model_name="schedule",
            constraint=models.CheckConstraint(
                condition=models.Q(kind="bots", ruleset__isnull=False, days_ahead=0)
                | models.Q(kind="night", ruleset=None),
                name="schedule_rules_of_bots",
            ),
        ),
    ]
