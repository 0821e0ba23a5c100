from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0180_bank_details"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="call_ends_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Until when those called have to be here; then they are absent.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="entrant",
            name="came_at",
            field=models.DateTimeField(help_text="When they first came tonight.", null=True),
        ),
        migrations.AddField(
            model_name="entrant",
            name="late",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether they came after the call or the first round.",
            ),
        ),
        # A choice more; the column stays.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="entrant",
                    name="presence",
                    field=models.CharField(
                        choices=[
                            ("expected", "not here yet"),
                            ("here", "here"),
                            ("left", "left"),
                            ("absent", "absent"),
                        ],
                        default="expected",
                        max_length=8,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="adjustment",
            name="cause",
            field=models.CharField(
                blank=True,
                choices=[("absence", "missed the night"), ("lateness", "came late")],
                db_default="",
                default="",
                help_text="Of what the night's rules gave; empty: an organiser decided.",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="adjustment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("cause", ""), _negated=True),
                fields=("event", "player", "cause"),
                name="adjustment_by_rule_once",
            ),
        ),
    ]
