"""How all stand once a round is done and another one follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.base.lookup import points_are_money
from league.models import Player, Round
from league.nights.facts.final_places import Placed, podium
from league.nights.facts.night import Night
from league.nights.facts.progress import Progress


@dataclass(frozen=True)
class Moved:
    """A player whose rank the round has changed."""

    player: Player
    was: int
    now: int

    @property
    def rises(self) -> int:
        """By how many places the player has risen."""
        return max(self.was - self.now, 0)

    @property
    def falls(self) -> int:
        """By how many places the player has fallen."""
        return max(self.now - self.was, 0)


@dataclass(frozen=True)
class AfterRound:
    """The first three after a round, and who has risen and fallen most by it."""

    number: int
    podium: Sequence[Placed]
    moved: Sequence[Moved]


def after_round(night: Night, state: Progress) -> AfterRound | None:
    """Return how all stand after the round that is done, until the next one is drawn.

    None where ranks are not those of a night's points, where points are money, which not everyone
    reads, and where the night is over, so that its own podium stands there.
    """
    event, format_ = night.event, night.event.rules_of_format
    plain = format_.kind == "rounds" and not format_.same_deals and not points_are_money(event)
    done = state.playing and state.draft is None and state.games and not state.missing
    if not (plain and done and event.is_open) or state.is_over or state.kept_back or state.asked:
        return None
    first = podium(night.places)
    return AfterRound(night.released[-1].number, first, _moved(night)) if first else None


def _moved(night: Night) -> list[Moved]:
    """Return who has risen most by the last round, then who has fallen most.

    Nobody after a first round, and where ranks do not follow from games alone but from penalties.
    """
    if len(night.released) < 2:
        return []
    shown = {one.player.pk: (one.row.rank, one.row.points) for one in night.standings}
    now, before = _ranks(night, night.released), _ranks(night, night.released[:-1])
    if any(shown.get(key) != place for key, place in now.items()):
        return []
    found = [
        Moved(one.player, was, one.row.rank)
        for one in night.standings
        if one.row.rank and (was := before.get(one.player.pk, (None,))[0])
    ]
    most = max(found, key=lambda one: one.rises, default=None)
    least = max(found, key=lambda one: one.falls, default=None)
    up = [most] if most and most.rises else []
    return up + ([least] if least and least.falls else [])


def _ranks(night: Night, rounds: Iterable[Round]) -> dict[int, tuple[int | None, Fraction]]:
    """Return rank and points by the games of these rounds alone, by player."""
    tables = {one.pk for round_ in rounds for one in round_.sittings.all()}
    rows = night.played.rows(tables, night.played.people_at(tables), stage="")
    return {night.played.player(row): (row.rank, row.points) for row in rows}
