"""The terms of arranged tables: seats, games, stake."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from tables.models.play import Table


class Arrangement(models.Model):
    """The terms of an arranged table, whose stakes are counted in `unit`.

    Its seats are reserved or, with `members_only`, open to the people that the app behind the table
    admits (`tables.hosts`), and to no bot. With `rotates` the players may change after each game;
    the table is `held` until they are chosen (`tables.services.rotation`). The match ends after
    `games` games, or on request if `None`. `ready` lists the seats whose players are ready. With
    `plays_on` the autopilots play all games if everyone has left; `abandoned_game` is the first
    that ended without people.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="arrangement")
    stake = models.PositiveIntegerField(default=1)
    unit = models.CharField(max_length=20, blank=True)
    members_only = models.BooleanField(default=False, db_default=False)
    rotates = models.BooleanField(default=False, db_default=False)
    held = models.BooleanField(default=False, db_default=False)
    games = models.PositiveSmallIntegerField(null=True)
    first_dealer = models.PositiveSmallIntegerField(default=0)
    plays_on = models.BooleanField(default=False)
    ready = models.JSONField(default=list)
    abandoned_game = models.PositiveIntegerField(null=True)
    home = models.CharField(max_length=200, blank=True, help_text="The page that it belongs to.")
    home_name = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(stake__gte=1), name="arrangement_has_a_stake"),
            models.CheckConstraint(
                condition=Q(games=None) | Q(games__gte=1), name="arrangement_has_games"
            ),
            models.CheckConstraint(
                condition=Q(held=False) | Q(rotates=True, members_only=False),
                name="arrangement_held_rotates",
            ),
            models.CheckConstraint(
                condition=Q(first_dealer__lte=7), name="arrangement_dealer_has_a_chair"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}"


class Successor(models.Model):
    """The next holder of an arranged table's seat, after the running game."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="successors")
    no = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    bot = models.CharField(max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "no"], name="successor_one_per_chair"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="", token_hash="")
                | Q(user=None, token_hash="") & ~Q(bot="")
                | Q(user=None, bot="") & ~Q(token_hash=""),
                name="successor_is_exactly_one",
            ),
        ]

    def __str__(self) -> str:
        return self.name
