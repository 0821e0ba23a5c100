from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.binned import BinnedRow, NotBinned
from league.models.shown_names import NameShown, PersonName
from league.models.spelling import Folded
from tables.base.faces import ANIMALS, GROUNDS, Face, face_of, faces
from tables.models.dated import CreatedRow
from tables.models.named import NamedRow


class PlayerQuerySet(models.QuerySet["Player"]):
    def people(self) -> PlayerQuerySet:
        """Return people only, without bots and without names merged into another."""
        return self.filter(merged_into=None, bot="")


class KnownPlayers(NotBinned["Player"]):
    """Players that are not in their club's bin."""

    def get_queryset(self) -> PlayerQuerySet:
        return PlayerQuerySet(self.model, using=self._db).filter(binned_at=None)

    def people(self) -> PlayerQuerySet:
        """Return people only, as `PlayerQuerySet.people`."""
        return self.get_queryset().people()


class Player(CreatedRow, NamedRow, BinnedRow):
    """A person or a bot that plays for a club under a name; needs no account.

    With `merged_into` it is an alias: readers count its entries, results and money for that player.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="players")
    name = PersonName(_("name"), max_length=60)
    name_key = models.CharField(max_length=180, help_text="The name without case, to refuse twins.")
    sort_key = models.CharField(max_length=500, db_collation="C")
    folded = models.GeneratedField(
        expression=Folded("name"),
        output_field=models.TextField(),
        db_persist=True,
        help_text="The name without marks and case, to be found by.",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    bot = models.CharField(max_length=40, blank=True, help_text="A bot's name in `engine.bots`.")
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="aliases"
    )
    group = models.CharField(
        max_length=40, blank=True, help_text="Draws keep people of the same group apart."
    )
    together = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="Draws seat people of the same word at one table.",
    )
    fixed_table = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The table that this player needs, counted from one."
    )
    shows_ways = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether who owes the player here is shown how the account is paid; unset for "
        "links of before 1.2, which go on showing it.",
    )
    is_regular = models.BooleanField(
        default=False, db_default=False, help_text="Comes to every night unless they say no."
    )
    animal = models.CharField(
        max_length=10,
        blank=True,
        db_default="",
        default="",
        choices=[(name, name) for name in ANIMALS],
        help_text="The chosen face, if it is not the given one.",
    )
    ground = models.PositiveSmallIntegerField(
        null=True, help_text="The face's ground, if it was drawn before the player was created."
    )
    shown = models.CharField(
        max_length=10,
        choices=NameShown.choices,
        blank=True,
        default="",
        db_default="",
        help_text="Whether strangers see the name.",
    )

    objects = KnownPlayers()

    class Meta:
        ordering = ["sort_key", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name_key"],
                condition=models.Q(merged_into__isnull=True, binned_at=None),
                name="player_name_once_per_club",
            ),
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=models.Q(user__isnull=False, merged_into__isnull=True),
                name="player_account_once_per_club",
            ),
            models.CheckConstraint(
                condition=models.Q(fixed_table__isnull=True) | models.Q(fixed_table__gte=1),
                name="player_table_counts_from_one",
            ),
            models.CheckConstraint(
                condition=models.Q(ground=None) | models.Q(ground__gte=1, ground__lte=GROUNDS),
                name="player_ground_is_drawn",
            ),
            models.CheckConstraint(
                condition=models.Q(shown__in=NameShown.values), name="player_shown_known"
            ),
            models.CheckConstraint(
                condition=models.Q(bot="") | models.Q(user__isnull=True),
                name="player_bot_has_no_account",
            ),
            models.CheckConstraint(
                condition=~models.Q(merged_into=models.F("id")), name="player_not_its_own_alias"
            ),
        ]

    @property
    def names(self) -> PlayerQuerySet:
        """The player with the names merged into it."""
        return Player.objects.get_queryset().filter(
            models.Q(pk=self.pk) | models.Q(merged_into=self.pk)
        )

    @property
    def face(self) -> Face:
        """The player's face, the same on every page; a bot's is that of its name."""
        if self.bot:
            return faces([self.name.removesuffix(" (bot)")])[0]
        return face_of(self.pk, self.animal, self.ground)


class HiddenName(models.Model):
    """A name that another than its person removed; owners may bring it back for a week."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="hidden")
    name = models.CharField(max_length=60)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"player {self.player_id}"


class FormerName(models.Model):
    """A name that a player had before it was renamed; removed with the player's name."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=60)
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(
        null=True, db_index=True, help_text="When it is forgotten; until then owners alone see it."
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"player {self.player_id}"


class Mention(models.Model):
    """A text of the club that names a person whose name was removed, until an organiser decides.

    `kind` is the text's model and column, `words` are the parts of it that may be the name.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="mentions")
    kind = models.CharField(max_length=20)
    key = models.BigIntegerField()
    words = models.JSONField()
    instead = models.CharField(max_length=60, default="—")
    is_sure = models.BooleanField(help_text="Whether it has the whole name.")
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
