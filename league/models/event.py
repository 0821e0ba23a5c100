from __future__ import annotations

import datetime
import zoneinfo
from typing import Any, Protocol

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from engine.rules.ruleset import Ruleset
from league.models import days
from league.models.binned import BinnedRow, NotBinned
from league.models.spelling import Folded
from league.nights.domain.night_formats import FLOORS, NightFormat
from league.nights.domain.night_plans import COLUMNS, CONFIRMED, NightPlan
from league.seasons.domain.scoring import Scoring
from tables.base import rulesets
from tables.base.places import City, place_of
from tables.models.dated import CreatedRow
from tables.models.named import NamedRow


def rounds_format() -> dict[str, Any]:
    """Return the default night format, rounds, as JSON."""
    return NightFormat().to_json()


class CountedRow(CreatedRow, NamedRow, BinnedRow):
    """A row whose games are played by its rules and count by its scoring, until it is closed."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    name = models.CharField(_("name"), max_length=80)
    ruleset = models.ForeignKey("tables.FrozenRuleset", on_delete=models.PROTECT)
    scoring = models.JSONField()
    tie_breaks = models.JSONField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)

    objects = NotBinned()

    class Meta:
        abstract = True


class Season(CountedRow):
    """A series of events whose points add up; new events start with its rules and scoring."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="seasons")
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    ranks_bots = models.BooleanField(
        _("a season of bots"),
        default=False,
        db_default=False,
        help_text=_("Bots are ranked as everyone else, and their tournaments count."),
    )
    team_best = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="So many of a team's players count; None: all."
    )
    team_average = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether a team has the average of its players, not the sum.",
    )
    fixed_unit = models.CharField(
        max_length=20,
        blank=True,
        default="",
        db_default="",
        help_text="What its amounts are counted in, where the club counts in something else now.",
    )

    class Meta:
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"],
                condition=Q(binned_at=None),
                name="season_name_once_per_club",
            ),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="season_ends_after_it_starts",
            ),
        ]

    def clean(self) -> None:
        """Refuse days that another clock may not have."""
        for field in ("starts_on", "ends_on"):
            if day := getattr(self, field):
                days.refuse_far(field, day)

    @property
    def unit(self) -> str:
        """The unit of its amounts."""
        return self.fixed_unit or self.club.unit

    @property
    def counted_events(self) -> models.QuerySet[Event]:
        """The events that give the season points, except those whose `gives` is "nothing".

        Nights always count; bot tournaments count only in a season of bots (`ranks_bots`).
        """
        # Nights of before 574bd93 say nothing of `gives`; of a key that lacks, SQL knows no answer.
        events = Event.objects.filter(season=self).exclude(scoring__contains={"gives": "nothing"})
        return events if self.ranks_bots else events.filter(kind=Event.Kind.NIGHT)


class HasStake(Protocol):
    @property
    def stake(self) -> int | None: ...


