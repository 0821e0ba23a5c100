from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from tables.models.dated import ActRow, CreatedRow
from tables.models.named import NamedRow


class ClubRulesetQuerySet(models.QuerySet["ClubRuleset"]):
    def offered(self) -> ClubRulesetQuerySet:
        """Return the rulesets that are not archived, for new seasons and tournaments."""
        return self.filter(archived_at=None)


class ClubRuleset(CreatedRow, NamedRow):
    """A club's house rules. Each change adds a version; seasons and events keep theirs."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="rulesets")
    name = models.CharField(_("name"), max_length=80)
    based_on = models.CharField(max_length=40, help_text="The key of the preset it started from.")
    version = models.PositiveIntegerField(default=1)
    frozen = models.ForeignKey("tables.FrozenRuleset", on_delete=models.PROTECT, related_name="+")
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = ClubRulesetQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint("club", Lower("name"), name="club_ruleset_name_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="club_ruleset_version_from_1"),
        ]


class ClubRulesetVersion(ActRow):
    """One version of a club's house rules, with its author and time. Immutable."""

    ruleset = models.ForeignKey(ClubRuleset, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    frozen = models.ForeignKey("tables.FrozenRuleset", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "number"], name="club_ruleset_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.number}"
