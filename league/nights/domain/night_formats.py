"""How a night is run: in rounds, in stages, at tables with a queue, or as people come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, cast, get_args

from engine.rules.texts import mark as _
from league.seasons.domain.scoring import FieldError
from league.seasons.domain.scoring.exact import read_whole

Kind = Literal["rounds", "groups", "knockout", "loser_leaves", "open"]
KINDS: tuple[str, ...] = get_args(Kind)
FULL = 4
FLOORS = ("loser_leaves", "open")
"""Formats in which tables stay open all night and people change."""

_WHOLE = {  # field: smallest, largest
    "groups": (1, 64),
    "group_rounds": (1, 59),
    "final": (2, 400),
    "tables": (1, 200),
    "cap": (1, 50),
    "look": (1, 10),
    "one_table": (4, 8),
    "table_size": (2, 8),
    "handicap": (0, 100),
    "ceremony": (0, 60),
}
MAY_LACK = ("cap", "tables", "one_table")
_TICKS = ("others_play", "fill_up", "plus_minus")


@dataclass(frozen=True, slots=True)
class NightFormat:
    """The format of a night with its settings. A wrong value raises `FieldError` with its name.

    `groups`: so many groups play `group_rounds` rounds, the best `final` of them play the rest.
    `knockout`: the first two of each table go on until one table is left; `fill_up` takes in the
    best of the others until tables are full. With `others_play` who is out plays on beside.

    `loser_leaves`: `tables` with one queue (without a number as many full tables as those here
    make); who has played `cap` games in a row leaves too, and the
    next is chosen among the first `look` who wait. `open`: up to `tables` tables form as people
    come.

    `handicap` points to start with for every ten that a player is rated below the strongest.
    `plus_minus`: people at a table may note, with a word, that one owes another beside the games.
    `ceremony`: from that round on, or with stages in the final, games are kept back until their
    places are told one by one; 0: none are.
    A table has up to `table_size` people, fewer where the rules have. `bot` names the bot that
    fills empty chairs of draws; empty: none does. Where not more than `one_table` are drawn they
    sit at one table if the rules allow so many; otherwise only five at tables of four do, who fill
    neither one nor two.
    """

    kind: Kind = "rounds"
    groups: int = 2
    group_rounds: int = 3
    final: int = 4
    others_play: bool = True
    fill_up: bool = False
    tables: int | None = None
    cap: int | None = None
    look: int = 1
    bot: str = ""
    one_table: int | None = None
    table_size: int = FULL
    handicap: int = 0
    plus_minus: bool = False
    ceremony: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise FieldError("format", _("must be one of: %(names)s."), names=", ".join(KINDS))
        for name, (least, most) in _WHOLE.items():
            value = getattr(self, name)
            if not (value is None and name in MAY_LACK):
                whole = read_whole(value, name, at_least=least, at_most=most)
                object.__setattr__(self, name, whole)
        for name in _TICKS:
            if not isinstance(getattr(self, name), bool):
                raise FieldError(name, _("must be true or false."))
        if self.ceremony and self.is_floor:
            raise FieldError("ceremony", _("needs rounds or stages."))
        if not isinstance(self.bot, str) or len(self.bot) > 40:
            raise FieldError("bot", _("must be the name of a bot."))

    @property
    def is_floor(self) -> bool:
        """Whether tables stay open all night and people change, instead of playing rounds."""
        return self.kind in FLOORS

    def full_table(self, most: int) -> int:
        """How many people a full table has, by rules for at most `most`."""
        return min(self.table_size, most)

    def tables_for(self, here: int, most: int) -> int:
        """How many tables stay open for so many people."""
        return self.tables or max(1, here // self.full_table(most))

    def sits_together(self, here: int, most: int) -> bool:
        """Whether so many people make one table, by rules for at most `most`."""
        usual = FULL + 1 if self.table_size == FULL else 0
        return self.full_table(most) < here <= min(self.one_table or usual, most)

    @property
    def has_stages(self) -> bool:
        """Whether some go on and others are out."""
        return self.kind in ("groups", "knockout")

    def to_json(self) -> dict[str, Any]:
        """All fields as JSON values, the inverse of `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> NightFormat:
        """Return the format of a JSON object.

        What is left out has its default. Raises `FieldError`.
        """
        if not isinstance(value, Mapping):
            raise FieldError("format", _("must be an object with named fields."))
        known = {field.name for field in fields(cls)}
        for name in value:
            if name not in known:
                raise FieldError(str(name)[:40], _("is not a field of this format."))
        return cls(**cast("dict[str, Any]", dict(value)))
