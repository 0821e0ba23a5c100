"""Labels of choices in the words of the glossary: nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0151_unit_of_money"),
    ]

    operations = [
        # Labels and Python's defaults: the database stays as it is.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="club",
                    name="is_public",
                    field=models.BooleanField(
                        default=True,
                        help_text="Anyone can see the standings without signing in.",
                        verbose_name="public",
                    ),
                ),
                migrations.AlterField(
                    model_name="entrant",
                    name="presence",
                    field=models.CharField(
                        choices=[("expected", "not here yet"), ("here", "here"), ("left", "left")],
                        default="expected",
                        max_length=8,
                    ),
                ),
                migrations.AlterField(
                    model_name="event",
                    name="confirmed_by",
                    field=models.CharField(
                        choices=[
                            ("none", "nobody: games count as entered"),
                            ("player", "another player at the table, from another phone"),
                            ("organiser", "an organiser"),
                        ],
                        default="none",
                        max_length=10,
                    ),
                ),
                migrations.AlterField(
                    model_name="liveplan",
                    name="abandoned",
                    field=models.CharField(
                        choices=[
                            ("count", "the autopilot finishes the game, and it counts"),
                            ("finish", "the autopilot finishes the round, and its games count"),
                            ("void", "the unfinished game does not count"),
                        ],
                        default="count",
                        max_length=6,
                    ),
                ),
                migrations.AlterField(
                    model_name="liveplan",
                    name="played",
                    field=models.CharField(
                        choices=[
                            ("live", "every table plays online"),
                            ("mixed", "real cards; organisers can open single tables online"),
                        ],
                        default="live",
                        max_length=5,
                    ),
                ),
                migrations.AlterField(
                    model_name="place",
                    name="left_because",
                    field=models.CharField(
                        blank=True,
                        choices=[
                            ("lost", "came last and gave up the seat"),
                            ("cap", "reached the limit and gave up the seat"),
                            ("done", "the table finished"),
                        ],
                        help_text="Of who left by the night's own rule, not by going home.",
                        max_length=4,
                    ),
                ),
                migrations.AlterField(
                    model_name="posting",
                    name="kind",
                    field=models.CharField(
                        choices=[
                            ("settlement", "payment"),
                            ("cost", "shared cost"),
                            ("fee", "entry fee"),
                            ("prize", "prize"),
                            ("game", "game at a stakes table"),
                        ],
                        max_length=12,
                    ),
                ),
            ]
        ),
    ]
