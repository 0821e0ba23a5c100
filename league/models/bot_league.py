from django.db import models
from django.db.models import Q

from tables.models.dated import CreatedRow
from tables.models.named import NamedRow


class BotLeague(CreatedRow, NamedRow):
    """A league of bots in divisions; each division plays a tournament at each date of its schedule.

    A division has about `size` bots. After each matchday up to `moves` bots are promoted and as
    many relegated. A league without a schedule has ended.
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


class Matchday(models.Model):
    """One date on which all divisions of a league played; `day` is in the club's time zone."""

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
    """A bot's rank in a league on one matchday: `number` counts through all divisions from the top.

    `bot` names the bot in all its versions, `entry` the version that plays. `event` is null if the
    bot was absent or its division was too small.
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
