"""A row of a season's standings as it is kept in the database, and back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from league.domain.standings import Adjustment, Row
from league.models import Player, Season, SeasonRow
from league.selectors.standings import Standing


def kept_row(season: Season, position: int, standing: Standing) -> SeasonRow:
    """The row to keep, with the player it is about. The inverse of `standing_of`."""
    row = standing.row
    return SeasonRow(
        season=season,
        position=position,
        player=standing.player,
        rank=row.rank,
        points=str(row.points),
        games=row.games,
        rest={
            "shared": row.shared,
            "adjustments": [[str(a.points), a.reason, a.event] for a in row.adjustments],
            "money": row.money,
            "separated_by": row.separated_by,
            "values": {key: str(value) for key, value in row.values.items()},
            "counts": {str(rank): times for rank, times in row.counts.items()},
            "lasts": row.lasts,
            "average_place": _text(row.average_place),
            "beaten": _text(row.beaten),
            "nights": standing.nights,
        },
    )


def standing_of(kept: SeasonRow) -> Standing:
    """The row as pages show it, without its nights; its player is read with it."""
    rest: dict[str, Any] = kept.rest
    player: Player = kept.player
    row = Row(
        entrant=player.pk,
        rank=kept.rank,
        shared=rest["shared"],
        points=Fraction(kept.points),
        nights=(),
        adjustments=tuple(
            Adjustment(player.pk, Fraction(points), reason, event)
            for points, reason, event in rest["adjustments"]
        ),
        money=rest["money"],
        separated_by=rest["separated_by"],
        values={key: Fraction(value) for key, value in rest["values"].items()},
        games=kept.games,
        counts={int(rank): times for rank, times in rest["counts"].items()},
        lasts=rest["lasts"],
        average_place=_fraction(rest["average_place"]),
        beaten=_fraction(rest["beaten"]),
    )
    return Standing(player, row, rest["nights"])


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
