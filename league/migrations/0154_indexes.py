"""Indexes that a unique one begins with go, and two orders of pages get one."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.deletion import CASCADE, PROTECT

from league.models.spelling import Alphabetical


def key(to: str, on_delete: object = CASCADE, **options: object) -> models.ForeignKey:
    return models.ForeignKey(to, db_index=False, on_delete=on_delete, **options)


# Model, field, what it is now, and the index that Django made for it.
SUPERFLUOUS = (
    ("entrant", "event", key("league.event", related_name="entrants"), "586f2b29"),
    ("moneytally", "season", key("league.season", related_name="+"), "8eeb9491"),
    ("placing", "result", key("league.result", related_name="placings"), "28f3c001"),
    ("ratingpoint", "club", key("league.club", related_name="+"), "0157bcb6"),
    ("ratingpoint", "player", key("league.player"), "511646b4"),
    ("result", "sitting", key("league.sitting", PROTECT, related_name="results"), "ebe47653"),
    ("tally", "event", key("league.event", related_name="tallies"), "b51e3dfd"),
)


def dropped(model: str, field: str, name: str) -> migrations.RunSQL:
    """Take the index alone: Django would check the whole foreign key again."""
    table, column = f"league_{model}", f"{field}_id"
    index = f"{table}_{column}_{name}"
    return migrations.RunSQL(
        f"DROP INDEX CONCURRENTLY IF EXISTS {index}",
        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {index} ON {table} ({column})",
    )


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0153_folded")]

    operations = [
        *(
            migrations.SeparateDatabaseAndState(
                [dropped(model, name, index)],
                [migrations.AlterField(model_name=model, name=name, field=field)],
            )
            for model, name, field, index in SUPERFLUOUS
        ),
        AddIndexConcurrently(
            "club",
            models.Index(Alphabetical("name"), models.F("id"), name="club_alphabetical"),
        ),
        AddIndexConcurrently(
            "event",
            models.Index(
                condition=models.Q(kind="bots"),
                fields=["-date", "-id"],
                name="event_latest_of_bots",
            ),
        ),
    ]
