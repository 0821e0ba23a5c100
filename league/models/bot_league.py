from __future__ import annotations

from django.db import models
from django.db.models import Q


class BotLeague(models.Model):
    """Bots in divisions: at each time of its schedule each division plays a tournament.

    A division has about `size` bots, of which up to `moves` go up and as many go down each time.
    Without a schedule it has ended.
    """

    season = models.ForeignKey(
        "league.Season", on_delete=models.CASCADE, related_name="bot_leagues"
    )
    schedule = models.OneToOneField(
        "league.Schedule", null=True, on_delete=models.SET_NULL, related_name="bot_league"
    )
    name = models.CharField(max_length=80)
    size = models.PositiveSmallIntegerField()
    moves = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(size__gte=2, size__lte=8), name="bot_league_size_fits_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(moves__gte=1, moves__lte=4), name="bot_league_moves_in_range"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Matchday(models.Model):
    """One time at which all divisions of a league played; `day` by the club's clock."""

    league = models.ForeignKey(BotLeague, on_delete=models.CASCADE, related_name="matchdays")
    number = models.PositiveIntegerField()
    day = models.DateField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="matchday_number_once"),
            models.UniqueConstraint(fields=["league", "day"], name="matchday_once_a_day"),
            models.CheckConstraint(condition=Q(number__gte=1), name="matchday_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"


class LeagueSeat(models.Model):
    """A bot's seat in a division: `number` counts through all divisions, from the top.

    `bot` is the bot in all its versions, `entry` the version that plays. A bot that was away, or
    whose division had too few, has no `event`.
    """

    matchday = models.ForeignKey(Matchday, on_delete=models.CASCADE, related_name="seats")
    bot = models.CharField(max_length=30)
    number = models.PositiveIntegerField()
    division = models.PositiveIntegerField()
    entry = models.CharField(max_length=30)
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.SET_NULL, related_name="league_seats"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["matchday", "bot"], name="league_seat_bot_once"),
            models.UniqueConstraint(fields=["matchday", "number"], name="league_seat_number_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, division__gte=1, division__lte=models.F("number")),
                name="league_seat_counts_from_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} {self.division}"
