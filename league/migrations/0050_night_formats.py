from django.db import migrations, models

import league.models.event


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0060_nights_by_themselves"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="format",
            field=models.JSONField(
                default=league.models.event.rounds_format,
                help_text="How the night is run, a `NightFormat` as JSON.",
            ),
        ),
        migrations.AddField(
            model_name="entrant",
            name="ticket",
            field=models.IntegerField(
                help_text="Of who waits for a chair: the lowest comes next.", null=True
            ),
        ),
        migrations.AddField(
            model_name="entrant",
            name="passed_over",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="How often somebody behind in the queue was seated first."
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                fields=("event", "ticket"), name="entrant_ticket_once"
            ),
        ),
        migrations.AddField(
            model_name="place",
            name="left_because",
            field=models.CharField(
                blank=True,
                choices=[
                    ("lost", "lost and made room"),
                    ("cap", "played long enough and made room"),
                    ("done", "the table was done"),
                ],
                help_text="Of who left by the night's own rule, not by going home.",
                max_length=4,
            ),
        ),
        migrations.RemoveConstraint(model_name="place", name="place_one_table_per_round"),
        migrations.AddConstraint(
            model_name="place",
            constraint=models.UniqueConstraint(
                condition=models.Q(("to_game", None)),
                fields=("round", "entrant"),
                name="place_one_table_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="place",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("left_because", ""), ("to_game__isnull", False), _connector="OR"
                ),
                name="place_left_has_an_end",
            ),
        ),
    ]
