from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import days
from league.models.binned import BinnedRow, NotBinned
from league.models.shown_names import NameStyle
from league.models.spelling import Alphabetical, Folded
from tables.base.places import City, place_of
from tables.models.dated import CreatedRow, DatedRow
from tables.models.named import NamedRow

if TYPE_CHECKING:
    from accounts.models import User

OFFERED_FOR = datetime.timedelta(days=30)


class ClubQuerySet(models.QuerySet["Club"]):
    def public(self) -> ClubQuerySet:
        """Return the clubs that are public and not closed."""
        return self.filter(is_public=True, closed_at=None)

    def on_front(self) -> ClubQuerySet:
        """Return the public clubs whose nights the server's front page may show."""
        own = Membership.objects.filter(role=Membership.Role.OWNER, user__is_superuser=True)
        chosen = models.Q(on_front=True) | models.Q(on_front=None, pk__in=own.values("club"))
        return self.public().filter(chosen)

    def of(self, user: User) -> ClubQuerySet:
        """Return the clubs in which this account has a role; only owners get closed clubs."""
        held = Membership.objects.filter(user=user)
        open_or_own = models.Q(club__closed_at=None) | models.Q(role=Membership.Role.OWNER)
        return self.filter(pk__in=held.filter(open_or_own).values("club"))


class KnownClubs(NotBinned["Club"]):
    """Clubs that are not in their owner's bin."""

    def get_queryset(self) -> ClubQuerySet:
        return ClubQuerySet(self.model, using=self._db).filter(binned_at=None)

    def public(self) -> ClubQuerySet:
        """Return the public clubs, as `ClubQuerySet.public`."""
        return self.get_queryset().public()

    def on_front(self) -> ClubQuerySet:
        """Return the clubs of the front page, as `ClubQuerySet.on_front`."""
        return self.get_queryset().on_front()

    def of(self, user: User) -> ClubQuerySet:
        """Return the clubs in which this account has a role, as `ClubQuerySet.of`."""
        return self.get_queryset().of(user)


class Club(CreatedRow, NamedRow, BinnedRow):
    """A club, a family or an association. It owns all other data."""

    name = models.CharField(_("name"), max_length=80)
    folded = models.GeneratedField(
        expression=Folded("name"),
        output_field=models.TextField(),
        db_persist=True,
        help_text="The name without marks and case, to be found by.",
    )
    slug = models.SlugField(max_length=60, unique=True)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Asia/Ho_Chi_Minh")
    place = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="The place by which its clock is called; by default the zone's first one.",
    )
    language = models.CharField(
        max_length=5,
        blank=True,
        default="",
        db_default="",
        help_text="Of news and files for everyone.",
    )
    unit = models.CharField(
        _("unit of stakes"),
        max_length=20,
        help_text=_("What stakes are counted in: đồng, dollars, chips, sweets, coffees."),
    )
    is_public = models.BooleanField(
        _("public"), default=False, help_text="Everyone sees it, but not its money."
    )
    shows_names = models.CharField(
        max_length=10,
        choices=NameStyle.choices,
        blank=True,
        default="",
        db_default="",
        help_text="How strangers see the names of its people.",
    )
    on_front = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether the server's front page may show its nights; if unset, only where an "
        "owner of the club is an administrator of the server.",
    )
    embed_hosts = models.CharField(
        _("sites that may embed the standings"),
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text=_("Addresses such as https://club.example, separated by spaces."),
    )
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="league.Membership", through_fields=("club", "user")
    )
    closed_at = models.DateTimeField(
        null=True, blank=True, help_text="Since then only its owners see it."
    )
    stopped_because = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        help_text="Why an administrator of the server closed it; only they reopen it.",
    )

    held_by = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="Hash of the phone that owns the club without an account.",
    )
    second_by = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="Hash of a second phone that may run a club without an account.",
    )
    held_until = models.DateTimeField(
        null=True, blank=True, help_text="When a club without an account is deleted."
    )
    ends_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it is deleted, as its owner wants; until then any owner stops it.",
    )
    ends_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    objects = KnownClubs()

    shows_money = False
    """Whether the visitor may see the club's money; only `league.base.lookup` says so."""

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(binned_at=None) | models.Q(closed_at__isnull=False),
                name="club_in_the_bin_is_closed",
            ),
            models.CheckConstraint(
                condition=models.Q(stopped_because="") | models.Q(closed_at__isnull=False),
                name="club_stopped_is_closed",
            ),
            models.CheckConstraint(
                condition=models.Q(held_by="", held_until=None)
                | (~models.Q(held_by="") & models.Q(held_until__isnull=False, is_public=False)),
                name="club_held_is_private",
            ),
            models.CheckConstraint(
                condition=models.Q(shows_names__in=NameStyle.values), name="club_shows_names_known"
            ),
            models.CheckConstraint(
                condition=models.Q(second_by="") | ~models.Q(held_by=""),
                name="club_second_phone_only_if_held",
            ),
        ]
        indexes = [
            models.Index(Alphabetical("name"), "id", name="club_alphabetical"),
        ]

    @property
    def clock(self) -> City:
        """The place by whose clock the club plays."""
        return place_of(self.time_zone, self.place)

    @property
    def today(self) -> datetime.date:
        """The day of tonight's nights by the club's clock, until six in the morning."""
        return days.day_of(timezone.now(), self.time_zone)


class Membership(models.Model):
    """An account's role in a club; `league.base.rights` defines what each role may do."""

    class Role(models.TextChoices):
        PLAYER = "player", _("player")
        SCORER = "scorer", _("scorer")
        ORGANISER = "organiser", _("organiser")
        OWNER = "owner", _("owner")

    ORGANISERS = (Role.ORGANISER, Role.OWNER)

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    owner_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when it is an owner's; unset before 1.2."
    )
    ends_at = models.DateTimeField(
        null=True, blank=True, help_text="When an owner's role ends that another owner took."
    )
    ends_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    ends_as = models.CharField(
        max_length=10,
        blank=True,
        default="",
        db_default="",
        help_text="The role then; none if empty.",
    )
    stopped_at = models.DateTimeField(
        null=True, blank=True, help_text="When the owner stopped that: an administrator decides."
    )

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


class RoleOfferQuerySet(models.QuerySet["RoleOffer"]):
    def waiting(self) -> RoleOfferQuerySet:
        """Return the offers that may still be accepted; those to an account never expire."""
        in_time = models.Q(at__gt=timezone.now() - OFFERED_FOR) | models.Q(user__isnull=False)
        return self.filter(in_time, club__closed_at=None)

    def to(self, user: User) -> RoleOfferQuerySet:
        """Return the offers to this account that may still be accepted."""
        theirs = models.Q(user=user) | models.Q(user=None, email__iexact=user.email)
        found = self.waiting().filter(theirs).exclude(club__silenced_by__user=user)
        return found.select_related("club", "by", "player__merged_into")


class RoleOffer(DatedRow):
    """A role offered to an email address; accepting it creates a membership.

    With `player`, it also asks whether the account plays under that name. With `user`, it is for
    that account: a link of before 1.2, which nobody had confirmed.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="role_offers")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Membership.Role.choices)
    player = models.ForeignKey(
        "league.Player", null=True, on_delete=models.CASCADE, related_name="offers"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    objects = RoleOfferQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(Lower("email"), "club", name="role_offer_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["player", "scorer", "organiser", "owner"]),
                name="role_offer_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} in {self.club} for {self.email}"