class Event(CountedRow):
    """A club night or a bot tournament of a season."""

    class Kind(models.TextChoices):
        NIGHT = "night", _("club night")
        BOTS = "bots", _("bot tournament")

    class Confirmed(models.TextChoices):
        NONE = "none", _(CONFIRMED["none"])
        PLAYER = "player", _(CONFIRMED["player"])
        ORGANISER = "organiser", _(CONFIRMED["organiser"])

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.NIGHT)
    folded = models.GeneratedField(
        expression=Folded("name"),
        output_field=models.TextField(),
        db_persist=True,
        help_text="The name without marks and case, to be found by.",
    )
    date = models.DateField(_("date"))
    starts_at = models.TimeField(
        _("starts at"), null=True, blank=True, help_text="By the club's clock."
    )
    venue = models.CharField(max_length=80, blank=True, default="", db_default="")
    time_zone = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="Where it was played, if its club has moved to another zone since.",
    )
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), default=3)
    stake = models.PositiveIntegerField(_("stake"), default=0)
    confirmed_by = models.CharField(
        max_length=10, choices=Confirmed.choices, default=Confirmed.NONE
    )
    round_minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How long a round takes by its clock."
    )
    format = models.JSONField(
        default=rounds_format, help_text="How the night is run, a `NightFormat` as JSON."
    )
    run = models.OneToOneField("tables.Run", null=True, blank=True, on_delete=models.PROTECT)
    version = models.PositiveIntegerField(default=0, help_text="Rises with every change shown.")
    closed_at = models.DateTimeField(null=True, blank=True)
    called_off_at = models.DateTimeField(null=True, blank=True)
    call_ends_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Until when those called have to be here; then they are absent.",
    )
    told = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text="How many places the ceremony has told, from the last one up.",
    )
    told_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when everything is told that was kept back."
    )
    sequence = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Rises when calendars have to change."
    )
    planned_at = models.DateTimeField(
        null=True, blank=True, help_text="When the sequence last rose; None: at creation."
    )

    QUEUES = FLOORS
    """The formats whose tables stay open all night while their players change."""

    class Meta:
        ordering = ["-date", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(rounds_planned__gte=1, rounds_planned__lte=60),
                name="event_rounds_in_range",
            ),
            models.CheckConstraint(
                condition=Q(status="open") | Q(closed_at__isnull=False),
                name="event_closed_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(called_off_at=None) | Q(status="closed"),
                name="event_called_off_is_closed",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__in=["none", "player", "organiser"]),
                name="event_confirmed_by_known",
            ),
            models.CheckConstraint(
                condition=Q(round_minutes=None) | Q(round_minutes__gte=1, round_minutes__lte=600),
                name="event_round_minutes_in_range",
            ),
            models.CheckConstraint(
                condition=Q(run__isnull=True) | Q(kind="bots"), name="event_run_is_of_bots"
            ),
            models.CheckConstraint(
                condition=~Q(stake__gt=0, format__ceremony__gt=0),
                name="event_keeps_no_money_back",
            ),
        ]
        indexes = [
            models.Index(
                fields=["-date", "-id"], condition=Q(kind="bots"), name="event_latest_of_bots"
            )
        ]

    def clean(self) -> None:
        """Refuse a day that another clock may not have."""
        days.refuse_far("date", self.date)

    @property
    def name_and_club(self) -> str:
        """Its name where nights of several clubs may stand."""
        return f"{self.name} · {self.season.club.name}"

    @property
    def venue_name(self) -> str:
        """The venue without its street, for a line of a phone."""
        return self.venue.partition(",")[0]

    @property
    def is_in_play(self) -> bool:
        """Whether it is tonight's and not closed: each game changes who pays whom."""
        return self.is_open and self.day == self.season.club.today

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN and self.binned_at is None

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The time zone of its date and start: its club's, or the one it was played in."""
        return zoneinfo.ZoneInfo(self.time_zone or self.season.club.time_zone)

    @property
    def clock(self) -> City:
        """The place by whose clock it is played."""
        return place_of(self.time_zone) if self.time_zone else self.season.club.clock

    @property
    def outside_season(self) -> bool:
        """Whether its day is before the first or after the last of its season, which counts it."""
        first, last = self.season.starts_on, self.season.ends_on
        return self.day < first or (last is not None and self.day > last)

    @property
    def begins(self) -> datetime.datetime | None:
        """When it starts; None for a night without an hour."""
        if self.starts_at is None:
            return None
        return datetime.datetime.combine(self.date, self.starts_at, tzinfo=self.zone)

    @property
    def hour(self) -> datetime.time | None:
        """Its start as the clock there shows it: 03:30 for a 02:30 that the spring skips."""
        if self.begins is None:
            return None
        return self.begins.astimezone(datetime.UTC).astimezone(self.zone).time()

    @property
    def day(self) -> datetime.date:
        """The day to which it belongs: one that starts at 00:30 is of the evening before."""
        return days.day_of_start(self.date, self.starts_at)

    @property
    def days_ahead(self) -> int:
        """In how many days by the club's clock it is; below 0 if its day is over.

        A night without an hour is tonight's from midnight on.
        """
        if self.starts_at is None and self.date == timezone.localdate(timezone=self.zone):
            return 0
        return (self.day - self.season.club.today).days

    @property
    def rules(self) -> Ruleset:
        """Return the rules of the game, frozen when the event was created."""
        return rulesets.of(self)

    @cached_property
    def rules_of_scoring(self) -> Scoring:
        return Scoring.from_json(self.scoring)

    @cached_property
    def rules_of_format(self) -> NightFormat:
        return NightFormat.from_json(self.format)

    @property
    def plan(self) -> NightPlan:
        """Return what the night is made of; another night can be made from it."""
        rules = self.rules_of_scoring
        return NightPlan(
            format=self.rules_of_format,
            counting=rules.chosen_counting,
            games_per_round=rules.games_per_round,
            gives=rules.gives,
            **{name: getattr(self, name) for name in COLUMNS},
        )

    def stake_of(self, what: HasStake) -> int:
        """Return the stake of a game, or of a table's next games."""
        return self.stake if what.stake is None else what.stake

    @cached_property
    def has_money(self) -> bool:
        """Whether the night's games are for money; once it is closed, whether it has any at all."""
        return self.stake > 0 or (not self.is_open and self.money_tallies.exists())

    @cached_property
    def games_have_money(self) -> bool:
        """Whether its games are for money; once it is closed, also what a notebook had of them."""
        return self.stake > 0 or (not self.is_open and self.money_tallies.exclude(games=0).exists())

    @property
    def has_queue(self) -> bool:
        """Whether tables stay open all night and their players change between games."""
        return self.rules_of_format.has_queue

    @property
    def may_note_side(self) -> bool:
        """Whether players at a table may record what one owes another outside the games."""
        return self.stake > 0 and self.rules_of_format.plus_minus

    @property
    def is_clockwise(self) -> bool:
        """Whether play runs clockwise by the event's rules; only diagrams use it."""
        return self.rules.direction == "clockwise"

    @property
    def cuts_first(self) -> bool:
        """Whether the rules cut for a table's first deal, so no dealer is named before."""
        return self.rules.first_dealer == "highest_cut"

    @property
    def least_at_table(self) -> int:
        """The fewest players at a table under the event's rules."""
        return self.full_table if self.rules_of_format.same_deals else self.rules.min_players

    @property
    def most_at_table(self) -> int:
        """The most players at a table under the event's rules."""
        return self.rules.max_players

    @property
    def keeps_back(self) -> int:
        """The first round whose games are held until the ceremony; 0: no games are held.

        In a night with stages any number above 0 means the final. 0 again after the ceremony.
        """
        return 0 if self.told_at else self.rules_of_format.ceremony

    @property
    def forfeit(self) -> str:
        """The club's own penalty for the player in last place, as text without the full stop."""
        return self.rules.forfeit.rstrip(".")

    @property
    def full_table(self) -> int:
        """The number of players at a full table of the event."""
        return self.rules_of_format.full_table(self.most_at_table)

    @property
    def games_per_round(self) -> int | None:
        """The number of games per table and round; None if rounds end by time."""
        rules = self.rules_of_scoring
        return rules.games_per_round if rules.counting == "fixed" and not self.has_queue else None

    @property
    def games_together(self) -> int | None:
        """The games an open-play table plays before it is done; None if its players decide."""
        rules = self.rules_of_scoring
        is_open_night = self.rules_of_format.kind == "open"
        return rules.games_per_round if rules.counting == "fixed" and is_open_night else None


