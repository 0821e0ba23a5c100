import re

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tables.base.placings import place_name
from tables.models.dated import ActRow, DatedRow

CLAIM = "I was number %(place)s, not %(recorded)s."
_CLAIM = re.compile(r"I was number (?P<place>\d+), not (?P<recorded>\d+)\.")


class Confirmation(ActRow):
    """A confirmation by a second person that one version of a game is right."""

    result = models.OneToOneField(
        "league.Result", on_delete=models.CASCADE, related_name="confirmation"
    )
    device = models.CharField(max_length=32, blank=True)

    def __str__(self) -> str:
        return f"{self.result_id} confirmed"


class Dispute(DatedRow):
    """A claim from the table that a game is wrong; open until corrected or dismissed."""

    class Outcome(models.TextChoices):
        OPEN = "open", _("open")
        CORRECTED = "corrected", _("corrected")
        DISMISSED = "dismissed", _("dismissed")

    class Kind(models.TextChoices):
        ORDER = "order", _("Wrong order")
        SPECIALS = "specials", _("Wrong chops or penalties")
        OTHER = "other", _("Something else")

    sitting = models.ForeignKey("league.Sitting", on_delete=models.CASCADE, related_name="disputes")
    game_no = models.PositiveSmallIntegerField()
    kind = models.CharField(
        max_length=8, choices=Kind.choices, blank=True, default="", db_default=""
    )
    note = models.CharField(max_length=200, blank=True)
    place = models.PositiveSmallIntegerField(
        null=True, help_text="The place in the game that its player claims."
    )
    player = models.ForeignKey(
        "league.Player",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who says so, where the phone or the account is a player's.",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    device = models.CharField(max_length=32, blank=True)
    seen_at = models.DateTimeField(null=True, help_text="Since when an organiser looks at it.")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.OPEN)
    reason = models.CharField(max_length=200, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(place=None) | Q(place__gte=1), name="dispute_place_counts_from_one"
            ),
            models.UniqueConstraint(
                fields=["sitting", "game_no"],
                condition=Q(outcome="open"),
                name="dispute_one_open_per_game",
            ),
            models.CheckConstraint(
                condition=Q(outcome="open", resolved_at=None)
                | Q(outcome="corrected", resolved_at__isnull=False)
                | (Q(outcome="dismissed", resolved_at__isnull=False) & ~Q(reason="")),
                name="dispute_resolved_has_its_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.game_no} {self.outcome}"

    @property
    def told(self) -> str:
        """The claim as displayed: the person, the kind and the note."""
        kind = f"{self.get_kind_display()}." if self.kind else ""
        said = f"{kind} {self.words(self.note)}".strip()
        return f"{self.said_by}: {said}" if said else str(self.said_by)

    @property
    def heard(self) -> str:
        """Who reads the organisers' answer."""
        return gettext("%(name)s and the table see it.") % {"name": self.said_by}

    @staticmethod
    def words(note: str) -> str:
        """Return a note as displayed: a claim of a place, stored in English, is translated."""
        if not (found := _CLAIM.match(note)):
            return note
        places = {name: place_name(int(number)) for name, number in found.groupdict().items()}
        return gettext("I was %(place)s, not %(recorded)s.") % places + note[found.end() :]

    @property
    def said_by(self) -> object:
        """Who says so, as far as it is known."""
        if self.player is not None:
            return self.player.merged_into or self.player
        return self.by or _("A phone at the table")
