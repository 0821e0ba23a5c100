"""Online play: a night's plan, tables and results, and the club's stakes tables."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class LivePlan(models.Model):
    """How an event is played online; an event without a plan is played with real cards."""

    class Played(models.TextChoices):
        LIVE = "live", _("every table plays online")
        MIXED = "mixed", _("real cards; organisers can open single tables online")

    class Abandoned(models.TextChoices):
        COUNT = "count", _("the autopilot finishes the game, and it counts")
        FINISH = "finish", _("the autopilot finishes the round, and its games count")
        VOID = "void", _("the unfinished game does not count")

    event = models.OneToOneField("league.Event", on_delete=models.CASCADE, related_name="live_plan")
    played = models.CharField(max_length=5, choices=Played.choices, default=Played.LIVE)
    move_seconds = models.PositiveSmallIntegerField(default=40)
    abandoned = models.CharField(max_length=6, choices=Abandoned.choices, default=Abandoned.COUNT)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(played__in=["live", "mixed"])
                & Q(abandoned__in=["count", "finish", "void"]),
                name="live_plan_known",
            ),
            models.CheckConstraint(
                condition=Q(move_seconds__gte=5, move_seconds__lte=3600),
                name="live_plan_has_a_clock",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.played}"


class LiveTable(models.Model):
    """An online table of a sitting; its first game is the sitting's game `from_game`.

    Seat n online is the sitting's n-th seat. Until `ended_at` the sitting gets games only from this
    table. `problem` says why a game could not be recorded, as an English message template for the
    catalogue; `problem_params` are its parameters. `renewed` counts the replaced personal links by
    entrant.
    """

    sitting = models.ForeignKey(
        "league.Sitting", on_delete=models.CASCADE, related_name="live_tables"
    )
    table = models.OneToOneField(
        "tables.Table", on_delete=models.PROTECT, related_name="live_sitting"
    )
    from_game = models.PositiveSmallIntegerField()
    nonce = models.CharField(max_length=32, help_text="Personal links are made from it.")
    opened_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    abandoned = models.BooleanField(default=False)
    problem = models.CharField(max_length=300, blank=True)
    problem_params = models.JSONField(default=dict, db_default={}, blank=True)
    renewed = models.JSONField(default=dict)
    on_wall_at = models.DateTimeField(
        null=True, help_text="Since when an organiser has its games on the big screen."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sitting"], condition=Q(ended_at=None), name="live_table_one_per_sitting"
            ),
            models.CheckConstraint(
                condition=Q(from_game__gte=1), name="live_table_counts_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.table_id}"


class NightDeals(models.Model):
    """The deals of one round of a night whose tables all play the same cards.

    They may be there before the round is drawn, to be printed.
    """

    event = models.ForeignKey("league.Event", on_delete=models.CASCADE, related_name="deals")
    round_no = models.PositiveSmallIntegerField()
    shared = models.OneToOneField(
        "tables.SharedDeals", on_delete=models.PROTECT, related_name="night"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "round_no"], name="night_deals_once_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.round_no}"


class LiveResult(models.Model):
    """The engine's payments of an online game by entrant, stored beside the game's result.

    A game becomes a result once. `game` is null if the club was imported from another server.
    """

    result = models.OneToOneField("league.Result", on_delete=models.CASCADE, related_name="live")
    game = models.OneToOneField(
        "tables.Game", null=True, on_delete=models.PROTECT, related_name="league_result"
    )
    payments = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.result_id} {self.game_id}"


class ClubTable(models.Model):
    """An online stakes table that a player of the club opened outside any night.

    Its finished games are posted to the season until `ended_at`.
    """

    season = models.ForeignKey("league.Season", on_delete=models.PROTECT, related_name="tables")
    table = models.OneToOneField(
        "tables.Table", on_delete=models.PROTECT, related_name="club_table"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    opened_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.season_id} {self.table_id}"


class ClubSeat(models.Model):
    """The player in a seat at a stakes table, fixed even if the account is linked elsewhere."""

    seat = models.OneToOneField(
        "tables.Seat", primary_key=True, on_delete=models.CASCADE, related_name="club_seat"
    )
    player = models.ForeignKey("league.Player", on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.seat_id} {self.player_id}"
