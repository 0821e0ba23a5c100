import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0171_bin"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="team_best",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="So many of a team's players count; None: all.", null=True
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="team_average",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether a team has the average of its players, not the sum.",
            ),
        ),
        migrations.CreateModel(
            name="Roster",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("team", "team"), ("category", "category")], max_length=8
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rosters",
                        to="league.season",
                    ),
                ),
            ],
            options={"ordering": ["kind", "name"]},
        ),
        migrations.CreateModel(
            name="RosterMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "is_team",
                    models.BooleanField(
                        help_text="As the roster is, so that the database can hold it."
                    ),
                ),
                ("captain", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rosters",
                        to="league.player",
                    ),
                ),
                (
                    "roster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="league.roster",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.season",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.AddConstraint(
            model_name="roster",
            constraint=models.UniqueConstraint(
                fields=("season", "kind", "name"), name="roster_name_once_per_season"
            ),
        ),
        migrations.AddConstraint(
            model_name="roster",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["team", "category"])), name="roster_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="rostermember",
            constraint=models.UniqueConstraint(
                fields=("roster", "player"), name="roster_player_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="rostermember",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_team", True)),
                fields=("season", "player"),
                name="roster_one_team",
            ),
        ),
        migrations.AddConstraint(
            model_name="rostermember",
            constraint=models.UniqueConstraint(
                condition=models.Q(("captain", True)),
                fields=("roster",),
                name="roster_one_captain",
            ),
        ),
    ]
