"""Live tables that a club's players open for a stake, and their games in the season's ledger."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ADD = """
    INSERT INTO league_moneytally (season_id, event_id, account_id, games, other)
    SELECT coalesce(e.season_id, p.season_id), t.event_id, side.account,
           sum(CASE WHEN {other} THEN 0 ELSE side.sign * t.amount END),
           sum(CASE WHEN {other} THEN side.sign * t.amount ELSE 0 END)
    FROM added t
    LEFT JOIN league_event e ON e.id = t.event_id
    LEFT JOIN league_posting p ON p.id = t.posting_id
    CROSS JOIN LATERAL (VALUES (t.payee_id, 1), (t.payer_id, -1)) AS side (account, sign)
    GROUP BY 1, 2, 3
    ORDER BY 3
    ON CONFLICT (season_id, event_id, account_id) DO UPDATE
    SET games = league_moneytally.games + excluded.games,
        other = league_moneytally.other + excluded.other;
"""
KEEP = """
CREATE OR REPLACE FUNCTION league_add_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {add}
    RETURN NULL;
END $$;
"""
KINDS = [
    ("settlement", "settled"),
    ("cost", "shared cost"),
    ("fee", "entry fee"),
    ("prize", "prize"),
    ("game", "game at a table"),
]


def keep(other: str) -> str:
    """Return the function of migration 0071 that adds new transfers; `other` are not those of games."""
    return KEEP.format(add=ADD.format(other=other))


class Migration(migrations.Migration):
    contract = "a posting has one kind more; every value of the release before is one still"
    dependencies = [
        ("league", "0130_season_table_nights"),
        ("tables", "0050_for_members"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ClubTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="league.season",
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="club_table",
                        to="tables.table",
                    ),
                ),
            ],
            options={"ordering": ["-id"]},
        ),
        migrations.CreateModel(
            name="ClubSeat",
            fields=[
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="club_seat",
                        serialize=False,
                        to="tables.seat",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="posting",
            name="game",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="posting",
                to="tables.game",
            ),
        ),
        migrations.RemoveConstraint(model_name="posting", name="posting_kind_known"),
        migrations.AlterField(
            model_name="posting",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=12),
        ),
        migrations.AddConstraint(
            model_name="posting",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", [key for key, _name in KINDS])),
                name="posting_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="posting",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("game", None), models.Q(("event", None), ("kind", "game")), _connector="OR"
                ),
                name="posting_of_a_game",
            ),
        ),
        migrations.RunSQL(
            keep("t.result_id IS NULL AND p.kind <> 'game'"), keep("t.result_id IS NULL")
        ),
    ]
