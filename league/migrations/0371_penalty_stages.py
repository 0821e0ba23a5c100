"""The stage of a night in which a penalty or bonus counts.

Those given before name none: in a night of groups they go on counting in the groups, in other nights
in no stage, so that closed cups keep their places.
"""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("league", "0370_draw_versions")]

    operations = [
        migrations.AddField(
            "adjustment",
            "stage",
            models.CharField(
                max_length=5,
                choices=[("group", "Groups"), ("table", "round"), ("final", "Final")],
                default="",
                db_default="",
                blank=True,
                help_text="Of a night with stages, the one in which it counts; empty: its groups.",
            ),
        ),
        migrations.AddField(
            "adjustment",
            "stage_round",
            models.PositiveSmallIntegerField(
                null=True, blank=True, help_text="Of a stage of tables, the number of its round."
            ),
        ),
        migrations.AddConstraint(
            "adjustment",
            models.CheckConstraint(
                condition=Q(stage="") | Q(event__isnull=False), name="adjustment_stage_of_a_night"
            ),
        ),
        migrations.AddConstraint(
            "adjustment",
            models.CheckConstraint(
                condition=Q(stage="table", stage_round__isnull=False)
                | Q(stage__in=["", "group", "final"], stage_round=None),
                name="adjustment_round_of_a_table",
            ),
        ),
    ]
