"""What a recipe or a schedule makes: nights, or tournaments of bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.settings import tick, whole
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
from league.schedules.domain.recurrence import Recurrence

MOST_DAYS_AHEAD = 60


@dataclass(frozen=True, slots=True)
class Ahead:
    """How long ahead a night is created, and whether it opens a sign-up list then.

    The settings are columns of `Schedule`.
    """

    days_ahead: int = whole(
        6,
        _("Days ahead to create each night"),
        least=0,
        most=MOST_DAYS_AHEAD,
        help=_("From then on you can check people in and change the settings."),
    )
    opens_sign_up: bool = tick(
        False,
        _("Open a sign-up list"),
        help=_("Each night gets its own link to post in your group."),
    )
    sign_up_places: int | None = whole(
        None,
        _("Number of places"),
        least=2,
        most=2000,
        help=_("Guests count. Empty: no limit. When it is full, a waiting list starts."),
    )
    sign_up_hours: int | None = whole(
        None,
        _("Hours before the night when sign-up ends"),
        least=0,
        most=24 * MOST_DAYS_AHEAD,
        help=_("Empty: no deadline."),
    )


@dataclass(frozen=True, slots=True)
class Nights:
    """A recipe of nights: a plan under these rules or, with None, the season's.

    Without a `rule` people start each night by hand. A number at the end of `name` counts up; other
    names get the date.
    """

    name: str
    plan: NightPlan
    rule: Recurrence | None
    ahead: Ahead = field(default_factory=Ahead)
    ruleset: Ruleset | None = None
    venue: str = ""


PRESETS: dict[str, tuple[str, str, NightPlan]] = {
    "fun": (_("Fun night"), _("no clock"), NightPlan()),
    "same": (
        _("Duplicate night"),
        _("the same deals at every table"),
        NightPlan(NightFormat(same_deals=True), rounds_planned=4),
    ),
    "cup": (
        _("Cup"),
        _("the top two of each table advance"),
        NightPlan(NightFormat("knockout", others_play=False), games_per_round=4),
    ),
    "league": (
        _("League night"),
        _("40 minutes a round, players confirm"),
        NightPlan(rounds_planned=4, games_per_round=3, confirmed_by="player", round_minutes=40),
    ),
}
"""What clubs play, to start with: a recipe's name, what sets it apart, and its plan, by key."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """How a tournament is played, as `bots.create_bot_event` takes it; a league's has no bots."""

    deals: int
    bots: tuple[str, ...] = ()
    design: str = "rotations"
    effect: float | None = None
    priority: int = 1
    substitute: str = "lowest"

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, the inverse of `from_json`."""
        if not self.bots:
            return {"deals": self.deals}
        return asdict(self) | {"bots": list(self.bots)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TournamentPlan:
        """Return the plan of a JSON object; raises TypeError for unknown or missing fields."""
        values: dict[str, Any] = dict(value)
        return cls(**values | {"bots": tuple(values.get("bots", ()))})


@dataclass(frozen=True, slots=True)
class Tournaments:
    """Tournaments of one plan under one set of rules."""

    name: str
    plan: TournamentPlan
    rule: Recurrence
    ruleset: Ruleset
