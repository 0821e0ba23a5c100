"""What nobody may overlook: draws have versions, penalties stages, disputes words.

New clubs are private. Public ones stay public but for their money, and their logs say so. A draft
made before has version 0, which is also what pages opened before send. Penalties given before name
no stage: in a night of groups they go on counting in the groups, in other nights in no stage, so
that closed cups keep their places.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

TELL = """
    INSERT INTO league_audit (club_id, event_id, by_id, at, action, data)
    SELECT id, NULL, NULL, now(), 'club.money_hidden', '{}' FROM league_club
    WHERE is_public ORDER BY id
"""


class Migration(migrations.Migration):
    contract = "only the value that Python gives a new club changes, not the column"
    dependencies = [("league", "0002_squashed_0360_log_outlasts_nights")]

    operations = [
        migrations.AddField(
            "round",
            "version",
            models.PositiveIntegerField(
                default=0,
                db_default=0,
                help_text="The event's version when the draw was last changed or released.",
            ),
        ),
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
        migrations.AddField(
            "dispute",
            "kind",
            models.CharField(
                blank=True,
                choices=[
                    ("order", "Wrong order"),
                    ("specials", "Wrong chops or penalties"),
                    ("other", "Something else"),
                ],
                db_default="",
                default="",
                max_length=8,
            ),
        ),
        migrations.AddField(
            "dispute",
            "player",
            models.ForeignKey(
                help_text="Who says so, where the phone or the account is a player's.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="league.player",
            ),
        ),
        migrations.AlterField(
            "club",
            "is_public",
            models.BooleanField(
                default=False,
                help_text="Everyone sees it, but not its money.",
                verbose_name="public",
            ),
        ),
        migrations.RunSQL(TELL, migrations.RunSQL.noop),
    ]