class Entrant(models.Model):
    """A player on an event's list, with presence, queue position and final place."""

    class Presence(models.TextChoices):
        EXPECTED = "expected", _("not here yet")
        HERE = "here", _("here")
        LEFT = "left", _("left")
        ABSENT = "absent", _("absent")

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="entrants", db_index=False
    )
    player = models.ForeignKey("league.Player", on_delete=models.PROTECT, related_name="entries")
    presence = models.CharField(max_length=8, choices=Presence.choices, default=Presence.EXPECTED)
    came_at = models.DateTimeField(null=True, help_text="When they first came tonight.")
    late = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether they came after the call or the first round.",
    )
    from_club = models.CharField(
        max_length=80,
        blank=True,
        default="",
        db_default="",
        help_text="Of whom another night sent: its club, and the place there in the next field.",
    )
    from_place = models.PositiveSmallIntegerField(null=True)
    leaves_after = models.PositiveSmallIntegerField(
        null=True, help_text="The round after which they go; until the next draw they are here."
    )
    counts = models.BooleanField(default=True, help_text="A house bot that fills a chair does not.")
    ticket = models.IntegerField(
        null=True, help_text="Of who waits for a chair: the lowest comes next."
    )
    passed_over = models.PositiveSmallIntegerField(
        default=0, help_text="How often somebody behind in the queue was seated first."
    )

    place = models.PositiveSmallIntegerField(
        null=True,
        help_text="The final place in a closed night that gives the season points for it.",
    )
    place_tied = models.PositiveSmallIntegerField(null=True, help_text="How many share it.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="entrant_once_per_event"),
            models.UniqueConstraint(fields=["event", "ticket"], name="entrant_ticket_once"),
            models.CheckConstraint(
                condition=Q(leaves_after=None) | Q(presence="here", leaves_after__gte=1),
                name="entrant_leaves_after_only_if_here",
            ),
            models.CheckConstraint(
                condition=Q(place=None, place_tied=None) | Q(place__gte=1, place_tied__gte=1),
                name="entrant_place_is_shared_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)
