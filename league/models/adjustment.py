from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tables.models.dated import DatedRow


class AdjustmentQuerySet(models.QuerySet["Adjustment"]):
    def in_force(self) -> AdjustmentQuerySet:
        """Return the adjustments that are not revoked."""
        return self.filter(revoked_at=None)

    def for_season(self) -> AdjustmentQuerySet:
        """Return the adjustments in force that count for the season.

        A night that gives nothing contributes no adjustments. One that gives points for final
        places contributes only absence and lateness: the others have already affected the places.
        """
        rules = {Adjustment.Cause.ABSENCE, Adjustment.Cause.LATENESS}
        given = self.in_force().exclude(event__scoring__contains={"gives": "nothing"})
        return given.filter(~Q(event__scoring__contains={"gives": "places"}) | Q(cause__in=rules))


class Adjustment(DatedRow):
    """Points that an organiser gave or (negative) took, in an event or in the season as a whole.

    They are stored apart from results, so that no correction or recount loses them. An adjustment
    is revoked, never deleted.
    """

    class Cause(models.TextChoices):
        ABSENCE = "absence", _("missed the night")
        LATENESS = "lateness", _("came late")
        HANDICAP = "handicap", _("handicap")

    class Stage(models.TextChoices):
        GROUP = "group", pgettext_lazy("stage", "Groups")
        TABLE = "table", _("round")
        FINAL = "final", _("Final")

    season = models.ForeignKey(
        "league.Season", on_delete=models.CASCADE, related_name="adjustments"
    )
    # A composite foreign key keeps the event in the season (migration 0020).
    event = models.ForeignKey("league.Event", null=True, blank=True, on_delete=models.PROTECT)
    player = models.ForeignKey(
        "league.Player", on_delete=models.PROTECT, related_name="adjustments"
    )
    points = models.DecimalField(max_digits=12, decimal_places=3)
    reason = models.CharField(max_length=200)
    cause = models.CharField(
        max_length=8,
        choices=Cause.choices,
        default="",
        db_default="",
        blank=True,
        help_text="Of what the night's rules gave; empty: an organiser decided.",
    )
    stage = models.CharField(
        max_length=5,
        choices=Stage.choices,
        default="",
        db_default="",
        blank=True,
        help_text="Of a night with stages, the one in which it counts; empty: its groups.",
    )
    stage_round = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Of a stage of tables, the number of its round."
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True)

    objects = AdjustmentQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(points=0), name="adjustment_changes_something"),
            models.CheckConstraint(condition=~Q(reason=""), name="adjustment_has_a_reason"),
            models.CheckConstraint(
                condition=Q(stage="") | Q(event__isnull=False), name="adjustment_stage_of_a_night"
            ),
            models.CheckConstraint(
                condition=Q(stage="table", stage_round__isnull=False)
                | Q(stage__in=["", "group", "final"], stage_round=None),
                name="adjustment_round_of_a_table",
            ),
            models.UniqueConstraint(
                fields=["event", "player", "cause"],
                condition=~Q(cause=""),
                name="adjustment_by_rule_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.points}: {self.told}"

    @property
    def is_taken_back(self) -> bool:
        """Whether the rule that gave it has revoked it, by nobody's decision, and may give it."""
        return bool(self.cause and self.revoked_at and self.revoked_by_id is None)

    @staticmethod
    def words(reason: str) -> str:
        """Return a reason as displayed; a cause's key becomes its label."""
        causes = Adjustment.Cause
        return str(causes(reason).label) if reason in causes.values else reason

    @property
    def stage_name(self) -> str:
        """The displayed name of the stage in which it counts; "" if none is named."""
        if self.stage == self.Stage.TABLE:
            return str(_("Round %(number)s") % {"number": self.stage_round})
        return str(self.Stage(self.stage).label) if self.stage else ""

    @property
    def told(self) -> str:
        """The displayed cause or reason, in the reader's language."""
        return self.words(self.cause or self.reason)
