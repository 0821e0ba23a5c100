"""What a night is made of: rounds, games, stake and format."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine.rules.texts import mark as _
from league.base.domain.settings import choice, money, settings_of, whole
from league.nights.domain.night_formats import NightFormat
from league.seasons.domain.scoring import (
    COUNTING_NAMES,
    GIVES_NAMES,
    Counting,
    FieldError,
    Gives,
    Scoring,
    read_object,
    read_settings,
)

CONFIRMED = {
    "none": _("nobody: games count as entered"),
    "player": _("another player at the table, from another phone"),
    "organiser": _("an organiser"),
}
_SCORING = "scoring"
MOST_STAKE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class NightPlan:
    """What a night is made of besides its name, its day and the season's rules.

    New nights, a night's settings and schedules are made from it. Settings `of` the scoring belong
    to the night's `Scoring`, the others are columns of `Event`. `gives` None: what the season's
    rules say. A wrong value raises `FieldError` with its name.
    """

    format: NightFormat = field(default_factory=NightFormat)
    rounds_planned: int = whole(3, _("Rounds"), least=1, most=60)
    counting: Counting = choice(
        "fixed",
        _("How games count"),
        COUNTING_NAMES,
        of=_SCORING,
        help=_("When players change tables all night, the average covers their whole night."),
    )
    games_per_round: int = whole(
        4, _("Games per round"), least=1, most=1000, most_typed=50, of=_SCORING
    )
    stake: int = money(0, _("Stake per game"), most=MOST_STAKE, help=_("0: points only."))
    gives: Gives | None = choice(
        None, _("What a new night gives the season"), GIVES_NAMES, of=_SCORING
    )
    confirmed_by: str = choice("none", _("Who confirms games"), CONFIRMED)
    round_minutes: int | None = whole(
        None,
        _("Minutes per round"),
        least=1,
        most=600,
        help=_("For the clock on the big screen; leave empty for no clock."),
    )

    def __post_init__(self) -> None:
        read_settings(self)
        if self.format.has_queue and self.counting == "table_ranking":
            raise FieldError(
                "counting",
                _(
                    "Players change tables after every game in this format, so a table "
                    "has no ranking of its own. Count each game, or the average game."
                ),
            )
        if self.format.same_deals and self.counting != "fixed":
            raise FieldError("counting", _("A duplicate night needs a fixed number of games."))
        if self.format.ceremony:
            self._check_ceremony()

    def _check_ceremony(self) -> None:
        """Refuse to keep back what has to be known at the table."""
        if self.stake:
            raise FieldError(
                "ceremony",
                _("A night with a stake can't keep results back: players must see what they owe."),
            )
        if self.confirmed_by == "player":
            raise FieldError(
                "ceremony",
                _("Players can't confirm results kept back. Let organisers confirm, or nobody."),
            )
        if self.format.kind == "rounds" and self.format.ceremony > self.rounds_planned:
            raise FieldError(
                "ceremony", _("Only %(rounds)s rounds are planned."), rounds=self.rounds_planned
            )

    @classmethod
    def under(cls, rules: Scoring) -> NightPlan:
        """Return the plan of a first night in a season with these rules."""
        return cls(counting=rules.chosen_counting, games_per_round=rules.games_per_round)

    def scoring(self, rules: Scoring) -> Scoring:
        """Return how the night counts under a season's rules. Raises `FieldError`."""
        changes: dict[str, Any] = {name: getattr(self, name) for name in OF_SCORING}
        if self.format.has_queue and self.counting == "average":
            changes["counting"] = "night_average"
        gives = self.format.gives(self.gives or rules.gives)
        return replace(rules, **changes | {"gives": gives})

    @property
    def values(self) -> dict[str, Any]:
        """All settings by their names, those of the format among them."""
        return {name: getattr(self, name) for name in _ROWS} | self.format.to_json()

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON values, the inverse of `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> NightPlan:
        """Return the plan of a JSON object.

        What is left out has its default. Raises `FieldError`.
        """
        values = read_object(cls, value, "plan", _("is not a field of a night."))
        if "format" in values:
            values["format"] = NightFormat.from_json(values["format"])
        return cls(**values)


_ROWS = settings_of(NightPlan)
OF_SCORING = tuple(name for name, row in _ROWS.items() if row.of == _SCORING)
COLUMNS = tuple(name for name, row in _ROWS.items() if row.of != _SCORING)
"""The settings that an `Event` has as columns."""
