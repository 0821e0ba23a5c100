"""Let a schedule of nights be a recipe: without a rhythm, and with rules of its own."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("league", "0005_alarms")]
    contract = "A column that may be empty takes all that the release before writes."

    operations = [
        migrations.RemoveConstraint(model_name="schedule", name="schedule_rules_of_bots"),
        migrations.AlterField(
            model_name="schedule", name="rule", field=models.JSONField(blank=True, null=True)
        ),
        migrations.AddConstraint(
            model_name="schedule",
            constraint=models.CheckConstraint(
                condition=Q(
                    kind="bots", ruleset__isnull=False, rule__isnull=False, days_ahead=0
                )
                | Q(kind="night"),
                name="schedule_rules_of_bots",
            ),
        ),
        migrations.AddConstraint(
            model_name="schedule",
            constraint=models.CheckConstraint(
                condition=Q(rule__isnull=False) | Q(next_at=None),
                name="schedule_without_rule_rests",
            ),
        ),
    ]
