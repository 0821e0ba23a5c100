from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Club(models.Model):
    """A club, a family or an association: everything else belongs to one."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=60, unique=True)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Asia/Ho_Chi_Minh")
    unit = models.CharField(
        _("unit of stakes"),
        max_length=20,
        default="điểm",
        help_text=_("What stakes are counted in: đồng, dollars, sweets, coffees, points."),
    )
    is_public = models.BooleanField(
        _("public"), default=True, help_text=_("Anyone may read standings without signing in.")
    )
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="league.Membership")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What an account may do in a club; `league.rights` says what each role may."""

    class Role(models.TextChoices):
        PLAYER = "player", _("player")
        SCORER = "scorer", _("scorer")
        ORGANISER = "organiser", _("organiser")
        OWNER = "owner", _("owner")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["player", "scorer", "organiser", "owner"]),
                name="membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.role} {self.club}"
