from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from league.models.result import latest
from tables.models.dated import DatedRow


class Round(models.Model):
    """One draw of an event. Organisers alone see a draft; everyone sees a released round."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        RELEASED = "released", _("released")

    event = models.ForeignKey("league.Event", on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.DRAFT)
    seed = models.BigIntegerField(help_text="The same seed and settings give the same draw.")
    settings = models.JSONField(default=dict)
    quality = models.JSONField(default=dict)
    version = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="The event's version when the draw was last changed or released.",
    )
    released_at = models.DateTimeField(null=True, blank=True)
    clock_minutes = models.PositiveSmallIntegerField(null=True)
    clock_started_at = models.DateTimeField(
        null=True, help_text="Moved on by every pause, so that it lies the time played ago."
    )
    clock_paused_at = models.DateTimeField(null=True)
    last_game_at = models.DateTimeField(null=True, help_text="When the last game was called.")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_once_per_event"),
            models.UniqueConstraint(
                fields=["event"], condition=Q(status="draft"), name="round_one_draft_per_event"
            ),
            models.CheckConstraint(
                condition=Q(status="draft") | Q(released_at__isnull=False),
                name="round_released_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(clock_started_at=None, clock_paused_at=None)
                | Q(
                    clock_started_at__isnull=False,
                    clock_minutes__gte=1,
                    clock_minutes__lte=600,
                    status="released",
                ),
                name="round_clock_runs_when_released",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.number}"


class SittingQuerySet(models.QuerySet["Sitting"]):
    def with_games_played(self) -> SittingQuerySet:
        """Annotate each sitting with its numbers of games, and order by table.

        `games_played` includes held games, and `last_at` is the time of the latest, None before it.
        `games_settled` adds the games that were called off.
        """
        entered = latest("results__")
        counted = entered & models.Q(results__void=False)
        at = Coalesce("results__tapped_at", "results__at")
        return self.annotate(
            games_played=models.Count("results", filter=counted),
            games_settled=models.Count("results", filter=entered),
            last_at=models.Max(at, filter=counted),
        ).order_by("table_no")


class Sitting(models.Model):
    """The players at one physical table for one round."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="sittings")
    table_no = models.PositiveSmallIntegerField()
    first_dealer = models.PositiveSmallIntegerField(
        default=0, help_text="The seat that deals first."
    )
    was_cut = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether the table has noted who cut the highest card.",
    )
    version = models.PositiveIntegerField(default=0, help_text="Rises with every change shown.")
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    called_at = models.DateTimeField(null=True, help_text="Since when it calls the director.")
    call_seen_at = models.DateTimeField(null=True, help_text="Since when an organiser is coming.")
    call_note = models.CharField(max_length=120, blank=True)
    stake = models.PositiveIntegerField(
        null=True, help_text="Of its next games, where that is not the event's stake of now."
    )
    stake_since = models.PositiveSmallIntegerField(
        null=True, help_text="The first game with the stake that the table chose."
    )

    objects = SittingQuerySet.as_manager()

    class Meta:
        ordering = ["table_no"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table_no"], name="sitting_table_once"),
            models.CheckConstraint(
                condition=Q(call_seen_at=None) | Q(called_at__isnull=False),
                name="sitting_seen_only_if_called",
            ),
            # Target of the composite foreign key (sitting, round) of `Place`.
            models.UniqueConstraint(fields=["id", "round"], name="sitting_of_round"),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.table_no}"

    @property
    def seated(self) -> list[Place]:
        """The current seats in seat order; no query if `places` is prefetched."""
        return [place for place in self.places.all() if place.to_game is None]


class StakeOffer(DatedRow):
    """A player's proposal that a table plays for another stake from its next game on.

    It applies at once. A No or an undo ends it and puts back what `was`, None the event's stake,
    until its game is saved; a player who says nothing agrees.
    """

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="stake_offers")
    game_no = models.PositiveSmallIntegerField()
    was = models.PositiveIntegerField(null=True)
    stake = models.PositiveIntegerField()
    entrant = models.ForeignKey(
        "league.Entrant", null=True, on_delete=models.CASCADE, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    agreed = models.ManyToManyField("league.Entrant", related_name="+")
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        "league.Entrant", null=True, on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "game_no"],
                condition=Q(ended_at=None),
                name="stake_offer_one_open_per_game",
            ),
            models.CheckConstraint(
                condition=Q(stake__gte=1, game_no__gte=1), name="stake_offer_is_above_0"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.game_no}: {self.stake}"


class Place(models.Model):
    """An entrant in a seat, from one game to another; seats are numbered in order of play.

    An entrant who joins after a table's first game takes a vacated seat or a new one after the
    last. An entrant sits at one table of a round at a time.
    """

    class Left(models.TextChoices):
        LOST = "lost", _("came last and gave up the seat")
        CAP = "cap", _("reached the limit and gave up the seat")
        DONE = "done", _("the table finished")

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="places")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="+")
    entrant = models.ForeignKey("league.Entrant", on_delete=models.PROTECT, related_name="places")
    seat = models.PositiveSmallIntegerField()
    from_game = models.PositiveSmallIntegerField(default=1)
    to_game = models.PositiveSmallIntegerField(
        null=True, help_text="The last game in this seat, of who left it."
    )
    left_because = models.CharField(
        max_length=4,
        choices=Left.choices,
        blank=True,
        help_text="Of who left by the night's own rule, not by going home.",
    )

    class Meta:
        ordering = ["seat", "from_game"]
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "seat", "from_game"], name="place_seat_once"
            ),
            models.UniqueConstraint(
                fields=["round", "entrant"],
                condition=Q(to_game=None),
                name="place_one_table_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(left_because="") | Q(to_game__isnull=False),
                name="place_left_has_an_end",
            ),
            models.UniqueConstraint(
                fields=["sitting", "seat"],
                condition=Q(to_game=None),
                name="place_one_holder_of_a_seat",
            ),
            models.CheckConstraint(condition=Q(seat__lte=31), name="place_seat_in_range"),
            models.CheckConstraint(
                condition=Q(to_game=None) | Q(to_game__gte=models.F("from_game")),
                name="place_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.seat}"

    def holds_in(self, game_no: int) -> bool:
        """Return whether the entrant has the seat in that game."""
        return self.from_game <= game_no and (self.to_game is None or self.to_game >= game_no)


class Bye(models.Model):
    """An entrant who sits out a round."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entrant = models.ForeignKey("league.Entrant", on_delete=models.PROTECT, related_name="byes")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="bye_once_per_round")
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.entrant_id}"
