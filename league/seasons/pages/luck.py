"""The luck of a season below its standings, and the luckiest hand of a night."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.models import Event, Player, Season
from league.seasons.domain.luck import Luck, lucks
from league.seasons.domain.scoring import Scoring
from league.seasons.facts.luck import hands_of
from league.seasons.facts.season_cache import CachedRows


@dataclass(frozen=True)
class LuckRow:
    """A player's luck, with the present place and the place without luck; None if unranked."""

    player: Player
    luck: Luck
    place: int | None
    fair_place: int | None
    own: bool

    @property
    def percent(self) -> float:
        """The share of opponents beaten without luck, in percent."""
        return 100 * self.luck.adjusted.mean

    @property
    def margin(self) -> float | None:
        """Half of its interval; None for one night."""
        return 100 * self.luck.adjusted.margin if self.luck.adjusted.deals > 1 else None


def luck_rows(season: Season, rows: CachedRows, own: Sequence[int]) -> list[LuckRow]:
    """Return the luck of everyone whose online games were reviewed, in the order of the table.

    Empty unless the season shows it.
    """
    if not Scoring.from_json(season.scoring).luck:
        return []
    found = lucks(hands_of({event.pk: event.rules_of_scoring for event in season.counted_events}))
    if not found:
        return []
    standings = list(rows)
    fair = {
        one.player.pk: float(one.row.points)
        - (found[one.player.pk].points if one.player.pk in found else 0)
        for one in standings
        if one.row.rank
    }
    order = sorted(-points for points in fair.values())
    return [
        LuckRow(
            one.player,
            found[one.player.pk],
            one.row.rank,
            1 + bisect_left(order, -fair[one.player.pk]) if one.row.rank else None,
            one.player.pk in own,
        )
        for one in standings
        if one.player.pk in found
    ]


@dataclass(frozen=True)
class LuckyHand:
    """The night's luckiest hand: whose, and how many opponents it was expected to beat."""

    player: Player
    expected: float
    opponents: int


def luckiest_hand(event: Event, people: Mapping[int, Player]) -> LuckyHand | None:
    """Return the hand that was worth most in a night's reviewed games; None if none is shown."""
    if not Scoring.from_json(event.season.scoring).luck:
        return None
    hands = [one for one in hands_of({event.pk: event.rules_of_scoring}) if one.player in people]
    if not hands:
        return None
    best = max(hands, key=lambda hand: hand.worth)
    opponents = best.size - 1
    return LuckyHand(people[int(best.player)], best.worth * opponents, opponents)
