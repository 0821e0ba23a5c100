from django.db import models
from django.db.models import OuterRef, Q, Subquery

from tables.models.dated import ActRow


def latest(of: str = "") -> Q:
    """Return the condition for the valid version of a game, current or held.

    `of` is the lookup prefix of the results, such as "results__".
    """
    return Q(**{f"{of}current": True}) | Q(**{f"{of}held": True})


def first_saved() -> Subquery:
    """Return the expression for when a result's game was first saved, whatever was corrected."""
    first = Result.objects.filter(
        sitting=OuterRef("sitting"), game_no=OuterRef("game_no"), version=1
    )
    return Subquery(first.values("at")[:1])


class Result(ActRow):
    """One version of one game's outcome at a sitting. A correction adds a version.

    Only `current` versions count. Before a night's ceremony a game's version is `held` instead, so
    that no reader of results can leak it; the ceremony makes it current.
    """

    class Source(models.TextChoices):
        ENTERED = "entered"
        LIVE = "live"

    sitting = models.ForeignKey(
        "league.Sitting", on_delete=models.PROTECT, related_name="results", db_index=False
    )
    game_no = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    held = models.BooleanField(
        default=False, db_default=False, help_text="Kept back until the ceremony; then current."
    )
    void = models.BooleanField(default=False, help_text="The game was entered by mistake.")
    source = models.CharField(max_length=8, choices=Source.choices, default=Source.ENTERED)
    specials = models.JSONField(default=list)
    client_id = models.UUIDField(unique=True)
    device = models.CharField(
        max_length=32, blank=True, help_text="The phone it came from, where nobody signed in."
    )
    tapped_at = models.DateTimeField(
        null=True, help_text="When it was entered on a phone that could not send it at once."
    )
    reason = models.CharField(max_length=200, blank=True)
    stake = models.PositiveIntegerField(
        null=True, help_text="What it was played for, where that is not the event's stake of now."
    )

    class Meta:
        ordering = ["game_no", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "game_no", "version"], name="result_version_once"
            ),
            models.UniqueConstraint(
                fields=["sitting", "game_no"],
                condition=Q(current=True),
                name="result_one_current_version",
            ),
            models.UniqueConstraint(
                fields=["sitting", "game_no"],
                condition=Q(held=True),
                name="result_one_held_version",
            ),
            models.CheckConstraint(
                condition=~Q(current=True, held=True), name="result_held_counts_not_yet"
            ),
            models.CheckConstraint(
                condition=Q(tapped_at=None) | Q(tapped_at__lte=models.F("at")),
                name="result_tapped_before_it_came",
            ),
            models.CheckConstraint(
                condition=Q(game_no__gte=1, version__gte=1), name="result_counts_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.game_no} v{self.version}"

    @property
    def played_for(self) -> int:
        """The stake of the game: its own, else that of its event."""
        return self.sitting.round.event.stake_of(self)


class Placing(models.Model):
    """An entrant's place in one game: rank 1 is first; `tied` entrants share the place."""

    result = models.ForeignKey(
        Result, on_delete=models.CASCADE, related_name="placings", db_index=False
    )
    entrant = models.ForeignKey("league.Entrant", on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    tied = models.PositiveSmallIntegerField(default=1)
    size = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["rank", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["result", "entrant"], name="placing_once_per_result"),
            models.UniqueConstraint(fields=["result", "seat"], name="placing_seat_once_per_result"),
            models.CheckConstraint(
                condition=Q(rank__gte=1, tied__gte=1, size__gte=2, size__lte=8)
                & Q(rank__lte=models.F("size") + 1 - models.F("tied")),
                name="placing_fits_the_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.result_id} {self.entrant_id} {self.rank}"

    @property
    def numbered(self) -> str:
        """The place and the name, as messages show them."""
        return f"{self.rank}. {self.entrant.player.name}"


class Tally(models.Model):
    """How often an entrant took one place, at one table of a night or in a whole bot tournament.

    The counts can be rebuilt from a night's current placings or a run's finished units. Standings
    are a pure function of them.
    """

    event = models.ForeignKey(
        "league.Event", on_delete=models.CASCADE, related_name="tallies", db_index=False
    )
    sitting = models.ForeignKey(
        "league.Sitting", null=True, on_delete=models.CASCADE, help_text="None where bots play."
    )
    entrant = models.ForeignKey("league.Entrant", on_delete=models.CASCADE, related_name="tallies")
    size = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    tied = models.PositiveSmallIntegerField()
    games = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "sitting", "entrant", "size", "rank", "tied"],
                name="tally_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(condition=Q(games__gte=1), name="tally_counts_games"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} {self.rank}/{self.size}: {self.games}"
