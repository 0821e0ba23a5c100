"""How a night is run: in rounds, in stages, at tables with a queue, or as people come."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from engine.rules.texts import mark as _
from league.base.domain.settings import name, tick, whole
from league.seasons.domain.scoring import FieldError, Gives, read_object, read_settings

Kind = Literal["rounds", "groups", "knockout", "loser_leaves", "open"]
KINDS: tuple[str, ...] = get_args(Kind)
FULL = 4
FLOORS = ("loser_leaves", "open")
"""Formats in which tables stay open all night and people change."""
_ANY, _ROTATION = " ".join(KINDS), " ".join(FLOORS)
_DRAWN, _STAGED = "rounds groups knockout", "groups knockout"


@dataclass(frozen=True, slots=True)
class NightFormat:
    """The format of a night with its settings. A wrong value raises `FieldError` with its name.

    `of` names the formats to which a setting belongs. `loser_leaves` without `tables` has as many
    full tables as those here make. Where not more than `one_table` are drawn they sit at one table
    if the rules allow so many; otherwise only five at tables of four do, who fill neither one nor
    two.
    """

    kind: Kind = "rounds"
    groups: int = whole(2, _("Groups"), least=1, most=64, of="groups")
    group_rounds: int = whole(
        3,
        _("Rounds in the groups"),
        least=1,
        most=59,
        of="groups",
        help=_("The rounds after that are the final."),
    )
    final: int = whole(4, _("Players in the final"), least=2, most=400, of="groups")
    fill_up: bool = tick(
        False,
        _("Fill the tables with the best of the rest"),
        of="knockout",
        help=_("Otherwise, some tables have fewer players."),
    )
    others_play: bool = tick(
        True,
        _("Eliminated players keep playing at side tables"),
        of=_STAGED,
        help=_("At separate tables; their games count for the night and the season."),
    )
    tables: int | None = whole(
        None,
        _("Tables"),
        least=1,
        most=200,
        of=_ROTATION,
        help=_("Empty: full tables for everyone who is here. You can add more during the night."),
    )
    cap: int | None = whole(
        None,
        _("Maximum games in a row"),
        least=1,
        most=50,
        of="loser_leaves",
        help=_("A player who has played this many gives up the seat too. Empty: no limit."),
    )
    look: int = whole(
        1,
        _("Choose among the first in the queue"),
        least=1,
        most=10,
        of="loser_leaves",
        help=_(
            "1: strictly in order. 3: of the first three, the player who has met "
            "those at the table least; nobody is skipped more than twice."
        ),
    )
    one_table: int | None = whole(
        None,
        _("Most people at one table"),
        least=4,
        most=8,
        of=_DRAWN,
        help=_(
            "Up to this number share one table if the rules allow it. More people make several"
            " tables. Empty: five sit together, six make two tables of three."
        ),
    )
    same_deals: bool = tick(
        False,
        _("Duplicate: the same deals at every table"),
        of="rounds",
        alone=True,
        help=_(
            "You are compared with those who held the same cards, so luck counts less. Up to four "
            "tables tell no more than an ordinary night. An organiser who doesn't play sorts the "
            "cards before; online nobody has to."
        ),
    )
    ceremony: int = whole(
        0,
        _("Results kept back from round"),
        least=0,
        most=60,
        of=_DRAWN,
        alone=True,
        help=_(
            "Only organisers see results until you reveal the places one by one on the big screen. "
            "Applies to this and later rounds; with a final, to the final. 0: nothing is kept back."
        ),
    )
    bot: str = name(
        _("Fill empty seats with a bot"),
        most=40,
        of=_DRAWN,
        alone=True,
        help=_(
            "So that every table is full. Only for online games: a bot can't hold "
            "real cards. It scores no points."
        ),
    )
    table_size: int = whole(
        FULL,
        _("Players at a table"),
        least=2,
        most=8,
        of=_ANY,
        help=_(
            "At most, as far as the rules allow: with tables of 6, 13 players make one table "
            "of five and two of four. Five or more play with two decks."
        ),
    )
    handicap: int = whole(
        0,
        _("Handicap"),
        least=0,
        most=100,
        of=_ANY,
        alone=True,
        help=_(
            "Weaker players start with points. This many for every 10 rating points below the "
            "strongest player. 0: none."
        ),
    )
    plus_minus: bool = tick(
        False,
        _("Plus and minus at the table"),
        of=_ANY,
        alone=True,
        help=_("Players record what one owes another besides the games. For nights with a stake."),
    )

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise FieldError("format", _("must be one of: %(names)s."), names=", ".join(KINDS))
        read_settings(self)
        if self.ceremony and self.has_queue:
            raise FieldError("ceremony", _("needs rounds or stages."))
        if self.same_deals and (self.kind != "rounds" or self.table_size != FULL):
            raise FieldError("same_deals", _("needs rounds at tables of four."))

    @property
    def has_queue(self) -> bool:
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
        if self.same_deals:
            return False
        usual = FULL + 1 if self.table_size == FULL else 0
        return self.full_table(most) < here <= min(self.one_table or usual, most)

    def gives(self, wanted: Gives) -> Gives:
        """Return what such a night gives its season: a duplicate night never its games' points."""
        return "places" if self.same_deals and wanted == "games" else wanted

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
        return cls(**read_object(cls, value, "format", _("is not a field of this format.")))
