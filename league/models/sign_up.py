from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tables.models.dated import DatedRow
from tables.models.named import NamedRow

MOST_GUESTS = 5


class SignUp(models.Model):
    """A night's sign-up list; locking its row locks the list."""

    event = models.OneToOneField("league.Event", on_delete=models.CASCADE, related_name="sign_up")
    places = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many can come, guests counted; None: everybody."
    )
    closes_at = models.DateTimeField(
        null=True, blank=True, help_text="Until then people sign up by themselves."
    )
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(places=None) | Q(places__gte=2), name="sign_up_places_for_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event}"

    @property
    def is_over(self) -> bool:
        """Whether the list is closed to everyone but organisers."""
        return self.closes_at is not None and self.closes_at <= timezone.now()


class SignUpAnswer(models.Model):
    """A player's answer to a sign-up list, with guests; `is_in` says whether they have places.

    `turn` is the order of the yes answers and of the waiting list. `device` is the key of the
    phone that answered.
    """

    class Reply(models.TextChoices):
        YES = "yes", _("coming")
        MAYBE = "maybe", _("maybe")
        NO = "no", _("not coming")

    sign_up = models.ForeignKey(SignUp, on_delete=models.CASCADE, related_name="answers")
    player = models.ForeignKey("league.Player", on_delete=models.PROTECT, related_name="answers")
    reply = models.CharField(max_length=5, choices=Reply.choices)
    guests = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveIntegerField(null=True)
    is_in = models.BooleanField(default=False)
    device = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["turn", "id"]
        constraints = [
            models.UniqueConstraint(fields=["sign_up", "player"], name="answer_once"),
            models.UniqueConstraint(fields=["sign_up", "turn"], name="answer_turn_once"),
            models.CheckConstraint(
                condition=Q(reply="yes", turn__isnull=False)
                | Q(reply__in=["maybe", "no"], turn=None, is_in=False, guests=0),
                name="answer_yes_has_a_turn",
            ),
            models.CheckConstraint(
                condition=Q(guests__lte=MOST_GUESTS), name="answer_guests_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.reply}"

    @property
    def people(self) -> int:
        """The number of seats needed, guests included."""
        return 1 + self.guests


class WaitingName(DatedRow, NamedRow):
    """An answer under a new name by a night's link, which an organiser takes or throws away."""

    sign_up = models.ForeignKey(SignUp, on_delete=models.CASCADE, related_name="waiting_names")
    name = models.CharField(max_length=60)
    name_key = models.CharField(max_length=180)
    reply = models.CharField(max_length=5, choices=SignUpAnswer.Reply.choices)
    guests = models.PositiveSmallIntegerField(default=0)
    device = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["sign_up", "name_key"], name="waiting_name_once"),
            models.CheckConstraint(
                condition=Q(guests__lte=MOST_GUESTS), name="waiting_name_guests_in_range"
            ),
        ]
