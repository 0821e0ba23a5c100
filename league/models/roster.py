from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models.named import NamedRow


class Roster(NamedRow):
    """A team or a category of a season: named players with standings of their own."""

    class Kind(models.TextChoices):
        TEAM = "team", _("team")
        CATEGORY = "category", _("category")

    season = models.ForeignKey("league.Season", on_delete=models.CASCADE, related_name="rosters")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=60)

    class Meta:
        ordering = ["kind", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "kind", "name"], name="roster_name_once_per_season"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["team", "category"]), name="roster_kind_known"
            ),
        ]


class RosterMember(models.Model):
    """A player of a roster; of at most one team per season, of any number of categories."""

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="members")
    season = models.ForeignKey("league.Season", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("league.Player", on_delete=models.PROTECT, related_name="rosters")
    is_team = models.BooleanField(help_text="As the roster is, so that the database can hold it.")
    captain = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["roster", "player"], name="roster_player_once"),
            models.UniqueConstraint(
                fields=["season", "player"], condition=Q(is_team=True), name="roster_one_team"
            ),
            models.UniqueConstraint(
                fields=["roster"], condition=Q(captain=True), name="roster_one_captain"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.roster_id} {self.player_id}"
